import type { PhoneTask } from '../../../contract/sync.ts'
import type { Point } from '../../map/point.ts'

/** A place on the map with the stops there: a block of flats is one place. */
export interface Spot<Task> {
  key: string
  point: Point
  stops: { task: Task; number: number }[]
}

type Placed = Pick<PhoneTask, 'address'>

export const pointOf = ({ address: { lat, lng } }: Placed): Point | undefined =>
  lat === null || lng === null ? undefined : [lng, lat]

/** The stops by place, in the order of the route, numbered as in the list; and how many have no place. */
export function spotsOf<Task extends Placed>(stops: readonly Task[]): { spots: Spot<Task>[]; unplaced: number } {
  const spots = new Map<string, Spot<Task>>()
  let unplaced = 0
  for (const [at, task] of stops.entries()) {
    const point = pointOf(task)
    if (!point) {
      unplaced += 1
      continue
    }
    const key = point.map((degrees) => degrees.toFixed(5)).join()
    const spot = spots.get(key) ?? { key, point, stops: [] }
    spot.stops.push({ task, number: at + 1 })
    spots.set(key, spot)
  }
  return { spots: [...spots.values()], unplaced }
}
