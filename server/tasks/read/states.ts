import { Succeeded } from '../../../core/task-status.ts'
import { raw } from '../../db/sql.ts'

/**
 * Whether a task is done or open. The number is in the SQL text, not a parameter: an index over it, or over those for
 * which it holds, is only considered where PostgreSQL can see that it is the same.
 */
export const isDone = raw(`t.status_id >= ${Succeeded}`)
export const isOpen = raw(`status_id < ${Succeeded}`)
