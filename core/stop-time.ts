import { type Placed, stopsOf } from './stop.ts'

/** A task that ended, as far as it says how long a stop took. */
export interface Ended extends Placed {
  /** When the driver came, if that is known. */
  arrivedAt: Date | null
  completedAt: Date
}

export interface StopTimes {
  /** Stops of which somebody knows when the driver came. */
  stops: number
  seconds: number
}

/**
 * How long the stops of a driver's day took, from coming to the end of the last task there. Tasks at one door are one stop: ten parcels for
 * one block of flats are not ten stops of a minute. In the order in which they ended, which is the order of the day.
 */
export function timeStops(tasks: readonly Ended[]): StopTimes {
  const times: StopTimes = { stops: 0, seconds: 0 }
  const inOrder = tasks.toSorted((one, other) => one.completedAt.getTime() - other.completedAt.getTime())
  for (const stop of stopsOf(inOrder, (task) => task)) {
    const arrivals = stop.flatMap(({ arrivedAt }) => arrivedAt?.getTime() ?? [])
    const end = stop.at(-1)?.completedAt.getTime() ?? 0
    if (arrivals.length === 0) continue
    times.stops += 1
    times.seconds += Math.max(0, Math.round((end - Math.min(...arrivals)) / 1000))
  }
  return times
}
