/*
 * What must come of it when drivers and the office do things to tasks: a plain model that knows nothing of phones,
 * networks and databases. Time is the number of a step.
 */

import { toleratedMs } from '../../core/device-clock.ts'

const evidence = ['note', 'photo', 'signature', 'scan', 'form'] as const
export type Type =
  | ('accept' | 'start' | 'arrive' | 'complete' | 'fail' | 'payment' | 'takeBack' | 'duty')
  | (typeof evidence)[number]

interface ModelTask {
  /** Of a deleted one: 0. */
  status: number
  driver: number | null
  isAccepted: boolean
  isStarted: boolean
  hasArrived: boolean
  endedBy: number | null
  notes: string[]
  /** What stands in its form: of two answers the later one to arrive. */
  answer: string | null
  /** What every driver was paid, in this order. */
  payments: string[]
  /** How many lines the timeline has. */
  lines: number
  /** The ops behind them, and which they took back; null is what was done otherwise. */
  log: { opId: string | null; takesBack: string | null }[]
  /** Who had it, from which step until which. */
  terms: { driver: number; from: number; until: number }[]
  /** Who changed it, in which step; null is the office. */
  changes: { by: number | null; step: number }[]
  endedAt: number | null
}

export interface ModelOp {
  opId: string
  type: Type
  task: number
  text: string
  amount: number
  /** Of takeBack: a start or arrival of the same phone. */
  of: string
  /** Of duty. */
  inShift: boolean
  /** When it was done: a step of the history, and a time. */
  step: number
  at: number
}

interface ModelConflict {
  driver: number
  op: ModelOp
  /** What the office decided; undefined as long as it has not. */
  applied: boolean | undefined
}

export interface Model {
  tasks: ModelTask[]
  conflicts: ModelConflict[]
  /** What was answered to each op, by its name. */
  answers: Map<string, string>
  /** The pictures whose bytes have arrived. */
  pictures: Set<string>
  /** By driver, since when they are on duty; null if they are not, undefined is what it was in the beginning. */
  onDutySince: (number | null | undefined)[]
  allowsNotes: boolean
  /** The step of the last change of the settings. */
  settingsStep: number
}

/** What every task costs. Parts may be paid, or nobody could complete one without paying. */
export const price = 300.3
/** The office may apply a payment that is more than that. */
export const leftOf = ({ payments }: ModelTask) =>
  Math.max(0, 30_030 - payments.reduce((sum, text) => sum + Math.round(Number.parseFloat(text) * 100), 0)) / 100

const nobody = { driver: null, isAccepted: false, isStarted: false, hasArrived: false }
const [gone, unassigned, assigned, inTransit, succeeded, failed] = [0, 1, 6, 7, 9, 10]
const isOpen = ({ status }: ModelTask) => status === assigned || status === inTransit
const isEnded = ({ status }: ModelTask) => status >= succeeded

export const createModel = (owners: number[]): Model => ({
  tasks: owners.map((driver) => ({
    ...nobody,
    status: assigned,
    driver,
    endedBy: null,
    notes: [],
    answer: null,
    payments: [],
    lines: 2,
    log: [],
    terms: [{ driver, from: 0, until: Number.POSITIVE_INFINITY }],
    changes: [{ by: null, step: 0 }],
    endedAt: null,
  })),
  conflicts: [],
  answers: new Map(),
  pictures: new Set(),
  onDutySince: [],
  allowsNotes: true,
  settingsStep: 0,
})

const taskOf = ({ tasks }: Model, number: number) => tasks[number] as ModelTask

function log(task: ModelTask, by: number | null, step: number, lines: number, op?: ModelOp) {
  task.changes.push({ by, step })
  task.lines += lines
  task.log.push({ opId: op?.opId ?? null, takesBack: op?.type === 'takeBack' ? op.of : null })
}

function lose(task: ModelTask, step: number) {
  const term = task.terms.findLast(({ driver }) => driver === task.driver)
  if (term) term.until = Math.min(term.until, step)
  Object.assign(task, nobody)
}

// ------------------------------------------------------------------------------------------------------ the drivers

/** What the server must answer, however often it is asked: what it answered first. */
export const answerTo = (model: Model, driver: number, op: ModelOp, step: number) =>
  model.answers.getOrInsertComputed(op.opId, () => apply(model, driver, op, step))

