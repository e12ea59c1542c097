import type { OpInput } from '../contract/op.ts'
import type { PhoneTask } from '../contract/sync.ts'
import {
  type DriverMove,
  forbids,
  isDone,
  missingToComplete,
  missingToFail,
  moveOf,
  type NoteOp,
  noteTypeOf,
  obstacleTo,
} from '../core/driver/rules.ts'
import { type Answered, addAnswers, type FormField, type GivenAnswer, readAnswers, writeAnswers } from '../core/form.ts'
import { decimalsToPay, hasTooManyDecimals, refusePayment, subtractAmount } from '../core/money.ts'
import type { Settings } from '../core/settings.ts'
import { decideMove, type MoveName, statuses } from '../core/task-status.ts'
import { begunAfter, lastBegun } from './begun.ts'
import type { Begun } from './kept.ts'
import { taskOf } from './op.ts'
import { scanAhead, type WaitingScan } from './scans.ts'
import { stopOf } from './stop.ts'

/*
 * What the driver did shows at once, long before the server has heard of it. It is laid over the task and never written
 * into it: when the server has answered, the op goes and the task is what the server says.
 */

interface Rules {
  settings: Settings
  fieldsOf: (task: PhoneTask) => readonly FormField[]
  reasons: readonly { code: string; photoRequired: boolean; noteRequired: boolean }[]
  driver: { id: number; name: string }
  timezone: string
}

/** A task, and what the driver can take back on it. */
interface Ahead {
  task: PhoneTask
  begun: readonly Begun[]
}

interface LookedAhead {
  tasks: Ahead[]
  /** What was scanned while loading. */
  scans: WaitingScan[]
}

/** The tasks as they are once all this has been sent. */
export function lookAhead(tasks: readonly Ahead[], ops: readonly OpInput[], rules: Rules): LookedAhead {
  const scans: WaitingScan[] = []
  const ahead = new Map(tasks.map((one) => [one.task.id, one]))
  // A task waits for another only until that one is completed here.
  const current = ({ task, begun }: Ahead): Ahead => ({
    task: {
      ...task,
      dependencies: task.dependencies.map((one) => ({
        ...one,
        statusId: ahead.get(one.taskId)?.task.statusId ?? one.statusId,
      })),
    },
    begun,
  })
  const scan = (op: Extract<OpInput, { type: 'load' }>) => {
    const where = { driverId: rules.driver.id, timezone: rules.timezone }
    const scanned = scanAhead(
      [...ahead.values()].map(({ task }) => task),
      op,
      where,
    )
    scans.push(scanned.scan)
    const { task } = scanned
    const begun = task && ahead.get(task.id)?.begun
    if (task && begun) ahead.set(task.id, { task, begun: begunAfter(begun, op, true) })
  }
  for (const op of ops) {
    if (op.type === 'load') {
      scan(op)
      continue
    }
    const taskId = taskOf(op)
    const found = taskId === undefined ? undefined : ahead.get(taskId)
    if (!found) continue
    const before = current(found)
    // What the server will refuse changes nothing here, and the server says why.
    const task = refusalOf(before, op, rules) ? before.task : applyOp(before.task, op, rules)
    ahead.set(task.id, { task, begun: begunAfter(before.begun, op, task !== before.task) })
  }
  return { tasks: [...ahead.values()].map(current), scans }
}

