import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Row } from '../../files/read-file.ts'
import type { Mapping } from './columns.ts'
import { flagUnfinished } from './flag.ts'
import { countRows, countSent, type SendSet } from './sets.ts'

/*
 * Unfinished imports, in IndexedDB: what was corrected, what was sent under which key, what was answered. A tab that is
 * closed, a server that stops or a lost network costs nothing. They hold customers' data, so they go when the import is
 * finished or discarded, when its person signs out, and after a week. Where a browser keeps nothing, imports work without.
 */

export interface KeptImport {
  id: string
  /** The organisation and the person: others who use this browser do not see it. */
  owner: string
  fileName: string
  headers: string[]
  mapping: Mapping
  day: string
  /** Whether rows whose AWB exists update the task. */
  updates: boolean
  phase: 'fixing' | 'sending'
  rowCount: number
  /** Rows that were not sent, by number, with the reason; for the report. */
  leftOut: [row: number, reason: string][]
  savedAt: number
}

interface KeptRows {
  id: string
  part: number
  rows: Row[]
}

interface Schema extends DBSchema {
  imports: { key: string; value: KeptImport }
  rows: { key: [string, number]; value: KeptRows }
  sets: { key: [string, number]; value: SendSet & { id: string } }
}

const databaseName = 'waybill-import'
const weekMs = 7 * 86_400_000
/** Rows that are written together: an edit rewrites its part. */
const partSize = 200

let opened: Promise<IDBPDatabase<Schema>> | undefined

function database() {
  opened ??= openDB<Schema>(databaseName, 1, {
    upgrade(db) {
      db.createObjectStore('imports', { keyPath: 'id' })
      db.createObjectStore('rows', { keyPath: ['id', 'part'] })
      db.createObjectStore('sets', { keyPath: ['id', 'number'] })
    },
    // Deleting it, or a newer version in another tab, must not wait for this one.
    blocking: (_, __, event) => {
      opened = undefined
      ;(event.target as IDBDatabase).close()
    },
    terminated: () => {
      opened = undefined
    },
  })
  opened.catch(() => {
    opened = undefined
  })
  return opened
}

/** Everything of one import. */
const within = (id: string) => IDBKeyRange.bound([id, Number.NEGATIVE_INFINITY], [id, Number.POSITIVE_INFINITY])

/** Undefined if the browser keeps nothing. */
async function trying<Value>(work: (db: IDBPDatabase<Schema>) => Promise<Value>): Promise<Value | undefined> {
  try {
    return await work(await database())
  } catch {
    return undefined
  }
}

/** Keeps an import with all its rows. True if that worked. */
export const keepImport = async (kept: KeptImport, rows: readonly Row[]): Promise<boolean> =>
  (await trying(async (db) => {
    const all = db.transaction(['imports', 'rows', 'sets'], 'readwrite')
    const [imports, parts, sets] = [all.objectStore('imports'), all.objectStore('rows'), all.objectStore('sets')]
    void parts.delete(within(kept.id))
    void sets.delete(within(kept.id))
    void imports.put(kept)
    for (let part = 0; part * partSize < rows.length; part += 1)
      void parts.put({ id: kept.id, part, rows: rows.slice(part * partSize, (part + 1) * partSize) })
    await all.done
    return true
  })) ?? false

/** Keeps one edited row, by its place in the list. */
export const keepRow = (id: string, at: number, rows: readonly Row[]) =>
  trying(async (db) => {
    const part = Math.floor(at / partSize)
    await db.put('rows', { id, part, rows: rows.slice(part * partSize, (part + 1) * partSize) })
  })

/** From now on it is being sent, in these sets. Must be kept before the first is sent. */
export const keepSending = (kept: KeptImport, sets: readonly SendSet[]) =>
  trying(async (db) => {
    const all = db.transaction(['imports', 'sets'], 'readwrite', { durability: 'strict' })
    void all.objectStore('imports').put(kept)
    for (const set of sets) void all.objectStore('sets').put({ ...set, id: kept.id })
    await all.done
    flagUnfinished(true)
  })

export const keepSet = (id: string, set: SendSet) =>
  trying(async (db) => {
    const all = db.transaction('sets', 'readwrite', { durability: 'strict' })
    void all.store.put({ ...set, id })
    await all.done
  })

const lockOf = (id: string) => `waybill-import ${id}`

/** Other tabs see that it is being sent, and do not offer to continue it. Over http browsers have no locks. */
export const whileSending = <Value>(id: string, work: () => Promise<Value>): Promise<Value> =>
  navigator.locks ? navigator.locks.request(lockOf(id), work) : work()

async function listLocks(): Promise<Set<string | undefined>> {
  const { held = [] } = navigator.locks ? await navigator.locks.query() : {}
  return new Set(held.map(({ name }) => name))
}

export interface Unfinished extends KeptImport {
  sent: number
  toSend: number
}

/** The imports this person has not finished, the latest first. Old ones go. */
export const listUnfinished = async (owner: string): Promise<Unfinished[]> =>
  (await trying(async (db) => {
    const all = await db.getAll('imports')
    for (const { id, savedAt } of all) if (Date.now() - savedAt > weekMs) await forgetImport(id)
    const sending = await listLocks()
    const own = all.filter(
      ({ id, savedAt, ...kept }) => kept.owner === owner && Date.now() - savedAt <= weekMs && !sending.has(lockOf(id)),
    )
    own.sort((one, other) => other.savedAt - one.savedAt)
    return Promise.all(
      own.map(async (kept) => {
        const sets = await db.getAll('sets', within(kept.id))
        return { ...kept, sent: countSent(sets), toSend: countRows(sets) }
      }),
    )
  })) ?? []

export const loadImport = (id: string) =>
  trying(async (db) => {
    const kept = await db.get('imports', id)
    if (!kept) return undefined
    const parts = await db.getAll('rows', within(id))
    const sets: SendSet[] = await db.getAll('sets', within(id))
    return { kept, rows: parts.flatMap(({ rows }) => rows), sets }
  })

export const forgetImport = (id: string) =>
  trying(async (db) => {
    const all = db.transaction(['imports', 'rows', 'sets'], 'readwrite')
    void all.objectStore('imports').delete(id)
    void all.objectStore('rows').delete(within(id))
    void all.objectStore('sets').delete(within(id))
    await all.done
    const others = await db.getAll('imports')
    flagUnfinished(others.some(({ phase }) => phase === 'sending'))
  })
