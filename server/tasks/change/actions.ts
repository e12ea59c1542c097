import { orThrow, Refusal } from '../../../contract/errors.ts'
import type { DeleteTaskQuery, ForceCompletion, NoteInput, Task } from '../../../contract/task.ts'
import { type Settings, settingsOf } from '../../../core/settings.ts'
import { readTime } from '../../../core/time.ts'
import { tellChanges } from '../../audit/changes.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { commitWithEvents } from '../../events/record.ts'
import { claimStoredFile } from '../../files/claims.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { type Failure, failedBy, getReason } from '../../reasons/failure.ts'
import { insertNotes, sumPayments } from '../queries.ts'
import { requireNotErased } from '../read/erased.ts'
import { lockTasksByAwb } from '../read/lock.ts'
import { presentTasks } from '../read/timeline.ts'
import type { TaskView } from '../tables.ts'
import { changeTasks, type TaskChange } from './change.ts'
import { moveTask } from './move.ts'
import { authorOf, noteOf, requireContent } from './notes.ts'
import { requireRoomForNote } from './room.ts'

async function lockTaskByAwb(db: Db, organisationId: number, awb: string): Promise<TaskView> {
  const [task] = await lockTasksByAwb(db, organisationId, [awb])
  if (!task) throw new Refusal('TASK_NOT_FOUND')
  return task
}

/** Makes one change and returns the changed task. */
async function changeOne(context: Context, db: Db, organisation: Organisation, change: TaskChange): Promise<Task> {
  const now = context.clock.now()
  const views = await changeTasks(context, db, organisation, [change], now)
  const [task] = await presentTasks(db, organisation, views, now)
  return task as Task
}

export async function forceCompleteTask(
  context: Context,
  organisation: Organisation,
  awb: string,
  body: ForceCompletion,
): Promise<Task> {
  const settings = settingsOf(organisation)
  const succeeds = body.success ?? !settings.forceCompleteAsFailed
  return commitWithEvents(context, async (db) => {
    const task = await lockTaskByAwb(db, organisation.id, awb)
    const now = context.clock.now()
    const move = orThrow(moveTask(task, succeeds ? 'forceComplete' : 'forceFail', { completed_at: now }))
    const failure = succeeds ? nothing : failureOf(body, settings)
    const chosen = await getReason(db, organisation.id, failure, now)
    const change = { ...move, set: { ...move.set, ...failedBy(chosen, failure) } }
    const after = { statusId: change.set.status_id, reasonCode: failure.reasonCode }
    const changes = tellChanges({ statusId: task.status_id, reasonCode: null }, after)
    await recordAudit(context, db, organisation.id, [{ kind: 'task.forceCompleted', subjectId: task.id, changes }])
    return changeOne(context, db, organisation, change)
  })
}

const nothing: Failure = { reasonCode: null, reason: null }

/** The office is asked for no photo and no note. */
const failureOf = (
  { reasonCode = null, failureReason }: ForceCompletion,
  { forceCompleteAsFailedCancelReason }: Settings,
): Failure => ({
  reasonCode,
  reason: failureReason ?? (reasonCode === null ? forceCompleteAsFailedCancelReason : null),
})

export async function deleteTask(
  context: Context,
  organisation: Organisation,
  awb: string,
  { updatedAt }: DeleteTaskQuery,
): Promise<void> {
  const seen = updatedAt === undefined ? undefined : readSeen(updatedAt, organisation)
  await commitWithEvents(context, async (db) => {
    const task = await lockTaskByAwb(db, organisation.id, awb)
    if (seen && seen.getTime() !== task.updated_at.getTime())
      throw new Refusal('TOO_LATE', { message: 'The task was changed since; it was not deleted' })
    const change = orThrow(moveTask(task, 'delete', { deleted_at: context.clock.now() }))
    await requireUnpaidTry(db, organisation.id, task)
    await changeTasks(context, db, organisation, [change], context.clock.now())
  })
}

/** The task before asks for all of its price again once its next try is gone: what was paid there would be forgotten. */
async function requireUnpaidTry(db: Db, organisationId: number, { id, attempt_of, return_of }: TaskView) {
  const isNext = attempt_of !== null || return_of !== null
  if (isNext && (await sumPayments(db, organisationId, id)) !== 0) throw new Refusal('TRY_PAID')
}

/** The version of a task that a caller has seen. Every change makes another, see `rowAfter`. */
function readSeen(text: string, { timezone }: Organisation): Date {
  const time = readTime(text, timezone)
  const message = 'updatedAt must look as the task shows it: 2026-11-15T09:30:00.000Z'
  if (!time) throw new Refusal('INVALID_TIME', { field: 'updatedAt', message })
  return time
}

export async function addNote(
  context: Context,
  organisation: Organisation,
  awb: string,
  { note, fileId, type }: NoteInput,
): Promise<Task> {
  requireContent(note, fileId)
  return commitWithEvents(context, async (db) => {
    const task = await lockTaskByAwb(db, organisation.id, awb)
    requireNotErased(task)
    const userId = await authorOf(context, db, organisation.id)
    const file = fileId === undefined ? undefined : await claimStoredFile(db, organisation.id, fileId, task.id)
    const added = noteOf(task, userId, note, file, type)
    requireRoomForNote(task, added.type, added.note)
    await insertNotes(db, organisation.id, [added])
    return changeOne(context, db, organisation, { before: task, set: {}, fires: ['TASK_UPDATED'], rereads: ['notes'] })
  })
}
