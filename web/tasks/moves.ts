import { decideMove, isOpen, type MoveName } from '../../core/task-status.ts'
import type { Task } from '../api/data.ts'
import type { Word } from '../words/shared.ts'

/** Whether the table of moves allows a move; others are not offered. */
const can = (move: MoveName) => (task: Task) => typeof decideMove(move, task.statusId) === 'object'

export const canAssign = (task: Task) => can('assign')(task) || can('reassign')(task)
export const canUnassign = can('unassign')
export const canForce = can('forceComplete')
export const canDelete = can('delete')

/** Why a task cannot be assigned or unassigned, by the same table as on the server. */
export function whyNot(task: Task, verb: 'assign' | 'unassign'): Word | undefined {
  const moves = verb === 'assign' ? (['assign', 'reassign'] as const) : (['unassign'] as const)
  const decided = moves.map((move) => decideMove(move, task.statusId))
  if (decided.some((one) => typeof one !== 'string')) return undefined
  if (verb === 'assign' && isOpen(task)) return 'TASK_IN_TRANSIT'
  const [refusal] = decided
  return typeof refusal === 'string' ? refusal : 'wentWrong'
}
