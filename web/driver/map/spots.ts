import type { PhoneTask } from '../../../contract/sync.ts'
import type { Point } from '../../map/point.ts'

/** A place on the map with the stops there: a block of flats is one place. */
export interface Spot<Task> {
  key: string
  point: Point
  stops: { task: Task; number: number }[]
}

type Placed = Pick<PhoneTask, 'id' | 'address'>

export const pointOf = ({ address: { lat, lng } }: Placed): Point | undefined =>
  lat === null || lng === null ? undefined : [lng, lat]

/** The tasks by place, in the order of the route, with the numbers of the list; and how many have no place. */
export function spotsOf<Task extends Placed>(
  tasks: readonly Task[],
  numbers: ReadonlyMap<number, number>,
): { spots: Spot<Task>[]; unplaced: number } {
  const spots = new Map<string, Spot<Task>>()
  let unplaced = 0
  for (const task of tasks) {
    const point = pointOf(task)
    if (!point) {
      unplaced += 1
      continue
    }
    const key = point.map((degrees) => degrees.toFixed(5)).join()
    const spot = spots.get(key) ?? { key, point, stops: [] }
    spot.stops.push({ task, number: numbers.get(task.id) ?? 0 })
    spots.set(key, spot)
  }
  return { spots: [...spots.values()], unplaced }
}