function apply(model: Model, driver: number, told: ModelOp, step: number): string {
  if (told.type === 'duty') {
    const since = model.onDutySince[driver] ?? null
    // The end of a duty before, by more than clocks may differ.
    const isOld = since !== null && told.at < since - toleratedMs
    model.onDutySince[driver] = told.inShift ? (since ?? told.at) : isOld ? since : null
    return 'done'
  }
  const task = taskOf(model, told.task)
  // Nothing was done before the task was first theirs.
  const from = task.terms.find((term) => term.driver === driver)?.from ?? 0
  const op = { ...told, step: Math.max(told.step, from) }
  const keep = (code: string) => {
    model.conflicts.push({ driver, op, applied: undefined })
    if (task.status !== gone) log(task, driver, step, 1, op)
    return `${code} conflict`
  }
  if (op.type === 'takeBack') return takeBack(model, task, driver, op, step)
  const isEvidence = (evidence as readonly string[]).includes(op.type)
  if (task.driver !== driver) {
    const terms = task.terms.filter((term) => term.driver === driver)
    if (terms.length === 0) return 'TASK_NOT_FOUND'
    const wasTheirs = terms.some(({ until }) => op.step < until)
    if (!isEvidence || !wasTheirs || task.status === gone) {
      if (isEvidence || ['complete', 'fail', 'payment'].includes(op.type)) return keep('TASK_NOT_FOUND')
      if (task.status !== gone) log(task, driver, step, 1, op)
      return 'TASK_NOT_FOUND'
    }
  }
  const result = isEvidence ? bring(model, task, driver, op, step) : move(task, driver, op, step)
  if (result === 'done' || result === 'WRONG_PARCEL') return result
  // Refused, because of what others did or decided after it was done.
  const isExcused = task.changes.some((change) => change.by !== driver && change.step > op.step)
  return isExcused || model.settingsStep > op.step ? keep(result) : result
}

/** What was allowed when it was done is kept. */
function bring(model: Model, task: ModelTask, driver: number, op: ModelOp, step: number): string {
  if (op.type === 'note' && !model.allowsNotes && model.settingsStep <= op.step) return 'FORBIDDEN_BY_SETTING'
  addTo(task, op)
  log(task, driver, step, 1, op)
  return op.type === 'scan' ? 'WRONG_PARCEL' : 'done'
}

function addTo(task: ModelTask, op: ModelOp) {
  if (op.type === 'form') task.answer = op.text
  else task.notes.push(op.text)
}

/** As long as nothing else happened to the task; what was itself taken back did not. */
function takeBack(model: Model, task: ModelTask, driver: number, op: ModelOp, step: number): string {
  if (model.answers.get(op.of) !== 'done') return 'done'
  const later = task.log.slice(task.log.findIndex(({ opId }) => opId === op.of) + 1)
  const back = later.map(({ takesBack }) => takesBack)
  if (task.driver === driver && back.includes(op.of)) return 'done'
  const isLast = later.every(({ opId, takesBack }) => takesBack !== null || (opId !== null && back.includes(opId)))
  const hasChanged = task.log.some(({ opId }) => opId === op.of)
  if (task.driver !== driver || !hasChanged || !isLast) return 'TOO_LATE'
  Object.assign(task, task.hasArrived ? { hasArrived: false } : { status: assigned, isStarted: false })
  log(task, driver, step, 1, op)
  return 'done'
}

function move(task: ModelTask, driver: number, op: ModelOp, step: number): string {
  const changed = (set: Partial<ModelTask>) => {
    Object.assign(task, set)
    log(task, driver, step, 1, op)
    return 'done'
  }
  const end = (status: number) => changed({ status, endedBy: driver, endedAt: op.at })
  switch (op.type) {
    case 'accept':
      if (task.isAccepted) return 'done'
      return isEnded(task) ? 'TASK_ALREADY_PROCESSED' : changed({ isAccepted: true })
    case 'start':
      if (task.isStarted) return 'done'
      return isEnded(task) ? 'TASK_ALREADY_PROCESSED' : changed({ status: inTransit, isStarted: true })
    case 'arrive':
      if (task.hasArrived) return 'done'
      if (isEnded(task)) return 'TASK_ALREADY_PROCESSED'
      return task.status === inTransit ? changed({ hasArrived: true }) : 'TASK_NOT_STARTED'
    case 'complete':
      if (task.status === succeeded && task.endedBy === driver) return 'done'
      if (isEnded(task)) return 'TASK_ALREADY_PROCESSED'
      return task.status === inTransit ? end(succeeded) : 'TASK_NOT_STARTED'
    case 'fail':
      if (task.status === failed && task.endedBy === driver) return 'done'
      return isEnded(task) ? 'TASK_ALREADY_PROCESSED' : end(failed)
    default:
      if (op.amount > leftOf(task)) return 'PAYMENT_TOO_MUCH'
      return changed({ payments: [...task.payments, `${op.amount} to ${driver}`] })
  }
}

