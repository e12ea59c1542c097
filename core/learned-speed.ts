import { distanceMetres } from './geo.ts'
import { createTrack, type Fix } from './track.ts'

/*
 * How fast an organisation's drivers really are, compared with what the roads say: one factor for a means of transport and an
 * hour of the week. Never about one person: it stands on several drivers, and of each on one value an hour at most.
 */

/** A part of a track that was driven without a stop. */
export interface Drive {
  from: Fix
  to: Fix
  seconds: number
  metres: number
}

/** Who moves no further for so long has stopped: for a customer, not for a red light. */
const stopSeconds = 60
/** A drive is cut into pieces, so that the way between its ends is the one that was driven. */
const pieceSeconds = 300
const leastSeconds = 120
const leastMetres = 200

/** The drives of a track, from positions in the order of their times. */
export function drivesOf(fixes: readonly Fix[]): Drive[] {
  const { track, add } = createTrack<Fix>()
  add(fixes)
  const drives: Drive[] = []
  let [from, last, metres] = [track.steps[0], track.steps[0], 0]
  const close = (next: Fix | undefined) => {
    if (from && last) {
      const seconds = secondsBetween(from, last)
      if (seconds >= leastSeconds && metres >= leastMetres) drives.push({ from, to: last, seconds, metres })
    }
    from = next
    metres = 0
  }
  for (const step of track.steps.slice(1)) {
    const before = last as Fix
    if (secondsBetween(before, step) > stopSeconds) close(step)
    else {
      metres += distanceMetres(before, step)
      last = step
      if (secondsBetween(from as Fix, step) >= pieceSeconds) close(step)
    }
    last = step
  }
  close(undefined)
  return drives
}

const secondsBetween = (one: Fix, other: Fix) => (other.at.getTime() - one.at.getTime()) / 1000

/** Who drove much further or less than the roads between the ends went another way: that says nothing about speed. */
export const isSameWay = (driven: number, byRoads: number) => driven > byRoads * 0.8 && driven < byRoads * 1.25

/** What the roads said that it would take, in normal traffic, and what it took: of one driver in one hour of one day. */
export interface Pace {
  driverId: number
  /** YYYY-MM-DD, in the organisation's time zone. */
  day: string
  /** Of the week, from 0: Monday, midnight to one. */
  hour: number
  expectedSeconds: number
  seconds: number
}

export interface LearnedHour {
  hour: number
  factor: number
  /** How many hours of drivers it stands on. */
  count: number
}

/** What is known of one means of transport, and how much it stands on. */
export interface LearnedSpeed {
  drivers: number
  days: number
  count: number
  /** In all hours together; null as long as there is not enough. */
  factor: number | null
  /** All hours of the week; none as long as there is not enough. */
  hours: LearnedHour[]
}

/** With less than this nothing is learned; an hour of the week with less than that has the factor of all of them. */
export const enough = { drivers: 3, days: 10, count: 100 } as const
const enoughOfHour = { drivers: 3, days: 3, count: 8 } as const
/** Whatever the tracks say, nobody is planned more than twice as fast or slow. */
const bounds = { least: 0.5, most: 2 } as const
export const hoursOfWeek = 168

export function learnSpeed(paces: readonly Pace[]): LearnedSpeed {
  const all = amountOf(paces)
  if (!isEnough(all, enough)) return { ...all, factor: null, hours: [] }
  const factor = factorOf(paces)
  const byHour = Map.groupBy(paces, ({ hour }) => hour)
  const hours = Array.from({ length: hoursOfWeek }, (_, hour): LearnedHour => {
    const own = byHour.get(hour) ?? []
    const amount = amountOf(own)
    return { hour, factor: isEnough(amount, enoughOfHour) ? factorOf(own) : factor, count: amount.count }
  })
  return { ...all, factor, hours }
}

const amountOf = (paces: readonly Pace[]) => ({
  drivers: new Set(paces.map(({ driverId }) => driverId)).size,
  days: new Set(paces.map(({ day }) => day)).size,
  count: paces.length,
})
type Amount = ReturnType<typeof amountOf>

const isEnough = (amount: Amount, wanted: Amount) =>
  amount.drivers >= wanted.drivers && amount.days >= wanted.days && amount.count >= wanted.count

/** The median of what each driver is usually: neither a bad hour nor one slow driver decides. */
function factorOf(paces: readonly Pace[]): number {
  const drivers = [...Map.groupBy(paces, ({ driverId }) => driverId).values()]
  const usual = drivers.map((own) => median(own.map(({ seconds, expectedSeconds }) => seconds / expectedSeconds)))
  const factor = Math.min(bounds.most, Math.max(bounds.least, median(usual)))
  return Math.round(factor * 1000) / 1000
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle) - 1] as number)) / 2
}

/** The factor for a route between two moments, the mean of its hours. `hourOf` says in which hour of the week a moment is. */
export function factorBetween(
  factors: readonly number[],
  from: number,
  to: number,
  hourOf: (moment: number) => number,
): number {
  const hours = Math.min(longestHours, Math.max(1, Math.ceil((to - from) / hourMs)))
  const found = Array.from({ length: hours }, (_, hour) => factors[hourOf(from + hour * hourMs)] ?? 1)
  return found.reduce((sum, factor) => sum + factor, 0) / hours
}

const hourMs = 3_600_000
/** A route whose end nobody knows is not longer. */
const longestHours = 12
