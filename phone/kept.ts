import type { OwnCash } from '../contract/cash.ts'
import type { Form } from '../contract/form.ts'
import type { LocationInput } from '../contract/location.ts'
import type { OpInput } from '../contract/op.ts'
import type { Reason } from '../contract/reason.ts'
import type { OpResult, OwnPayment, PhoneChanges, PhoneTask } from '../contract/sync.ts'
import type { Settings } from '../core/settings.ts'
import type { KnownLine } from '../core/way.ts'
import type { Foreign } from './scans.ts'

/*
 * Everything a phone keeps. What a driver did (`ops`, `files`, `pictures`) names its driver: it is sent only by a
 * device signed in as that driver. All the rest is a copy of what the server said, and can be fetched again.
 */

/** Who uses this phone. Without a token the server has ended the session, and what waits needs a new sign-in. */
export interface Session {
  driverId: number
  name: string
  token: string | null
  osmandUrl: string
  /** The session has ended because the office allows no sign-in. */
  isSuspended?: boolean
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
  /** The cash they have to hand in, as far as the server knows; none before the first sync that told it. */
  cash?: OwnCash | undefined
  /** What was scanned into the vehicle and does not belong there. */
  foreign?: Foreign[]
  /** When the office changed the order, until the driver has read that. */
  orderChangedAt?: string | null
  /** How far the clock of the phone is ahead of the server's. */
  aheadMs: number
  syncedAt: string
  /** The first answers are still arriving, so none of their tasks is new. */
  isFirst?: boolean
}

/** How the roads lead from stop to stop, as far as the server said. */
export interface KeptWay {
  /** Of which day: later another map may have been imported. */
  day: string
  lines: KnownLine[]
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

export const goesOnDuty = ({ op }: Pick<WaitingOp, 'op'>) => op.type === 'duty' && op.inShift

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
