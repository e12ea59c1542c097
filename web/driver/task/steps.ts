import type { Reason } from '../../../contract/reason.ts'
import type { PhoneTask } from '../../../contract/sync.ts'
import { type ReadPayment, readPayment } from '../../../core/driver/payment.ts'
import {
  forbids,
  hasNote,
  missingToComplete,
  missingToFail,
  type NoteOp,
  noteTypeOf,
  type Obstacle,
  obstacleTo,
  type Stop,
} from '../../../core/driver/rules.ts'
import {
  type Answered,
  addAnswers,
  type FormField,
  findProblems,
  formOf,
  type Moment,
  missingAnswers,
  readAnswers,
} from '../../../core/form.ts'
import { subtractAmount } from '../../../core/money.ts'
import { compareScan } from '../../../core/scan.ts'
import type { Day, Draft } from '../../../phone/kept.ts'
import { stopOf } from '../../../phone/stop.ts'

/*
 * What a task needs at the door, in the order it is done there, by the rules of `core/driver`. What is filled in but not
 * sent yet counts as done; what is filled in and cannot be sent is missing, too.
 */

export type StepName = 'scan' | 'photo' | 'signature' | 'payment' | 'form'

export interface Step {
  name: StepName
  isDone: boolean
  /** The task cannot be completed without it. */
  isRequired: boolean
  /** How many photos, or answers still to give. */
  count: number
}

type Rules = Pick<Day, 'settings' | 'forms'>

export const emptyDraft = (taskId: number): Draft => ({
  taskId,
  strokes: [],
  signedBy: null,
  method: null,
  amount: null,
  answers: {},
  reasonCode: null,
  reason: '',
})

export const notesOf = ({ notes }: PhoneTask, kind: NoteOp) => notes.filter(({ type }) => type === noteTypeOf[kind])

export const fieldsAt = (task: PhoneTask, { forms }: Pick<Rules, 'forms'>, moment: Moment): FormField[] =>
  (formOf(task, forms)?.fields ?? []).filter(({ at }) => at === moment)

/** The answers already sent, with those of the draft over them. */
export const answersWith = (
  task: PhoneTask,
  { answers }: Pick<Draft, 'answers'>,
  fields: readonly FormField[],
): Answered[] =>
  addAnswers(
    fields,
    readAnswers(task.mobileTaskForm),
    Object.entries(answers).map(([field_key, answer]) => ({ field_key, answer })),
  )

/** What must be answered and is not, and what was typed and is no answer: a word where a number is asked. */
export const unanswered = (task: PhoneTask, rules: Pick<Rules, 'forms'>, draft: Draft, moment: Moment) => {
  const fields = fieldsAt(task, rules, moment)
  const missing = missingAnswers(fields, answersWith(task, draft, fields), moment)
  return fields.filter((field) => missing.includes(field) || isUnreadable(field, draft))
}

export function isUnreadable(field: FormField, { answers }: Pick<Draft, 'answers'>): boolean {
  const answer = answers[field.field_key]
  if (answer === undefined || answer === '') return false
  return findProblems([field], [{ field_key: field.field_key, answer }]).length > 0
}

/** What the driver filled in about money, as far as it is money. */
export const paymentIn = (task: PhoneTask, { settings }: Pick<Rules, 'settings'>, draft: Draft): ReadPayment =>
  forbids('payment', settings) ? { kind: 'nothing' } : readPayment(draft, task.leftToBePaid ?? 0, settings)

/** A name that was written under no signature. */
export const isUnsigned = (task: PhoneTask, { strokes, signedBy }: Draft): boolean =>
  strokes.length === 0 && !hasNote(task, 'signature') && (signedBy ?? '').trim() !== ''

/** The task as it will be once what is filled in is sent with it. */
function stopWith(task: PhoneTask, rules: Rules, draft: Draft, driverId: number, moment: Moment): Stop {
  const stop = stopOf(task)
  const payment = moment === 'complete' ? paymentIn(task, rules, draft) : undefined
  const signature = { type: noteTypeOf.signature, userId: driverId }
  return {
    ...stop,
    leftToBePaid: subtractAmount(stop.leftToBePaid, payment?.kind === 'paid' ? payment.amount : 0),
    notes: draft.strokes.length > 0 ? [...stop.notes, signature] : stop.notes,
    answers: answersWith(task, draft, formOf(task, rules.forms)?.fields ?? []),
  }
}

