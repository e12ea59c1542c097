import type { TriggerName } from './triggers.ts'

// `as const`, because otherwise the type of a field with one of these values is `number`.
export const Unassigned = 1 as const
export const Assigned = 6 as const
export const InTransit = 7 as const
export const Succeeded = 9 as const
export const Failed = 10 as const

/** The states a task can be in, with the names the interface shows. */
export const statuses = {
  [Unassigned]: { name: 'Unassigned', meaning: 'Has no driver yet' },
  [Assigned]: { name: 'Assigned', meaning: 'Has a driver' },
  [InTransit]: { name: 'In Transit', meaning: 'Started by its driver' },
  [Succeeded]: { name: 'Succeeded', meaning: 'Completed' },
  [Failed]: { name: 'Failed', meaning: 'Cancelled by the driver or the office' },
} as const

export type StatusId = keyof typeof statuses

/** 9 and 10 are final: no move leads out of them, except that one may be corrected to the other. */
export const isEnded = ({ statusId }: { statusId: StatusId }): boolean => statusId === Succeeded || statusId === Failed
export const isOpen = (task: { statusId: StatusId }): boolean => !isEnded(task)

export type MoveRefusal =
  | 'TASK_NOT_ASSIGNED'
  | 'TASK_HAS_DRIVER'
  | 'TASK_NOT_STARTED'
  | 'TASK_IN_TRANSIT'
  | 'TASK_ALREADY_PROCESSED'
  | 'TASK_NOT_ENDED'

export interface Move {
  from: readonly StatusId[]
  /** `same`: the task stays where it is, and something about it is noted. */
  to: StatusId | 'same' | 'gone'
  fires: readonly TriggerName[]
}

/** Every move that changes the state of a task. Nothing else in the program assigns a status. */
export const moves = {
  create: { from: [], to: Unassigned, fires: ['TASK_CREATED'] },
  createForDriver: { from: [], to: Assigned, fires: ['TASK_CREATED', 'TASK_ASSIGNED'] },
  assign: { from: [Unassigned], to: Assigned, fires: ['TASK_ASSIGNED', 'TASK_UPDATED'] },
  reassign: { from: [Assigned], to: Assigned, fires: ['TASK_UNASSIGNED', 'TASK_ASSIGNED', 'TASK_UPDATED'] },
  unassign: { from: [Assigned, InTransit], to: Unassigned, fires: ['TASK_UNASSIGNED', 'TASK_UPDATED'] },
  accept: { from: [Assigned, InTransit], to: 'same', fires: ['TASK_UPDATED'] },
  start: { from: [Assigned], to: InTransit, fires: ['TASK_START'] },
  arrive: { from: [InTransit], to: 'same', fires: ['TASK_UPDATED'] },
  takeBackStart: { from: [InTransit], to: Assigned, fires: ['TASK_UPDATED'] },
  takeBackArrive: { from: [InTransit], to: 'same', fires: ['TASK_UPDATED'] },
  complete: { from: [InTransit], to: Succeeded, fires: ['TASK_COMPLETE'] },
  completeUnstarted: { from: [Assigned, InTransit], to: Succeeded, fires: ['TASK_COMPLETE'] },
  fail: { from: [Assigned, InTransit], to: Failed, fires: ['TASK_FAILED'] },
  forceComplete: { from: [Assigned, InTransit], to: Succeeded, fires: ['TASK_COMPLETE'] },
  forceFail: { from: [Assigned, InTransit], to: Failed, fires: ['TASK_FAILED'] },
  correctToSucceeded: { from: [Failed], to: Succeeded, fires: ['TASK_COMPLETE'] },
  correctToFailed: { from: [Succeeded], to: Failed, fires: ['TASK_FAILED'] },
  delete: { from: [Unassigned, Assigned], to: 'gone', fires: ['TASK_DELETED'] },
  delegate: { from: [Unassigned], to: 'same', fires: ['TASK_UPDATED'] },
  undelegate: { from: [Unassigned, Assigned], to: Unassigned, fires: ['TASK_UPDATED'] },
} as const satisfies Record<string, Move>

export type MoveName = keyof typeof moves

/** Why a task in this state refuses a move that is allowed in others. */
const refusals: Record<StatusId, MoveRefusal> = {
  [Unassigned]: 'TASK_NOT_ASSIGNED',
  [Assigned]: 'TASK_NOT_STARTED',
  [InTransit]: 'TASK_IN_TRANSIT',
  [Succeeded]: 'TASK_ALREADY_PROCESSED',
  [Failed]: 'TASK_ALREADY_PROCESSED',
}

/** What a move does to a task in this state, or why it is refused. */
export function decideMove(name: MoveName, statusId: StatusId): Move | MoveRefusal {
  const move: Move = moves[name]
  if (move.from.includes(statusId)) return move
  // Required by the interface: assigning a task in transit is refused like assigning a finished one.
  if (name === 'assign' || name === 'reassign') return 'TASK_ALREADY_PROCESSED'
  if ((name === 'correctToSucceeded' || name === 'correctToFailed') && isOpen({ statusId })) return 'TASK_NOT_ENDED'
  if (name === 'delegate' && statusId === Assigned) return 'TASK_HAS_DRIVER'
  return refusals[statusId]
}

/** The move that assigns a task to a driver: none if they already have it. */
export function assigningMove(
  task: { statusId: StatusId; userId: number | null },
  driverId: number,
): MoveName | undefined {
  if (task.statusId !== Assigned) return 'assign'
  return task.userId === driverId ? undefined : 'reassign'
}
