import { decideMove, type MoveName } from '../../core/task-status.ts'
import type { Task } from '../api/data.ts'

/** Whether the table of moves lets a task in its state make one; what it does not let is not offered. */
const can = (move: MoveName) => (task: Task) => typeof decideMove(move, task.statusId) === 'object'

export const canAssign = (task: Task) => can('assign')(task) || can('reassign')(task)
export const canUnassign = can('unassign')
export const canForce = can('forceComplete')
export const canDelete = can('delete')
