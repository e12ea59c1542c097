import { Refusal } from '../../contract/errors.ts'
import type { Db } from '../db/db.ts'
import type { Notices } from '../db/notices.ts'
import type { Authenticate, Caller } from '../http/requests/credentials.ts'
import type { Log } from '../log.ts'
import { changedKeys } from '../topics.ts'
import { hashKey, isPlausibleKey } from './keys.ts'
import { findKeyByHash, markKeysUsed, type Organisation, type UsedKey } from './queries.ts'

/** How long an answer may be reused, so that a revoked key works nowhere a second later. */
const freshMs = 900
const mostCached = 10_000
/** Uses are collected this long and written together, outside of requests. */
const collectMs = 1_000

export interface Keyring {
  authenticate: Authenticate<Organisation>
  /** To be called when keys or organisations change: seen here by the next request, elsewhere within a second. */
  forget(): void
  /** Saves the uses that are not written yet. */
  close(): Promise<void>
}

/** Looks up keys, asking the database at most once a second for each. */
export function openKeyring(db: Db, log: Log, notices: Notices): Keyring {
  const cache = new Map<string, { caller: Promise<Caller<Organisation>>; until: number }>()
  const uses = collectUses(db, log)
  let cautiousUntil = 0

  // The change may not be committed yet, so nothing read in the next second is cached.
  function forget() {
    cache.clear()
    cautiousUntil = performance.now() + freshMs
  }
  notices.onRing(changedKeys, forget)

  return {
    authenticate(key) {
      const now = performance.now()
      const cached = cache.get(key)
      if (cached && cached.until > now) return cached.caller
      if (cache.size >= mostCached) cache.clear()
      if (now < cautiousUntil) return lookUp(db, key, uses.add)
      const entry = { caller: lookUp(db, key, uses.add), until: now + freshMs }
      cache.set(key, entry)
      // Only valid keys are worth caching; a database error is not an answer at all.
      entry.caller.catch(() => cache.get(key) === entry && cache.delete(key))
      return entry.caller
    },
    forget: () => notices.ring(changedKeys),
    close: uses.write,
  }
}

async function lookUp(db: Db, key: string, noteUse: (used: UsedKey) => void): Promise<Caller<Organisation>> {
  if (!isPlausibleKey(key))
    throw new Refusal('UNAUTHORIZED', { message: 'This key is malformed; check that it was copied completely' })
  const found = await findKeyByHash(db, hashKey(key))
  if (!found || found.is_revoked) throw new Refusal('UNAUTHORIZED', { message: 'Unknown key' })
  if (found.is_expired) throw new Refusal('KEY_EXPIRED')
  const { id, name, scopes, organisation } = found
  if (found.is_mark_due) noteUse({ organisation_id: organisation.id, id })
  return { organisation, actor: { type: 'API', id, name }, scopes }
}

function collectUses(db: Db, log: Log) {
  let used = new Map<number, UsedKey>()
  let timer: NodeJS.Timeout | undefined

  async function write() {
    clearTimeout(timer)
    timer = undefined
    if (used.size === 0) return
    const collected = [...used.values()]
    used = new Map()
    await markKeysUsed(db, collected).catch((err) => log.warn({ err }, 'Saving when keys were last used failed'))
  }

  return {
    write,
    add(key: UsedKey) {
      used.set(key.id, key)
      timer ??= setTimeout(write, collectMs).unref()
    },
  }
}
