import { Refusal } from '../../contract/errors.ts'
import { filePath } from '../../contract/file.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { commitWithEvents } from '../events/record.ts'
import { discardLeftover, type FileRow, findFile, lockFile, saveBytes } from '../files/queries.ts'
import type { KeptPicture } from '../http/requests/upload.ts'
import type { Organisation } from '../organisations/queries.ts'
import { changeTasks } from '../tasks/change/change.ts'
import { showImage } from '../tasks/queries.ts'
import { isErased } from '../tasks/read/erased.ts'
import { lockTasks } from '../tasks/read/lock.ts'

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
    if (received) return received
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
  const isGone = task ? task.erased_at !== null : taskId !== null && (await isErased(db, organisation.id, taskId))
  if (isGone) {
    await discardLeftover(db, organisation.id, picture.store_key)
    return file
  }
  const stored = await saveBytes(db, organisation.id, file.id, picture)
  if (taskId === null) return stored
  await showImage(db, organisation.id, taskId, file.id, filePath(file.id))
  if (task) {
    const remark = { picture: { fileId: file.id } }
    const change = { before: task, set: {}, fires: ['TASK_UPDATED'], rereads: ['notes'], remark } as const
    await changeTasks(context, db, organisation, [change], context.clock.now())
  }
  return stored
}
