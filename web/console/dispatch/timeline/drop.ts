import { isOursToDo } from '../../../../core/delegation.ts'
import { Assigned, InTransit, isOpen } from '../../../../core/task-status.ts'
import type { Driver, Task } from '../../../api/data.ts'
import { insertAt, moveBy } from '../../planning/moves.ts'
import { type Block, idsOf } from './blocks.ts'
import type { Lane } from './lanes.ts'

/** What can still be reordered, in its order: the tasks of each stop, which stay together. */
const movableStops = ({ blocks }: Lane): number[][] =>
  blocks
    .map(({ parcels }) => parcels.filter(({ task, isPlanned }) => isPlanned && task.statusId === Assigned))
    .filter((parcels) => parcels.length > 0)
    .map((parcels) => parcels.map(({ task }) => task.id))

export const movableIds = (lane: Lane) => movableStops(lane).flat()

/** The order with one stop a place earlier or later; undefined if nothing changes. */
export function stepStop(lane: Lane, block: Block, by: 1 | -1): number[] | undefined {
  const stops = movableStops(lane)
  const ids = idsOf(block)
  const at = stops.findIndex((stop) => stop.some((id) => ids.includes(id)))
  if (at < 0) return undefined
  const places = moveBy([...stops.keys()], at, by)
  return places[at] === at ? undefined : places.flatMap((place) => stops[place] ?? [])
}

/** A task in transit can be unassigned, but not reassigned; one that a partner has is neither. */
const isGivable = (task: Task) => isOpen(task) && task.statusId !== InTransit && isOursToDo(task)
/** Who is not active gets nothing, but the order of what they have can change. */
export const canGive = (tasks: Task[], { id, active }: Pick<Driver, 'id' | 'active'>) =>
  tasks.some(isGivable) && (active || tasks.every(({ userId }) => userId === id))
export const canTakeBack = (tasks: Task[]) => tasks.some((task) => isOpen(task) && task.userId !== null)

/** How many of the remaining tasks come before those dropped at a moment: all of every stop whose middle is before it. */
export const placeAt = (lane: Lane, moment: number, dropped: readonly number[]): number =>
  lane.blocks
    .filter(({ start, end }) => (start + end) / 2 < moment)
    .flatMap((block) => movableStops({ ...lane, blocks: [block] }).flat())
    .filter((id) => !dropped.includes(id)).length

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
