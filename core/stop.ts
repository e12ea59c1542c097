import { isDoor } from './certainty.ts'
import { distanceMetres, type Point } from './geo.ts'

/** One door, one yard, one block of flats. */
const metresOfOneStop = 25

interface Placed {
  lat: number | null
  lng: number | null
  /** `approximate`: only the street or the town is known. */
  precision?: string | null
}

/**
 * The stops of a route: tasks of one driver that follow each other, all within 25 m of each other, are one stop. Not each
 * within 25 m of the one before, or a street of houses would be one. A task of which
 * nobody knows the place exactly is a stop of its own.
 */
export function stopsOf<Task>(route: readonly Task[], placeOf: (task: Task) => Placed): Task[][] {
  const stops: Task[][] = []
  for (const task of route) {
    const stop = stops.at(-1)
    if (stop?.every((other) => areTogether(placeOf(other), placeOf(task)))) stop.push(task)
    else stops.push([task])
  }
  return stops
}

/** The number of each task's stop, by the task's id: neighbours at one door share one. */
export const numberStops = (route: readonly { id: number; address: Placed }[]): Map<number, number> =>
  new Map(stopsOf(route, ({ address }) => address).flatMap((stop, at) => stop.map(({ id }) => [id, at + 1])))

function areTogether(one: Placed, other: Placed): boolean {
  const [from, to] = [pointOf(one), pointOf(other)]
  return from !== undefined && to !== undefined && distanceMetres(from, to) <= metresOfOneStop
}

const pointOf = (place: Placed): Point | undefined => (isDoor(place) ? (place as Point) : undefined)