/** Why the driver cannot complete or fail the task at all now, whatever is filled in. */
export const obstacleToEnd = (task: PhoneTask, { settings }: Pick<Rules, 'settings'>, moment: Moment) =>
  obstacleTo(moment, stopOf(task), settings)

export function stepsOf(task: PhoneTask, rules: Rules, draft: Draft): Step[] {
  const { settings } = rules
  const missing = missingToComplete(stopWith(task, rules, draft, 0, 'complete'), {
    settings,
    fields: fieldsAt(task, rules, 'complete'),
  })
  const lacks = (code: Obstacle['code']) => missing.some((one) => one.code === code)
  const photos = notesOf(task, 'photo').length
  const isScanned = notesOf(task, 'scan').some(({ note }) => note !== null && compareScan(task, note).matches)
  const payment = paymentIn(task, rules, draft)
  const wasToPay = task.collectPayment && (task.totalPrice ?? 0) > 0
  const isPaid = payment.kind === 'paid' || ((task.leftToBePaid ?? 0) <= 0 && payment.kind === 'nothing')
  const questions = unanswered(task, rules, draft, 'complete').length
  const steps: (Step | false)[] = [
    !forbids('scan', settings) && { name: 'scan', isDone: isScanned, isRequired: false, count: 0 },
    !forbids('photo', settings) && { name: 'photo', isDone: photos > 0, isRequired: false, count: photos },
    !forbids('signature', settings) && {
      name: 'signature',
      isDone: hasNote(task, 'signature') || draft.strokes.length > 0,
      isRequired: lacks('SIGNATURE_REQUIRED') || settings.makeSignaturesMandatory || isUnsigned(task, draft),
      count: 0,
    },
    !forbids('payment', settings) &&
      (wasToPay || payment.kind === 'problem') && {
        name: 'payment',
        isDone: isPaid,
        isRequired: lacks('PAYMENT_REQUIRED') || payment.kind === 'problem',
        count: 0,
      },
    fieldsAt(task, rules, 'complete').length > 0 && {
      name: 'form',
      isDone: questions === 0,
      isRequired: questions > 0,
      count: questions,
    },
  ]
  return steps.filter((step) => step !== false)
}

/** There is money to collect, and the driver says nothing about it: asked once more, because it may have been forgotten. */
export const collectsNothing = (task: PhoneTask, rules: Pick<Rules, 'settings'>, draft: Draft): boolean =>
  !forbids('payment', rules.settings) &&
  (task.leftToBePaid ?? 0) > 0 &&
  paymentIn(task, rules, draft).kind === 'nothing'

export const isMissing = ({ isDone, isRequired }: Step) => isRequired && !isDone

/** The reasons a driver can fail this task with: not one that wants a photo where none may be taken. */
export const reasonsFor = (
  task: PhoneTask,
  { reasons, settings }: Pick<Day, 'reasons' | 'settings'>,
  driverId: number,
) =>
  reasons.filter(
    ({ photoRequired }) => !photoRequired || !forbids('photo', settings) || hasNote(task, 'photo', driverId),
  )

/** What a failure still needs. Where no reason of the organisation fits, the driver says it in words. */
export function missingForFailure(
  task: PhoneTask,
  rules: Rules,
  draft: Draft,
  { reason, driverId }: { reason: Reason | undefined; driverId: number },
): ('reason' | 'photo' | 'note' | 'form')[] {
  const words = draft.reason.trim()
  const fields = fieldsAt(task, rules, 'fail')
  const stop = stopWith(task, rules, draft, driverId, 'fail')
  const missing = missingToFail(stop, { driverId, reason, words }, { fields }).map(({ code }) => code)
  return [
    ...(draft.reasonCode === null ? (['reason'] as const) : []),
    ...(missing.includes('PHOTO_REQUIRED') ? (['photo'] as const) : []),
    ...(missing.includes('NOTE_REQUIRED') || (draft.reasonCode === '' && !words) ? (['note'] as const) : []),
    ...(unanswered(task, rules, draft, 'fail').length > 0 ? (['form'] as const) : []),
  ]
}
