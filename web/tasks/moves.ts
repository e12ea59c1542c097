import { refuseSide } from '../../core/delegation.ts'
import { decideMove, isOpen, type MoveName } from '../../core/task-status.ts'
import type { Task } from '../api/data.ts'
import type { Word } from '../words/shared.ts'

/** What the table of moves says and, of a shared task, that of its sides. */
const decide = (move: MoveName, { statusId, side }: Task) => refuseSide(move, side) ?? decideMove(move, statusId)

/** Whether a move is allowed; others are not offered. */
const can = (move: MoveName) => (task: Task) => typeof decide(move, task) === 'object'

export const canAssign = (task: Task) => can('assign')(task) || can('reassign')(task)
export const canUnassign = can('unassign')
export const canForce = can('forceComplete')
export const canDelete = can('delete')
export const canDelegate = can('delegate')
/** Taken back by who gave it, or given back by who has it. */
export const canUndelegate = (task: Task) => task.side !== undefined && can('undelegate')(task)

/** Whether a move is one for this side of some of the tasks, whatever their states: else it is not offered for them. */
export const isForSome = (move: MoveName, tasks: readonly Task[]) => tasks.some(({ side }) => !refuseSide(move, side))

/** Why a task cannot be assigned or unassigned, by the same table as on the server. */
export function whyNot(task: Task, verb: 'assign' | 'unassign'): Word | undefined {
  const moves = verb === 'assign' ? (['assign', 'reassign'] as const) : (['unassign'] as const)
  const decided = moves.map((move) => decide(move, task))
  if (decided.some((one) => typeof one !== 'string')) return undefined
  const refused = refuseSide(verb, task.side)
  if (refused) return refused
  if (verb === 'assign' && isOpen(task)) return 'TASK_IN_TRANSIT'
  const [refusal] = decided
  return typeof refusal === 'string' ? refusal : 'wentWrong'
}
