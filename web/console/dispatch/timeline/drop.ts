import { isOursToDo } from '../../../../core/delegation.ts'
import { Assigned, InTransit, isOpen } from '../../../../core/task-status.ts'
import type { Driver, Task } from '../../../api/data.ts'
import { insertAt } from '../../planning/moves.ts'
import type { Lane } from './lanes.ts'

/** The planned tasks of a lane that can still be reordered, in their order. */
export const movableIds = ({ blocks }: Lane) =>
  blocks.filter(({ task, isPlanned }) => isPlanned && task.statusId === Assigned).map(({ task }) => task.id)

/** A task in transit can be unassigned, but not reassigned; one that a partner has is neither. */
const isGivable = (task: Task) => isOpen(task) && task.statusId !== InTransit && isOursToDo(task)
/** Who is not active gets nothing, but the order of what they have can change. */
export const canGive = (tasks: Task[], { id, active }: Pick<Driver, 'id' | 'active'>) =>
  tasks.some(isGivable) && (active || tasks.every(({ userId }) => userId === id))
export const canTakeBack = (tasks: Task[]) => tasks.some((task) => isOpen(task) && task.userId !== null)

/** The position among the remaining stops for tasks dropped at a moment: after every stop whose middle is before it. */
export function placeAt(lane: Lane, moment: number, dropped: readonly number[]): number {
  const movable = new Set(movableIds(lane))
  const staying = lane.blocks.filter(({ task }) => movable.has(task.id) && !dropped.includes(task.id))
  return staying.filter(({ start, end }) => (start + end) / 2 < moment).length
}

/** What a drop into a lane does: which tasks to assign, and the order once it is known which were assigned. */
export function planDrop(lane: Lane, dropped: Task[], at: number) {
  const moving = dropped.filter(isGivable)
  const before = movableIds(lane)
  return {
    strangers: moving.filter(({ userId }) => userId !== lane.driver.id),
    /** Undefined if nothing changes. `stayed` are the tasks the server did not assign. */
    orderWithout(stayed: readonly Task[]): number[] | undefined {
      const arrived = moving.filter((task) => !stayed.includes(task)).map(({ id }) => id)
      const after = insertAt(before, arrived, at)
      return after.join() === before.join() ? undefined : after
    },
  }
}
