import { Refusal } from '../../../contract/errors.ts'
import { noteTypes, type PictureType } from '../../../core/note-type.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { imageOf, type Shared } from '../../files/claims.ts'
import { getFirstAdminId, type NewNote } from '../queries.ts'
import type { TaskView } from '../tables.ts'

export function requireContent(note: string | undefined, fileId: string | undefined) {
  if (note === undefined && fileId === undefined)
    throw new Refusal('VALIDATION_FAILED', { field: 'note', message: 'note is required, unless there is a fileId' })
}

/** The person a note or a payment of the office is recorded for. */
export const authorOf = async ({ actor }: Context, db: Db, organisationId: number): Promise<number> =>
  actor.type === 'ADMIN' ? (actor.id as number) : getFirstAdminId(db, organisationId)

/** A note with text, a picture, or both. */
export const noteOf = (
  { id }: TaskView,
  userId: number,
  note: string | null = null,
  file?: Shared['file'],
  typeOfPicture: PictureType = noteTypes.photo,
): NewNote => ({
  task_id: id,
  user_id: userId,
  type: file ? typeOfPicture : noteTypes.text,
  note,
  image: file ? imageOf(file) : null,
  file_id: file?.id ?? null,
  by_partners_driver: false,
})

/** A code that a driver has read. */
export const scanOf = ({ id }: TaskView, userId: number, code: string): NewNote => ({
  task_id: id,
  user_id: userId,
  type: noteTypes.scan,
  note: code,
  image: null,
  file_id: null,
  by_partners_driver: false,
})
