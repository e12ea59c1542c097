import { createHash } from 'node:crypto'
import { type ErrorDetail, Refusal } from '../../../contract/errors.ts'
import { refusalOf } from '../../../contract/read/refusal.ts'
import type { HappenedInput, OpInput, OpType } from '../../../contract/sync.ts'
import { clockOffsetMs } from '../../../core/device-clock.ts'
import type { GivenAnswer } from '../../../core/form.ts'
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

/** What is missing in the schema: what each type cannot do without. */
const required: Record<OpType, readonly (keyof OpInput)[]> = {
  accept: ['taskId'],
  start: ['taskId'],
  arrive: ['taskId'],
  complete: ['taskId'],
  fail: ['taskId'],
  note: ['taskId', 'note'],
  photo: ['taskId', 'fileId'],
  signature: ['taskId', 'fileId'],
  scan: ['taskId', 'code'],
  payment: ['taskId', 'amount', 'method'],
  form: ['taskId', 'answers'],
  duty: ['inShift'],
  seen: [],
  takeBack: ['of'],
}

function actionOf(input: OpInput): Action {
  const {
    type,
    taskId,
    reasonCode = null,
    reason = null,
    note,
    fileId,
    name = null,
    code,
    amount,
    method,
    answers,
    inShift,
    of,
  } = input
  const task = { taskId: taskId as number }
  switch (type) {
    case 'fail':
      return { type, ...task, reasonCode, reason }
    case 'note':
      return { type, ...task, note: note as string }
    case 'photo':
      return { type, ...task, fileId: fileId as string, note: note ?? null }
    case 'signature':
      return { type, ...task, fileId: fileId as string, name }
    case 'scan':
      return { type, ...task, code: code as string }
    case 'payment':
      return { type, ...task, amount: amount as number, method: method as 'cash' | 'card' }
    case 'form':
      return { type, ...task, answers: answers as GivenAnswer[] }
    case 'duty':
      return { type, inShift: inShift as boolean }
    case 'seen':
      return { type, taskId: taskId ?? null }
    case 'takeBack':
      return { type, taskId: taskId ?? null, of: of as string }
    default:
      return { type, ...task }
  }
}

/** An op as a phone sends it. */
export function readOp(input: OpInput, offsetMs: number, timezone: string): Op {
  const problems = required[input.type]
    .filter((field) => input[field] === undefined)
    .map((field): ErrorDetail => ({ field, code: 'VALIDATION_FAILED', message: `${field} is required` }))
  if (problems.length > 0) throw refusalOf(problems)
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
