import type { Reason } from '../../../contract/reason.ts'
import type { PhoneTask } from '../../../contract/sync.ts'
import {
  type Answered,
  addAnswers,
  type FormField,
  formOf,
  type Moment,
  missingAnswers,
  readAnswers,
} from '../../../core/form.ts'
import { refusePayment } from '../../../core/money.ts'
import { compareScan } from '../../../core/scan.ts'
import { noteTypes } from '../outbox/ahead.ts'
import type { Day, Draft } from '../store/database.ts'

/*
 * What a task needs at the door, in the order it is done there, by the same rules as on the server. What is filled in
 * but not sent yet counts as done.
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
  ...{ taskId, strokes: [], signedBy: null, method: null, amount: '', answers: {}, reasonCode: null, reason: '' },
})

export const notesOf = ({ notes }: PhoneTask, kind: keyof typeof noteTypes) =>
  notes.filter(({ type }) => type === noteTypes[kind])

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

export const unanswered = (task: PhoneTask, rules: Pick<Rules, 'forms'>, draft: Draft, moment: Moment) => {
  const fields = fieldsAt(task, rules, moment)
  return missingAnswers(fields, answersWith(task, draft, fields), moment)
}

/** What the driver says was paid; undefined as long as it would be refused. */
export function paymentIn(task: PhoneTask, { settings }: Pick<Rules, 'settings'>, { method, amount }: Draft) {
  const left = task.leftToBePaid ?? 0
  if (!method || left <= 0) return undefined
  const paid = settings.allowPartialPayments && amount !== '' ? Number(amount) : left
  const fits = Number.isInteger(paid) && paid > 0 && !refusePayment(paid, left, settings.allowPartialPayments)
  return fits ? { amount: paid, method } : undefined
}

export function stepsOf(task: PhoneTask, rules: Rules, draft: Draft): Step[] {
  const { settings } = rules
  const photos = notesOf(task, 'photo').length
  const hasSigned = notesOf(task, 'signature').length > 0 || draft.strokes.length > 0
  const isScanned = notesOf(task, 'scan').some(({ note }) => note !== null && compareScan(task, note).matches)
  const wasToPay = task.collectPayment && (task.totalPrice ?? 0) > 0
  const left = task.leftToBePaid ?? 0
  const missing = unanswered(task, rules, draft, 'complete')
  const steps: (Step | false)[] = [
    settings.allowDriverToScanOnSite && { name: 'scan', isDone: isScanned, isRequired: false, count: 0 },
    settings.allowDriverToTakePicturesOnSite && { name: 'photo', isDone: photos > 0, isRequired: false, count: photos },
    (settings.allowDriverToTakeSignaturesOnSite || settings.makeSignaturesMandatory) && {
      ...{ name: 'signature', isDone: hasSigned, isRequired: settings.makeSignaturesMandatory, count: 0 },
    },
    settings.allowDriverToTakePaymentsOnSite &&
      wasToPay && {
        ...{ name: 'payment', isDone: left <= 0 || paymentIn(task, rules, draft) !== undefined },
        ...{ isRequired: !settings.allowPartialPayments, count: 0 },
      },
    fieldsAt(task, rules, 'complete').length > 0 && {
      ...{ name: 'form', isDone: missing.length === 0, isRequired: missing.length > 0, count: missing.length },
    },
  ]
  return steps.filter((step) => step !== false)
}

export const isMissing = ({ isDone, isRequired }: Step) => isRequired && !isDone

const hasOwn = (task: PhoneTask, kind: 'photo' | 'note', driverId: number) =>
  notesOf(task, kind).some(({ userId }) => userId === driverId)

/** The reasons a driver can fail this task with: not one that wants a photo where none may be taken. */
export const reasonsFor = (
  task: PhoneTask,
  { reasons, settings }: Pick<Day, 'reasons' | 'settings'>,
  driverId: number,
) =>
  reasons.filter(
    ({ photoRequired }) =>
      !photoRequired || settings.allowDriverToTakePicturesOnSite || hasOwn(task, 'photo', driverId),
  )

/** What a reason for failing still wants of the driver. */
export function missingForFailure(
  task: PhoneTask,
  rules: Pick<Rules, 'forms'>,
  draft: Draft,
  { reason, driverId }: { reason: Reason | undefined; driverId: number },
): ('reason' | 'photo' | 'note' | 'form')[] {
  const own = (kind: 'photo' | 'note') => hasOwn(task, kind, driverId)
  const hasWords = draft.reason.trim() !== ''
  const isOther = draft.reasonCode === ''
  return [
    ...(draft.reasonCode === null ? (['reason'] as const) : []),
    ...(reason?.photoRequired && !own('photo') ? (['photo'] as const) : []),
    ...((isOther && !hasWords) || (reason?.noteRequired && !hasWords && !own('note')) ? (['note'] as const) : []),
    ...(unanswered(task, rules, draft, 'fail').length > 0 ? (['form'] as const) : []),
  ]
}
