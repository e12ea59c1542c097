import { InTransit, isEnded } from '../../../../core/task-status.ts'
import type { Driver, Task } from '../../../api/data.ts'
import type { Point } from '../../../map/point.ts'
import { pointOf } from './pins.ts'

/** Where a driver is, or was last known to be. */
export interface DriverPlace {
  point: Point
  /** Degrees from north; only a phone knows it. */
  heading: number | undefined
  /** The time of the position, in ms. */
  at: number
  from: 'phone' | 'task'
}

/** An older position only says where a driver was. */
export const staleMs = 2 * 60_000
export const isStale = (place: DriverPlace, now: number) => now - place.at > staleMs

/** For each driver, the last task that says where they were. */
export function lastTasksOf(tasks: Task[]): Map<number, Task> {
  const last = new Map<number, Task>()
  for (const task of tasks) {
    if (!task.userId || !sceneOf(task)) continue
    const known = last.get(task.userId)
    if (!known || momentOf(task) > momentOf(known)) last.set(task.userId, task)
  }
  return last
}

/** Where each driver is: by their phone, else by the task they last ended or have in transit. */
export function placesOf(drivers: Driver[], lastTasks: Map<number, Task>): Map<number, DriverPlace> {
  const places = new Map<number, DriverPlace>()
  for (const driver of drivers) {
    const place = placeByPhone(driver) ?? placeByTask(lastTasks.get(driver.id))
    if (place) places.set(driver.id, place)
  }
  return places
}

function placeByPhone({ position }: Driver): DriverPlace | undefined {
  if (!position) return undefined
  const { lat, lng, heading, occurredAt } = position
  return { point: [lng, lat], heading: heading ?? undefined, at: Date.parse(occurredAt), from: 'phone' }
}

function placeByTask(task: Task | undefined): DriverPlace | undefined {
  const point = task && sceneOf(task)
  return point && { point, heading: undefined, at: momentOf(task), from: 'task' }
}

const momentOf = (task: Task) => Date.parse(task.completedAt ?? task.startedAt ?? task.updatedAt)

/** Where a task in transit or ended says its driver is. */
function sceneOf(task: Task): Point | undefined {
  if (!isEnded(task) && task.statusId !== InTransit) return undefined
  const { lastLocationLat: lat, lastLocationLng: lng } = task
  return lat !== null && lng !== null ? [lng, lat] : pointOf(task)
}
