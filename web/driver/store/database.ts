import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type {
  Day,
  Draft,
  KeptFile,
  KeptPosition,
  KeptTask,
  KeptWay,
  Refused,
  Session,
  WaitingOp,
} from '../../../phone/kept.ts'
import type { Shelves, Store } from '../../../phone/store.ts'

/* Everything the phone keeps, in IndexedDB. */

interface Schema extends DBSchema {
  facts: { key: string; value: Session | Day | KeptWay | string }
  tasks: { key: number; value: KeptTask }
  ops: { key: number; value: Omit<WaitingOp, 'place'> & { place?: number } }
  files: { key: string; value: KeptFile }
  pictures: { key: string; value: ArrayBuffer }
  refused: { key: number; value: Omit<Refused, 'id'> & { id?: number } }
  drafts: { key: number; value: Draft }
  positions: { key: number; value: Omit<KeptPosition, 'place'> & { place?: number } }
}

type Database = IDBPDatabase<Schema>

let opened: Promise<Database> | undefined

/** The one connection of this tab. If the browser closes it, the next use opens another. */
function database(): Promise<Database> {
  opened ??= openDB<Schema>('waybill-driver', 2, {
    upgrade(db, version) {
      if (version < 2) db.createObjectStore('positions', { keyPath: 'place', autoIncrement: true })
      if (version > 0) return
      db.createObjectStore('facts')
      db.createObjectStore('tasks', { keyPath: 'id' })
      db.createObjectStore('ops', { keyPath: 'place', autoIncrement: true })
      db.createObjectStore('files', { keyPath: 'fileId' })
      db.createObjectStore('pictures')
      db.createObjectStore('refused', { keyPath: 'id', autoIncrement: true })
      db.createObjectStore('drafts', { keyPath: 'taskId' })
    },
    // A newer version of the app in another tab must not wait for this one.
    blocking: (_, __, event) => {
      opened = undefined
      ;(event.target as IDBDatabase).close()
    },
    terminated: () => {
      opened = undefined
    },
  }).catch((error: unknown) => {
    opened = undefined
    throw error
  })
  return opened
}

const all = ['facts', 'tasks', 'ops', 'files', 'pictures', 'refused', 'drafts', 'positions'] as const

export const store: Store = {
  async read(run) {
    const transaction = (await database()).transaction(all)
    // If it ends early, a request says so.
    transaction.done.catch(() => {})
    return run(shelvesOf(transaction as unknown as Transaction))
  },

  async change(run, durable = 'now') {
    const durability = durable === 'now' ? 'strict' : 'default'
    const transaction = (await database()).transaction(all, 'readwrite', { durability })
    // Awaited below; a failed request rejects it, too, and the error of that is the one to throw.
    transaction.done.catch(() => {})
    try {
      const result = await run(shelvesOf(transaction))
      await transaction.done
      return result
    } catch (error) {
      try {
        transaction.abort()
      } catch {
        // It has already ended.
      }
      throw error
    }
  },

  /** The browser, or the phone, has no room left. */
  isFull: (error) => error instanceof DOMException && error.name === 'QuotaExceededError',
}

type Transaction = ReturnType<typeof transactionOf>
// Only for its type: TypeScript cannot say it otherwise.
const transactionOf = (db: Database) => db.transaction(all, 'readwrite')

function shelvesOf(transaction: Transaction): Shelves {
  const shelf = <Name extends keyof Shelves>(name: Name) => transaction.objectStore(name) as unknown as Shelves[Name]
  const positions = transaction.objectStore('positions')
  return {
    facts: shelf('facts'),
    tasks: shelf('tasks'),
    ops: shelf('ops'),
    files: shelf('files'),
    pictures: shelf('pictures'),
    refused: shelf('refused'),
    drafts: shelf('drafts'),
    positions: {
      add: (position) => positions.add(position),
      clear: () => positions.clear(),
      count: () => positions.count(),
      first: (count) => positions.getAll(null, count) as Promise<KeptPosition[]>,
      deleteUntil: (place) => positions.delete(IDBKeyRange.upperBound(place)),
    },
  }
}
