import { randomUUID } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { requireScope } from '../http/requests/credentials.ts'
import type { KeptPicture } from '../http/requests/upload.ts'
import type { Handlers } from '../http/route.ts'
import { downloadOf } from './download.ts'
import { presentFile } from './present.ts'
import { type FileRow, findFile, lockFile, saveBytes } from './queries.ts'

export const fileRoutes = {
  async createFile({ db, actor }, { organisation, sent }) {
    const userId = actor.type === 'ADMIN' ? actor.id : null
    return { file: presentFile(await insertFile(db, organisation.id, userId, sent)) }
  },

  async getFile(context, { organisation, scopes, params, query }) {
    const file = await findFile(context.db, organisation.id, params.fileId)
    if (!file?.store_key) throw new Refusal('FILE_NOT_FOUND')
    requireSight(context, scopes, file)
    return downloadOf(context, file, query.size)
  },
} satisfies Partial<Handlers<{ id: number }>>

const insertFile = (db: Db, organisationId: number, userId: number | null, picture: KeptPicture) =>
  db.transaction(async (db) => {
    const { id } = await lockFile(db, organisationId, randomUUID(), userId)
    return saveBytes(db, organisationId, id, picture)
  })

type Seen = FileRow & { driver_id: number | null }

/**
 * A file of a task is for everyone who may see the task, an avatar or a logo for everyone in the organisation, and one that
 * is for nothing yet only for those who sent it.
 */
function requireSight({ actor }: Context, scopes: readonly string[], file: Seen) {
  const isSender = actor.type === 'API' ? file.user_id === null : file.user_id === actor.id
  if (file.task_id !== null && actor.type !== 'DRIVER') return requireScope({ actor, scopes }, 'tasks:read')
  const isSeen = file.task_id === null ? file.unused_since === null : file.driver_id === actor.id
  if (!isSeen && !isSender) throw new Refusal('FILE_NOT_FOUND')
}
