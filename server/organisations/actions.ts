import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { hashKey, makeKey } from './keys.ts'
import {
  findFirstOrganisation,
  insertAdmin,
  insertKey,
  insertOrganisation,
  lockFirstStart,
  nextKeyId,
} from './queries.ts'

/** Makes the first organisation, its admin and its key, once in the life of a database. Returns the key it made. */
export function ensureFirstOrganisation(db: Db, first: Config['first']): Promise<string | undefined> {
  return db.transaction(async (db) => {
    await lockFirstStart(db)
    if (await findFirstOrganisation(db)) return undefined
    const organisation = await insertOrganisation(db, { ...first, name: first.organisation })
    await insertAdmin(db, organisation.id, 'Admin')
    return createKey(db, organisation.id, 'First key', first.key)
  })
}

/** Stores a new key with every scope and returns it; this is the only time its text is known. */
export async function createKey(db: Db, organisationId: number, name: string, chosen?: string): Promise<string> {
  const id = await nextKeyId(db)
  const key = chosen ?? makeKey(id)
  await insertKey(db, organisationId, { id, name, hash: hashKey(key), scopes: ['*'] })
  return key
}
