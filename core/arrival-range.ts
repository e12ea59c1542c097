/** When a driver is expected, as a range that can be told. */
export interface ArrivalRange {
  from: Date
  to: Date
}

interface Expected {
  /** The arrival as it is computed now. */
  arrival: Date
  /** The driver's stops before this one. */
  stopsBefore: number
  /** Nobody comes earlier: drivers wait until then. */
  notBefore?: Date | null
}

const minute = 60_000
/** Ranges begin and end at full five minutes: anything finer pretends to know more than we do. */
const step = 5 * minute
const narrowest = 5
const widest = 60
/** A driver this much behind what we expected is somewhere else: better no time than a wrong one. */
const mostOverdue = 30

/**
 * Each way to drive may take a tenth longer or shorter, and each stop a minute; three minutes are for the door. So the
 * range narrows as the driver comes closer, to five minutes around the arrival. Null if nothing honest can be said.
 */
export function arrivalRange({ arrival, stopsBefore, notBefore }: Expected, now: Date): ArrivalRange | null {
  const minutesLeft = (arrival.getTime() - now.getTime()) / minute
  if (minutesLeft < -mostOverdue) return null
  const spread = Math.min(widest, Math.max(narrowest, 3 + Math.max(0, minutesLeft) / 10 + stopsBefore)) * minute
  const earliest = Math.max(floor(now.getTime()), ...(notBefore && notBefore <= arrival ? [notBefore.getTime()] : []))
  const from = Math.max(nearest(arrival.getTime() - spread), earliest)
  const to = Math.max(nearest(arrival.getTime() + spread), floor(from) + 2 * step)
  return { from: new Date(from), to: new Date(to) }
}

const nearest = (ms: number) => Math.round(ms / step) * step
const floor = (ms: number) => Math.floor(ms / step) * step