/** Why the server will refuse it, as far as the phone knows. */
export function refusalOf({ task, begun }: Ahead, op: OpInput, rules: Rules): string | undefined {
  const { settings, driver } = rules
  const stop = stopOf(task)
  const fields = rules.fieldsOf(task)
  const refuseMove = (move: DriverMove) => (isDone(move, stop) ? undefined : obstacleTo(move, stop, settings)?.code)
  switch (op.type) {
    case 'accept':
    case 'start':
    case 'arrive':
      return refuseMove(op.type)
    case 'complete':
      return refuseMove('complete') ?? missingToComplete(stop, { settings, fields })[0]?.code
    case 'fail': {
      const reason = rules.reasons.find(({ code }) => code === op.reasonCode)
      const failing = { driverId: driver.id, reason, words: op.reason ?? null }
      return refuseMove('fail') ?? missingToFail(stop, failing, { fields })[0]?.code
    }
    case 'takeBack': {
      const isBack = begun.some(({ opId, isBack }) => opId === op.of && isBack)
      return isBack || lastBegun(begun)?.opId === op.of ? undefined : 'TOO_LATE'
    }
    case 'payment':
      if (forbids('payment', settings)) return 'FORBIDDEN_BY_SETTING'
      if (hasTooManyDecimals(op.amount, decimalsToPay([stop.leftToBePaid], settings.moneyDecimals ?? 0)))
        return 'VALIDATION_FAILED'
      return refusePayment(op.amount, stop.leftToBePaid, settings.allowPartialPayments)
    case 'note':
    case 'photo':
    case 'signature':
    case 'scan':
      return forbids(op.type, settings) && 'FORBIDDEN_BY_SETTING'
    default:
      return undefined
  }
}

function applyOp(task: PhoneTask, op: OpInput, rules: Rules): PhoneTask {
  const at = op.occurredAt
  const { settings } = rules
  const stop = stopOf(task)
  switch (op.type) {
    case 'accept': {
      const accepted = task.acceptedAt ? task : { ...task, acceptedAt: at }
      return moveOf('accept', stop, settings) === 'start' ? move(accepted, 'start', { startedAt: at }) : accepted
    }
    case 'start':
      return isDone('start', stop) ? task : move(task, 'start', { startedAt: at })
    case 'arrive':
      if (isDone('arrive', stop)) return task
      return move(task, 'arrive', { arrivalTime: at, driverArrived: true, etaAt: null })
    case 'complete':
      return move(task, moveOf('complete', stop, settings), { completedAt: at })
    case 'fail':
      return move(task, 'fail', { completedAt: at, cancelReason: op.reason ?? task.cancelReason })
    case 'takeBack':
      if (task.arrivalTime) return move(task, 'takeBackArrive', { arrivalTime: null, driverArrived: false })
      return move(task, 'takeBackStart', { startedAt: null, driverArrived: false })
    case 'note':
    case 'photo':
    case 'signature':
    case 'scan':
      return { ...task, notes: [...task.notes, noteOf(task, op, rules)] }
    case 'payment':
      return { ...task, leftToBePaid: subtractAmount(task.leftToBePaid ?? 0, op.amount) }
    case 'form':
      return { ...task, mobileTaskForm: answered(task, op.answers, rules) }
    default:
      return task
  }
}

function move(task: PhoneTask, name: MoveName, also: Partial<PhoneTask>): PhoneTask {
  const decided = decideMove(name, task.statusId)
  if (typeof decided === 'string' || decided.to === 'gone') return task
  const statusId = decided.to === 'same' ? task.statusId : decided.to
  return { ...task, ...also, statusId, status: { id: statusId, name: statuses[statusId].name } }
}

type Noted = Extract<OpInput, { type: NoteOp }>
const wordsOf = (op: Noted) => (op.type === 'scan' ? op.code : op.type === 'signature' ? op.name : op.note) ?? null

function noteOf(task: PhoneTask, op: Noted, { driver }: Rules): PhoneTask['notes'][number] {
  const times = { createdAt: op.occurredAt, updatedAt: op.occurredAt }
  const by = { userId: driver.id, user: { ...driver, avatar: null }, byDriver: true, seenAt: null }
  // Its number is not known yet; a negative one is never the server's.
  return {
    id: -1 - task.notes.length,
    taskId: task.id,
    note: wordsOf(op),
    image: null,
    type: noteTypeOf[op.type],
    ...times,
    ...by,
  }
}

function answered(task: PhoneTask, given: readonly GivenAnswer[], { fieldsOf }: Rules): string | null {
  const before: Answered[] = readAnswers(task.mobileTaskForm)
  return writeAnswers(addAnswers(fieldsOf(task), before, given))
}
