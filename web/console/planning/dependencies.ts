import { InTransit } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'

/** The first task that would come before one it depends on; a task in transit has already started. */
export function findBrokenDependency(order: readonly number[], tasks: readonly Task[]) {
  const places = new Map(order.map((id, place) => [id, place]))
  for (const { id, awb, statusId, dependencies } of tasks) {
    const place = places.get(id)
    if (statusId === InTransit) continue
    const needed = dependencies.find(({ taskId }) => (places.get(taskId) ?? -1) > (place ?? order.length))
    if (needed) return { waiting: awb, needed: needed.awb }
  }
  return undefined
}
