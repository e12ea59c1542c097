import type { Point } from '../../../core/geo.ts'
import { factorBetween } from '../../../core/learned-speed.ts'
import type { Lunch, Vehicle } from '../../../core/optimise/problem.ts'
import { workingTimes } from '../../../core/shift.ts'
import { shiftsOf } from '../../../core/shift-bounds.ts'
import { hourOfWeek, readTime } from '../../../core/time.ts'
import type { PlannedDriver } from '../queries.ts'
import { type Clock, isForToday, never, secondsFrom } from './clock.ts'
import { pointOf, type Underway } from './stops.ts'

/* A driver in the optimiser's terms: a vehicle with a starting place, a shift and a lunch. */

/** Compared with a second of driving. `docs/planning.md` shows the numbers. */
const overtimeWeight = 5
const lunchWeight = 2

/** How long a reported position counts as current. */
const freshMs = 30 * 60_000

/** When a route of another day begins if no shift is known. */
const usualStart = '08:00'

/**
 * Where a driver's route starts: on another day at their hub, today at the stop where they have arrived, where their device or the last task they finished
 * today says they are, whichever is newer, or at their hub.
 */
export function startOf(
  { position, last_place: last, hub }: PlannedDriver,
  tasks: readonly Underway[],
  clock: Clock,
): Point | null {
  const { now } = clock
  if (!isForToday(clock)) return hub
  const here = tasks.find((task) => task.arrived_at !== null && pointOf(task))
  if (here) return pointOf(here)
  const isKnown = position && now.getTime() - Date.parse(position.at) < freshMs
  const seen = isKnown && (!last || Date.parse(position.at) > Date.parse(last.at)) ? position : last
  return seen ? { lat: seen.lat, lng: seen.lng } : hub
}

export interface Working {
  vehicle: Pick<Vehicle, 'shiftStart' | 'shiftEnd' | 'overtimeWeight' | 'lunch'>
  hasShift: boolean
  /** Other days of the week have a shift, this one has none. */
  isDayOff: boolean
  /** It is another day, and when they begin is only assumed. */
  isStartAssumed: boolean
  isShiftOver: boolean
  isLunchTooLong: boolean
}

/** Drivers on duty start now; the others, and all of them on another day, with their shift, or when the organisation opens. */
export function workingOf(driver: PlannedDriver, clock: Clock): Working {
  const isToday = isForToday(clock)
  const { shift, isDayOff, lunch, isLunchTooLong } = workingTimes(
    {
      ...shiftsOf(
        { start: driver.shift_start, end: driver.shift_end, shiftTimes: driver.shift_times },
        driver.opening_hours,
      ),
      lunchStart: driver.lunch_start,
      lunchEnd: driver.lunch_end,
      lunchMinutes: driver.lunch_minutes,
    },
    clock.now,
    clock.timezone,
    isToday ? undefined : clock.day,
  )
  const at = (time: number) => secondsFrom(clock, time)
  const shiftEnd = shift ? at(shift.end) : never
  return {
    vehicle: {
      shiftStart: isToday && driver.in_shift ? 0 : Math.max(0, at(shift?.start ?? assumedStart(clock))),
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
    isDayOff,
    isStartAssumed: !isToday && !shift,
    isShiftOver: shiftEnd <= 0,
    isLunchTooLong,
  }
}

function assumedStart(clock: Clock): number {
  const { now, day, timezone } = clock
  return isForToday(clock) ? now.getTime() : (readTime(`${day} ${usualStart}`, timezone) as Date).getTime()
}

/** How much slower than the roads say this driver's organisation is, while the route lasts; undefined if nobody knows. */
export function learnedFor({ hour_factors: factors }: PlannedDriver, { vehicle }: Working, { now, timezone }: Clock) {
  if (!factors) return undefined
  const at = (seconds: number) => now.getTime() + seconds * 1000
  return factorBetween(factors, at(vehicle.shiftStart), at(vehicle.shiftEnd), (moment) => hourOfWeek(moment, timezone))
}
