import type { Point } from '../../../../core/geo.ts'
import { linesOf, type WayPart, wayThrough } from '../../../../core/way.ts'

/* A preview as it is drawn: where a driver goes now, and where they would. */

/** A stop with its number in the route; tasks at one door are one. */
interface DrawnStop extends Point {
  number: number
  /** The way there along the streets; null where no road is known. */
  line: string | null
}

export interface DrawnRoute {
  driverId: number
  driverName: string
  start: Point | null
  before: DrawnStop[]
  after: DrawnStop[]
}

/** What is shown of both orders. */
export type Shown = 'before' | 'after' | 'both'

interface PlannedStop {
  position: number
  positionBefore: number | null
  stop: number
  stopBefore: number | null
  lat: number | null
  lng: number | null
  line: string | null
  lineBefore: string | null
}

export function drawnOf(
  driver: { driverId: number; driverName: string },
  { start, stops }: { start: Point | null; stops: readonly PlannedStop[] },
): DrawnRoute {
  const before = stops.map(({ positionBefore, stopBefore, lineBefore, ...stop }) => ({
    ...stop,
    position: positionBefore,
    stop: stopBefore,
    line: lineBefore,
  }))
  const { driverId, driverName } = driver
  return { driverId, driverName, start, before: inOrder(before), after: inOrder(stops) }
}

type InOrder = Pick<PlannedStop, 'lat' | 'lng' | 'line'> & { position: number | null; stop: number | null }

/** Of each stop the first task whose place is known; what is new in a route is not in its old order. */
function inOrder(stops: readonly InOrder[]): DrawnStop[] {
  const drawn = new Map<number, DrawnStop>()
  const sorted = stops.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))
  for (const { stop: number, lat, lng, line } of sorted)
    if (number !== null && lat !== null && lng !== null && !drawn.has(number))
      drawn.set(number, { number, lat, lng, line })
  return [...drawn.values()]
}

export const wayOf = (start: Point | null, stops: readonly DrawnStop[]): WayPart[] =>
  wayThrough(start ?? undefined, stops, linesOf(start, stops))
