/*
 * Arrivals move all the time and without an event. A phone gets those that moved, as far as it is concerned, with its
 * ordinary sync: each device has its own memory of what it was given (docs/decisions/0034).
 */

/** An arrival that moves by less is the same to a driver. */
export const movedMs = 120_000

/** By task: the arrival a device was given last, in milliseconds, and the number of that answer. */
export type Told = Record<string, [arrivalMs: number, number: number]>

/** A task of the route, and when the driver will be there. */
export interface Coming {
  id: number
  arrival: Date | null
}

/**
 * The tasks whose arrival moved since the device was given it. What answers after the one it received last gave may
 * have been lost on the way, so it counts as not given.
 */
export const listMoved = (told: Told, receivedNumber: number, route: readonly Coming[]): number[] =>
  route.filter(({ id, arrival }) => isMoved(told[id], receivedNumber, arrival)).map(({ id }) => id)

function isMoved(last: Told[string] | undefined, receivedNumber: number, arrival: Date | null): boolean {
  if (!last) return arrival !== null
  const [arrivalMs, number] = last
  return number > receivedNumber || arrival === null || Math.abs(arrival.getTime() - arrivalMs) >= movedMs
}

/** What the device was given, with the next answer. Only of tasks that are still on the route, so it does not grow. */
export function tell(told: Told, number: number, route: readonly Coming[], given: readonly Coming[]): Told {
  const now = new Map(given.map(({ id, arrival }) => [id, arrival]))
  return Object.fromEntries(
    route.flatMap(({ id }): [number, Told[string]][] => {
      const arrival = now.get(id)
      if (arrival) return [[id, [arrival.getTime(), number]]]
      const last = told[id]
      return arrival === undefined && last ? [[id, last]] : []
    }),
  )
}
