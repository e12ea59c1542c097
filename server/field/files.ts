import { Refusal } from '../../contract/errors.ts'
import { filePath } from '../../contract/file.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { commitWithEvents } from '../events/record.ts'
import {
  discardLeftover,
  endWaiting,
  type FileRow,
  findFile,
  findWaitingCopy,
  lockFile,
  saveBytes,
} from '../files/queries.ts'
import type { KeptPicture } from '../http/requests/upload.ts'
import type { Organisation } from '../organisations/queries.ts'
import { changeTasks } from '../tasks/change/change.ts'
import { showImage } from '../tasks/queries.ts'
import { isErased } from '../tasks/read/erased.ts'
import { lockTasks } from '../tasks/read/lock.ts'
import type { TaskView } from '../tasks/tables.ts'

/** A driver's file has arrived, before or after the note that shows it. The same bytes again change nothing. */
export async function receiveFile(
  context: Context,
  organisation: Organisation,
  driverId: number,
  fileId: string,
  picture: KeptPicture,
): Promise<FileRow> {
  for (;;) {
    const received = await commitWithEvents(context, (db) =>
      receive(context, db, organisation, driverId, fileId, picture),
    )
    if (!received) continue
    while (await fillCopy(context, organisation, fileId, picture));
    return received
  }
}

/**
 * A note locks its task first and then its file, so that is the order here too. Undefined if a note has taken the file
 * between the two: then its task is not locked, and we have to start again.
 */
async function receive(
  context: Context,
  db: Db,
  organisation: Organisation,
  driverId: number,
  fileId: string,
  picture: KeptPicture,
): Promise<FileRow | undefined> {
  const taskId = (await findFile(db, organisation.id, fileId))?.task_id ?? null
  const [task] = taskId === null ? [] : await lockTasks(db, organisation.id, [taskId])
  const file = await lockFile(db, organisation.id, fileId, driverId)
  if (file.task_id !== taskId) return undefined
  if (file.user_id !== driverId) throw new Refusal('FILE_TAKEN')
  if (file.sha256) {
    if (!file.sha256.equals(picture.sha256)) throw new Refusal('FILE_TAKEN')
    return file
  }
  if (taskId !== null && (await isGone(db, organisation.id, taskId, task))) {
    const isWaitedFor = await findWaitingCopy(db, organisation.id, file.id)
    if (!isWaitedFor) await discardLeftover(db, organisation.id, picture.store_key)
    return file
  }
  const stored = await saveBytes(db, organisation.id, file.id, picture)
  if (taskId !== null) await show(context, db, organisation, taskId, task, file.id)
  return stored
}

/**
 * One of the other tasks of a stop that the same picture serves. Each in a transaction of its own, as only one task is locked
 * before its file. The phone sends the bytes again until all of them have them.
 */
async function fillCopy(
  context: Context,
  organisation: Organisation,
  fileId: string,
  picture: KeptPicture,
): Promise<boolean> {
  return commitWithEvents(context, async (db) => {
    const waiting = await findWaitingCopy(db, organisation.id, fileId)
    if (!waiting) return false
    const [task] = await lockTasks(db, organisation.id, [waiting.task_id])
    const { copy_id, task_id } = waiting
    if (!(await endWaiting(db, organisation.id, copy_id)) || (await isGone(db, organisation.id, task_id, task)))
      return true
    await saveBytes(db, organisation.id, copy_id, picture)
    await show(context, db, organisation, task_id, task, copy_id)
    return true
  })
}

const isGone = async (db: Db, organisationId: number, taskId: number, task: TaskView | undefined) =>
  task ? task.erased_at !== null : isErased(db, organisationId, taskId)

async function show(
  context: Context,
  db: Db,
  organisation: Organisation,
  taskId: number,
  task: TaskView | undefined,
  fileId: string,
) {
  await showImage(db, organisation.id, taskId, fileId, filePath(fileId))
  if (!task) return
  const remark = { picture: { fileId } }
  const change = { before: task, set: {}, fires: ['TASK_UPDATED'], rereads: ['notes'], remark } as const
  await changeTasks(context, db, organisation, [change], context.clock.now())
}