/** The bytes of a picture have arrived. That is news of the task its op was kept with; the same bytes again are none. */
export function receivePicture(model: Model, driver: number, op: ModelOp, step: number) {
  if (model.pictures.has(op.opId)) return
  model.pictures.add(op.opId)
  const answer = model.answers.get(op.opId)
  const task = taskOf(model, op.task)
  if (task.status !== gone && (answer === 'done' || answer?.endsWith('conflict'))) log(task, driver, step, 1)
}

// ------------------------------------------------------------------------------------------------------ the office

export function give(model: Model, number: number, driver: number, step: number) {
  const task = taskOf(model, number)
  if ((task.status !== unassigned && task.status !== assigned) || task.driver === driver) return
  log(task, null, step, task.driver === null ? 2 : 3)
  giveTo(task, driver, step)
}

function giveTo(task: ModelTask, driver: number, step: number) {
  lose(task, step)
  Object.assign(task, { driver, status: assigned })
  task.terms.push({ driver, from: step, until: Number.POSITIVE_INFINITY })
}

export function take(model: Model, number: number, step: number) {
  const task = taskOf(model, number)
  if (!isOpen(task)) return
  lose(task, step)
  task.status = unassigned
  log(task, null, step, 2)
}

export function end(model: Model, number: number, success: boolean, step: number) {
  const task = taskOf(model, number)
  if (!isOpen(task)) return
  Object.assign(task, { status: success ? succeeded : failed, endedBy: null, endedAt: null })
  log(task, null, step, 1)
}

export function remove(model: Model, number: number, step: number) {
  const task = taskOf(model, number)
  if (task.status !== unassigned && task.status !== assigned) return
  lose(task, step)
  task.status = gone
}

/** Whether drivers may write notes; to set what is set already is no change. */
export function allowNotes(model: Model, allows: boolean, step: number) {
  if (model.allowsNotes === allows) return
  Object.assign(model, { allowsNotes: allows, settingsStep: step })
}

/** The office decides. An open task goes back to the driver and becomes what they did, as of then. Answers whether it can. */
export function settle(model: Model, conflict: ModelConflict, applied: boolean, step: number): boolean {
  const { op, driver } = conflict
  const task = taskOf(model, op.task)
  if (applied && task.status === gone) return false
  conflict.applied = applied
  if (task.status === gone) return true
  if (applied) applyLate(task, driver, op, step)
  log(task, null, step, 1)
  return true
}

function applyLate(task: ModelTask, driver: number, op: ModelOp, step: number) {
  if ((evidence as readonly string[]).includes(op.type)) {
    addTo(task, op)
    log(task, null, step, 1)
    return
  }
  if (!isEnded(task)) {
    const isStarted = task.driver === driver && task.status === inTransit
    if (task.driver !== driver) {
      // From a driver who is on the way with it: first from them, then to the other.
      log(task, null, step, task.status === inTransit ? 4 : task.status === unassigned ? 2 : 3)
      giveTo(task, driver, step)
    }
    const become = (set: Partial<ModelTask>) => {
      Object.assign(task, set)
      log(task, null, step, 1)
    }
    if ((op.type === 'start' || op.type === 'arrive') && !isStarted) become({ status: inTransit, isStarted: true })
    if (op.type === 'arrive') become({ hasArrived: true })
    if (op.type === 'complete' || op.type === 'fail')
      become({ status: op.type === 'complete' ? succeeded : failed, endedBy: null, endedAt: op.at })
  }
  if (op.type !== 'payment') return
  task.payments.push(`${op.amount} to ${driver}`)
  log(task, null, step, 1)
}
