import { createHash } from 'node:crypto'
import { Refusal } from '../../../contract/errors.ts'
import type { HappenedInput, OpInput } from '../../../contract/op.ts'
import { clockOffsetMs } from '../../../core/device-clock.ts'
import type { GivenAnswer } from '../../../core/form.ts'
import type { ScanPlace } from '../../../core/loading.ts'
import { readTime } from '../../../core/time.ts'

/** One thing a driver did to a task. */
export type TaskAction =
  | { type: 'accept' | 'start' | 'arrive' | 'complete'; taskId: number }
  | { type: 'fail'; taskId: number; reasonCode: string | null; reason: string | null }
  | { type: 'note'; taskId: number; note: string }
  | { type: 'photo'; taskId: number; fileId: string; note: string | null }
  | { type: 'signature'; taskId: number; fileId: string; name: string | null }
  | { type: 'scan'; taskId: number; code: string }
  | { type: 'payment'; taskId: number; amount: number; method: 'cash' | 'card' }
  | { type: 'form'; taskId: number; answers: GivenAnswer[] }
  | { type: 'takeBack'; taskId: number; of: string; taken: TakenOp }
export type Action =
  | Exclude<TaskAction, { type: 'takeBack' }>
  | { type: 'takeBack'; taskId: number | null; of: string }
  | { type: 'load'; code: string; at: ScanPlace; day: string | null }
  | { type: 'duty'; inShift: boolean }
  | { type: 'seen'; taskId: number | null }

/** What is taken back, as it is remembered. */
export interface TakenOp {
  type: 'start' | 'arrive'
  /** The number of its event; null if it changed nothing. */
  sequence: number | null
  wasDone: boolean
}

/** What a driver did, when and where. */
export interface Op<Done extends Action | TaskAction = Action> {
  action: Done
  /** By the phone's clock; null is now. */
  occurredAt: Date | null
  /** How far that clock is ahead of ours. */
  offsetMs: number
  lat: number | null
  lng: number | null
  /** What is newer than this the phone did not have yet; the verbs do not say. */
  knownUntil?: Date | undefined
  /** How exact that place is. */
  accuracyMetres: number | null
  /** By what a repeat is known. The verbs have none. */
  name?: OpName
}

export interface OpName {
  opId: string
  digest: Buffer
}

/** Without what the type does not have: a phone may send more. */
function actionOf(op: OpInput): Action {
  switch (op.type) {
    case 'fail':
      return { type: op.type, taskId: op.taskId, reasonCode: op.reasonCode ?? null, reason: op.reason ?? null }
    case 'note':
      return { type: op.type, taskId: op.taskId, note: op.note }
    case 'photo':
      return { type: op.type, taskId: op.taskId, fileId: op.fileId, note: op.note ?? null }
    case 'signature':
      return { type: op.type, taskId: op.taskId, fileId: op.fileId, name: op.name ?? null }
    case 'scan':
      return { type: op.type, taskId: op.taskId, code: op.code }
    case 'payment':
      return { type: op.type, taskId: op.taskId, amount: op.amount, method: op.method }
    case 'form':
      return { type: op.type, taskId: op.taskId, answers: op.answers }
    case 'load':
      return { type: op.type, code: op.code, at: op.at ?? 'vehicle', day: null }
    case 'duty':
      return { type: op.type, inShift: op.inShift }
    case 'seen':
      return { type: op.type, taskId: op.taskId ?? null }
    case 'takeBack':
      return { type: op.type, taskId: op.taskId ?? null, of: op.of }
    default:
      return { type: op.type, taskId: op.taskId }
  }
}

/** An op as a phone sends it. */
export function readOp(input: OpInput, offsetMs: number, timezone: string): Op & { name: OpName } {
  return {
    action: actionOf(input),
    occurredAt: readOwnTime(input.occurredAt, 'occurredAt', timezone),
    offsetMs,
    lat: input.lat ?? null,
    lng: input.lng ?? null,
    accuracyMetres: input.accuracyMetres ?? null,
    name: { opId: input.opId, digest: digestOf(input) },
  }
}

/** The same for a verb: it has happened now, unless it says otherwise. */
export function opOf<Done extends Action>(action: Done, given: HappenedInput, now: Date, timezone: string): Op<Done> {
  const { occurredAt, deviceTime, lat = null, lng = null, accuracyMetres = null } = given
  return {
    action,
    occurredAt: occurredAt ? readOwnTime(occurredAt, 'occurredAt', timezone) : null,
    offsetMs: deviceTime ? clockOffsetMs(readOwnTime(deviceTime, 'deviceTime', timezone), now) : 0,
    lat,
    lng,
    accuracyMetres,
  }
}

export function readOwnTime(text: string, field: string, timezone: string): Date {
  const time = readTime(text, timezone)
  if (!time) throw new Refusal('INVALID_TIME', { field, message: `${field} must look like 2026-11-15T09:30:00Z` })
  return time
}

/** By names in order: what is added to the schema later must not make a repeat look like something else. */
const digestOf = (input: OpInput) =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1))))
    .digest()
