import { orThrow, Refusal } from '../../../contract/errors.ts'
import type { Task } from '../../../contract/task.ts'
import type { CorrectInput } from '../../../contract/try.ts'
import { isOpen, Succeeded, statuses } from '../../../core/task-status.ts'
import { tellChanges } from '../../audit/changes.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { viewFirst } from '../read/chain.ts'
import { requireNotErased } from '../read/erased.ts'
import { lockTasksByAwb } from '../read/lock.ts'
import { presentTasks } from '../read/timeline.ts'
import { otherOf } from '../read/tried.ts'
import type { TaskView } from '../tables.ts'
import { changeTasks } from './change.ts'
import { moveTask } from './move.ts'

/**
 * Corrects how a task ended. When it ended stays as it was, and so do its payments: only the outcome was wrong. What was told
 * before is not taken back; the event of the other outcome follows it.
 */
export const correctTask = (
  context: Context,
  organisation: Organisation,
  awb: string,
  { statusId, reason }: CorrectInput,
): Promise<Task> =>
  commitWithEvents(context, async (db) => {
    const [task] = await lockTasksByAwb(db, organisation.id, [awb])
    if (!task) throw new Refusal('TASK_NOT_FOUND')
    requireNotErased(task)
    requireNothingOnItsWay(task, await viewFirst(db, task))
    const why = reason.trim()
    const succeeded = statusId === Succeeded
    const outcome = { cancel_reason: succeeded ? null : why, cancel_reason_code: null, closed_at: null }
    const move = moveTask(task, succeeded ? 'correctToSucceeded' : 'correctToFailed', outcome, {})
    const change = { ...orThrow(explained(move, task, statusId)), remark: { corrected: { reason: why } } }
    const changes = tellChanges({ statusId: task.status_id }, { statusId })
    await recordAudit(context, db, organisation.id, [{ kind: 'task.endCorrected', subjectId: task.id, changes }])
    const now = context.clock.now()
    const views = await changeTasks(context, db, organisation, [change], now)
    return (await presentTasks(db, organisation, views, now))[0] as Task
  })

/** Somebody may be at the door with the parcel already: that task is ended first, or deleted. What partners call theirs is not told. */
function requireNothingOnItsWay(task: TaskView, first: TaskView) {
  const isOwn = first.id === task.id
  const [next, back] = [otherOf(first, first.reattempted_as), otherOf(first, first.returned_as)]
  if (next && isOpen({ statusId: next.status_id }))
    throw new Refusal('TASK_REATTEMPTED', {
      message: isOwn
        ? `The task is tried again as ${next.awb}; delete that first`
        : 'The owner of the task tries it again; it can be corrected when that has ended or was deleted',
    })
  if (back && isOpen({ statusId: back.status_id }))
    throw new Refusal('TASK_RETURNED', {
      message: isOwn
        ? `The parcel is brought back as ${back.awb}; delete that first`
        : 'The owner of the task has the parcel brought back; it can be corrected when that has ended or was deleted',
    })
}

/** The usual sentences are about other moves. */
function explained<Result>(
  move: Result | Refusal,
  task: TaskView,
  statusId: CorrectInput['statusId'],
): Result | Refusal {
  if (!(move instanceof Refusal)) return move
  if (move.code === 'TASK_DELEGATED')
    return new Refusal(move.code, { message: 'A partner did this task; only the partner can correct how it ended' })
  if (move.code === 'TASK_ALREADY_PROCESSED' && task.status_id === statusId)
    return new Refusal(move.code, { message: `The task has ${statuses[statusId].name.toLowerCase()} already` })
  return move
}
