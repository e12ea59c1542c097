import { Refusal } from '../../contract/errors.ts'
import { fileIdIn, filePath, isFilePath } from '../../contract/file.ts'
import { mostTasksOfAPicture } from '../../contract/limits.ts'
import type { Db } from '../db/db.ts'
import {
  copyFile,
  countCopies,
  discardFile,
  type FileRow,
  findKnownFile,
  lockFile,
  markUnused,
  markUsed,
} from './queries.ts'

/* What a file is for. It has one use: a task, or to be shown as an avatar or a logo. What has none is deleted in time. */

/** A file for a note. */
export interface Shared {
  file: Pick<FileRow, 'id' | 'store_key'>
  /** The task that has the picture already, if it is another one. */
  first: number | null
  /** Whether it is written that the file is for this task. */
  isClaimed: boolean
}

/** Whether a driver's file can be for this task without another file being touched. */
export const isFreeFor = (
  { user_id, unused_since, task_id }: Pick<FileRow, 'user_id' | 'unused_since' | 'task_id'>,
  driverId: number,
  taskId: number,
) => user_id === driverId && (unused_since !== null || task_id === taskId)

/** The file of a driver's note. Its bytes may still be on their way: then it is unknown. */
export async function claimDriversFile(
  db: Db,
  organisationId: number,
  fileId: string,
  driverId: number,
  taskId: number,
) {
  const file = await lockFile(db, organisationId, fileId.toLowerCase(), driverId)
  if (file.user_id !== driverId) throw unknown('fileId')
  return claimForTask(db, file, taskId)
}

/**
 * The same for a photo or a signature, which may serve all tasks of a stop: each has a file of its own with the same bytes.
 */
export async function shareDriversFile(
  db: Db,
  organisationId: number,
  fileId: string,
  driverId: number,
  taskId: number,
): Promise<Shared> {
  const file = await lockFile(db, organisationId, fileId.toLowerCase(), driverId)
  if (file.user_id !== driverId) throw unknown('fileId')
  const { task_id: first } = file
  if (file.unused_since !== null || first === null || first === taskId)
    return { file: await claimForTask(db, file, taskId), first: null, isClaimed: true }
  if ((await countCopies(db, file)) >= mostTasksOfAPicture) throw new Refusal('FILE_IN_USE', { field: 'fileId' })
  return { file: await copyFile(db, file, taskId), first, isClaimed: true }
}

/** A driver's file that nobody may see any more, whether it has arrived or not. What is used elsewhere stays. */
export async function discardDriversFile(
  db: Db,
  organisationId: number,
  fileId: string,
  driverId: number,
  taskId: number,
) {
  const file = await lockFile(db, organisationId, fileId.toLowerCase(), driverId)
  if (file.user_id !== driverId || (file.unused_since === null && file.task_id !== taskId)) return
  await markUsed(db, organisationId, file.id, taskId)
  await discardFile(db, organisationId, file.id)
}

/** A file that is here, for a note of the office. */
export async function claimStoredFile(db: Db, organisationId: number, fileId: string, taskId: number) {
  return claimForTask(db, await getStored(db, organisationId, fileId.toLowerCase(), 'fileId'), taskId)
}

async function claimForTask(db: Db, file: FileRow, taskId: number): Promise<FileRow> {
  const isFree = file.unused_since !== null || file.task_id === taskId
  if (!isFree) throw new Refusal('FILE_IN_USE', { field: 'fileId' })
  await markUsed(db, file.organisation_id, file.id, taskId)
  return file
}

/** Where the image of a note is; null until it has arrived. */
export const imageOf = ({ id, store_key }: Shared['file']) => (store_key ? filePath(id) : null)

/** The path for an avatar or a logo. To be called before it is written; `driverId` if it must be that driver's own file. */
export async function claimPicture(db: Db, organisationId: number, path: string, field: string, driverId?: number) {
  const file = await getStored(db, organisationId, fileIdIn(path), field)
  if (driverId !== undefined && file.user_id !== driverId) throw unknown(field)
  if (file.task_id !== null) throw new Refusal('FILE_IN_USE', { field })
  await markUsed(db, organisationId, file.id, null)
  return filePath(file.id)
}

/** To be called after another avatar or logo was written. */
export async function dropPicture(db: Db, organisationId: number, before: string | null, now: string | null) {
  if (!before || before === now || !isFilePath(before)) return
  await markUnused(db, organisationId, fileIdIn(before), before)
}

async function getStored(db: Db, organisationId: number, id: string, field: string): Promise<FileRow> {
  const file = await findKnownFile(db, organisationId, id)
  if (!file?.store_key) throw unknown(field)
  return file
}

const unknown = (field: string) => new Refusal('FILE_NOT_FOUND', { status: 400, field })
