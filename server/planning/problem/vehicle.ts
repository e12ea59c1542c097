import type { Point } from '../../../core/geo.ts'
import type { Lunch, Vehicle } from '../../../core/optimise/problem.ts'
import { workingTimes } from '../../../core/shift.ts'
import type { PlannedDriver } from '../queries.ts'
import { type Clock, never, secondsFrom } from './clock.ts'
import { pointOf, type Underway } from './stops.ts'

/* A driver in the optimiser's terms: a vehicle with a starting place, a shift and a lunch. */

/** Compared with a second of driving. `docs/planning.md` shows the numbers. */
const overtimeWeight = 5
const lunchWeight = 2

/** How long a reported position counts as current. */
const freshMs = 30 * 60_000

/**
 * Where a driver's route starts: at the stop where they have arrived, where their device or the last task they finished
 * today says they are, whichever is newer, or at their hub.
 */
export function startOf(
  { position, last_place: last, hub }: PlannedDriver,
  tasks: readonly Underway[],
  { now }: Clock,
): Point | null {
  const here = tasks.find((task) => task.arrived_at !== null && pointOf(task))
  if (here) return pointOf(here)
  const isKnown = position && now.getTime() - Date.parse(position.at) < freshMs
  const seen = isKnown && (!last || Date.parse(position.at) > Date.parse(last.at)) ? position : last
  return seen ? { lat: seen.lat, lng: seen.lng } : hub
}

export interface Working {
  vehicle: Pick<Vehicle, 'shiftStart' | 'shiftEnd' | 'overtimeWeight' | 'lunch'>
  hasShift: boolean
  isShiftOver: boolean
  isLunchTooLong: boolean
}

/** Drivers on duty start now; the others with their shift. */
export function workingOf(driver: PlannedDriver, clock: Clock): Working {
  const { shift, lunch, isLunchTooLong } = workingTimes(
    {
      start: driver.shift_start,
      end: driver.shift_end,
      lunchStart: driver.lunch_start,
      lunchEnd: driver.lunch_end,
      lunchMinutes: driver.lunch_minutes,
    },
    clock.now,
    clock.timezone,
  )
  const at = (time: number) => secondsFrom(clock, time)
  const shiftEnd = shift ? at(shift.end) : never
  return {
    vehicle: {
      shiftStart: shift && !driver.in_shift ? Math.max(0, at(shift.start)) : 0,
      shiftEnd,
      overtimeWeight: shift ? overtimeWeight : 0,
      ...(lunch && {
        lunch: {
          seconds: lunch.seconds,
          earliest: at(lunch.earliest),
          latest: at(lunch.latest),
          lateWeight: lunchWeight,
        } satisfies Lunch,
      }),
    },
    hasShift: shift !== undefined,
    isShiftOver: shiftEnd <= 0,
    isLunchTooLong,
  }
}
