import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Form } from '../../../contract/form.ts'
import type { LocationInput } from '../../../contract/location.ts'
import type { Reason } from '../../../contract/reason.ts'
import type { OpInput, OpResult, OwnPayment, PhoneChanges, PhoneTask } from '../../../contract/sync.ts'
import type { Settings } from '../../../core/settings.ts'

/*
 * Everything the phone keeps. What a driver did (`ops`, `files`, `pictures`) names its driver: it is sent only by a
 * device signed in as that driver. All the rest is a copy of what the server said, and can be fetched again.
 */

/** Who uses this phone. Without a token the server has ended the session, and what waits needs a new sign-in. */
export interface Session {
  driverId: number
  name: string
  token: string | null
  osmandUrl: string
}

/** What the last sync said about everything but the tasks. */
export interface Day {
  user: PhoneChanges['user']
  settings: Settings
  forms: Form[]
  reasons: Reason[]
  /** The open tasks in the order of the route. */
  order: number[]
  /** What this driver was paid, as far as the server knows; none before the first sync that told it. */
  payments?: OwnPayment[]
  /** When the office changed the order, until the driver has read that. */
  orderChangedAt?: string | null
  /** How far the clock of the phone is ahead of the server's. */
  aheadMs: number
  syncedAt: string
  /** The first answers are still arriving, so none of their tasks is new. */
  isFirst?: boolean
}

export interface KeptTask {
  id: number
  task: PhoneTask
  /** The office changed it, and the driver has not looked at it since. */
  isNew: boolean
  /** When the office took it away; it stays until the driver has seen that. */
  takenAt: string | null
  /** What the driver did last to it, and the server has: it can still be taken back. */
  begun?: Begun[]
}

/** A start or an arrival that nothing has followed, so that the driver can take it back. */
export interface Begun {
  opId: string
  type: 'start' | 'arrive'
  isBack?: true
}

export interface WaitingOp {
  /** Its place in the queue. */
  place: number
  driverId: number
  op: OpInput
  /** It ends a task, and until then the driver can undo it. What has this was never handed to a request. */
  heldUntilMs?: number
}

export const goesOnDuty = ({ op }: Pick<WaitingOp, 'op'>) => op.type === 'duty' && op.inShift === true

export type FileKind = 'photo' | 'signature' | 'answer'

export interface KeptFile {
  fileId: string
  driverId: number
  taskId: number
  kind: FileKind
  takenAt: string
  sentAt: string | null
  /** It, or what names it, was offered to the server, which may have it. */
  isOffered?: boolean
  /** The server did not accept it. */
  isRefused?: boolean
}

export const isUnsent = ({ sentAt, isRefused }: KeptFile) => !sentAt && !isRefused

/** What the server did not accept, until the driver has read it, and what the office has to decide until it has. */
export interface Refused {
  id: number
  driverId: number
  /** The picture that was refused; undefined if it was an op. */
  fileId?: string
  op?: OpInput
  taskId?: number | undefined
  awb: string
  error: NonNullable<OpResult['error']>
  /** The office decides what becomes of it. */
  isConflict: boolean
  decision?: { applied: boolean; note: string | null }
  /** The driver has read that it was not accepted; from the decision on it is news again. */
  isRead?: boolean
  at: string
}

/** Where the phone was, until the server has it. */
export interface KeptPosition {
  place: number
  driverId: number
  location: LocationInput & { occurredAt: string }
}

/** What is filled in but not done yet, so that a closed app loses nothing. */
export interface Draft {
  taskId: number
  /** Lines of points, each 0 to 1 of the width of the pad. */
  strokes: [x: number, y: number][][]
  signedBy: string | null
  method: 'cash' | 'card' | null
  /** As typed; null as long as it is what was filled in: all that is left. */
  amount: string | null
  answers: Record<string, string | number | boolean>
  reasonCode: string | null
  reason: string
}

interface Schema extends DBSchema {
  facts: { key: string; value: Session | Day | string }
  tasks: { key: number; value: KeptTask }
  ops: { key: number; value: Omit<WaitingOp, 'place'> & { place?: number } }
  files: { key: string; value: KeptFile }
  /** The bytes of files, apart from them, so that listing files is cheap. */
  pictures: { key: string; value: ArrayBuffer }
  refused: { key: number; value: Omit<Refused, 'id'> & { id?: number } }
  drafts: { key: number; value: Draft }
  positions: { key: number; value: Omit<KeptPosition, 'place'> & { place?: number } }
}

export type Database = IDBPDatabase<Schema>

let opened: Promise<Database> | undefined

/** The one connection of this tab. If the browser closes it, the next use opens another. */
export function database(): Promise<Database> {
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

export const currentSession = async () => (await (await database()).get('facts', 'session')) as Session | undefined

const all = ['facts', 'tasks', 'ops', 'files', 'pictures', 'refused', 'drafts', 'positions'] as const

/**
 * Does all or nothing, and says so only when it is on the disk: without `strict` a phone that dies a second later would
 * have forgotten it.
 */
export async function change<Result>(run: (stores: Stores) => Promise<Result>): Promise<Result> {
  const transaction = (await database()).transaction(all, 'readwrite', { durability: 'strict' })
  // Awaited below; a failed request rejects it, too, and the error of that is the one to throw.
  transaction.done.catch(() => {})
  try {
    const result = await run(storesOf(transaction))
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
}

type Transaction = ReturnType<typeof transactionOf>
// Only for its type: TypeScript cannot say it otherwise.
const transactionOf = (db: Database) => db.transaction(all, 'readwrite')

const storesOf = (transaction: Transaction) => ({
  facts: transaction.objectStore('facts'),
  tasks: transaction.objectStore('tasks'),
  ops: transaction.objectStore('ops'),
  files: transaction.objectStore('files'),
  pictures: transaction.objectStore('pictures'),
  refused: transaction.objectStore('refused'),
  drafts: transaction.objectStore('drafts'),
  positions: transaction.objectStore('positions'),
})
export type Stores = ReturnType<typeof storesOf>

/** The browser, or the phone, has no room left. */
export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

/** Makes room: pictures the server already has are only for looking at. */
export const forgetSentPictures = () =>
  change(async ({ files, pictures }) => {
    for (const { fileId, sentAt } of await files.getAll()) if (sentAt) await pictures.delete(fileId)
  })
