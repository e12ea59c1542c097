import { Refusal } from '../../contract/errors.ts'
import type { Db } from '../db/db.ts'
import type { Authenticate, Caller } from '../http/auth.ts'
import { hashKey, isPlausibleKey } from './keys.ts'
import { findKeyByHash, type Organisation } from './queries.ts'

/** How long an answer may be reused: a revoked key works nowhere a second later. */
const freshMs = 1_000
const mostCached = 10_000

/** Looks keys up, asking the database at most once a second for each. */
export function keyAuthenticator(db: Db): Authenticate<Organisation> {
  const cache = new Map<string, { caller: Promise<Caller<Organisation>>; until: number }>()

  return (key) => {
    const now = Date.now()
    const cached = cache.get(key)
    if (cached && cached.until > now) return cached.caller
    if (cache.size >= mostCached) cache.clear()
    const caller = lookUp(db, key)
    cache.set(key, { caller, until: now + freshMs })
    // Only good keys are worth remembering; a fault of the database is not an answer at all.
    caller.catch(() => cache.delete(key))
    return caller
  }
}

async function lookUp(db: Db, key: string): Promise<Caller<Organisation>> {
  if (!isPlausibleKey(key))
    throw new Refusal('UNAUTHORIZED', { message: 'This key is damaged; was it cut off or mistyped?' })
  const found = await findKeyByHash(db, hashKey(key))
  if (!found || found.is_revoked) throw new Refusal('UNAUTHORIZED', { message: 'This key is not known' })
  if (found.is_expired) throw new Refusal('KEY_EXPIRED')
  const { id, name, scopes, organisation } = found
  return { organisation, actor: { type: 'API', id, name }, scopes }
}
