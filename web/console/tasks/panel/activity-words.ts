import type { TriggerName } from '../../../../core/triggers.ts'
import type { Word } from '../../../words/console.ts'
import type { Activity, Remark } from './activity.ts'

export const scanWordOf = ({ matches, field }: NonNullable<Remark['scan']>): Word =>
  matches ? (field === undefined ? 'scannedRight' : 'scannedField') : 'scannedWrong'

/** Changes with a word of their own, if nothing else changed with them. */
const wordOfField: Record<string, Word> = { feedbacks: 'TASK_RATED', mobileTaskForm: 'TASK_FORM_FILLED' }

const events = [
  'TASK_CREATED',
  'TASK_UPDATED',
  'TASK_ASSIGNED',
  'TASK_UNASSIGNED',
  'TASK_START',
  'TASK_COMPLETE',
  'TASK_FAILED',
  'TASK_DELETED',
  'TASK_GEOCODED',
] as const satisfies readonly TriggerName[]

/** What somebody did to a task, after their name. */
export function wordOf({ event, driver, remark, changes }: Activity, hasNote: boolean): Word {
  if (remark.erased) return 'TASK_DATA_ERASED'
  if (remark.payment) return remark.payment.amount > 0 ? 'TASK_PAID' : 'TASK_PAYMENT_CORRECTED'
  if (remark.message) return remark.message.state === 'sent' ? 'TASK_MESSAGE_SENT' : 'TASK_MESSAGE_NOT_SENT'
  if (remark.takenBack) return remark.takenBack.type === 'start' ? 'TASK_START_BACK' : 'TASK_ARRIVAL_BACK'
  if (event === 'TASK_UPDATED' && hasNote) return 'TASK_NOTED'
  if (event === 'TASK_UPDATED' && remark.picture) return 'TASK_PICTURE_ARRIVED'
  if (event === 'TASK_UPDATED' && remark.conflict) return 'TASK_CONFLICT'
  if (event === 'TASK_UPDATED' && remark.noted) return 'TASK_REPORTED_LATE'
  if (event === 'TASK_UPDATED' && remark.settled) return remark.settled.applied ? 'TASK_SETTLED' : 'TASK_KEPT'
  const [only, ...more] = changes
  if (event === 'TASK_UPDATED' && only && more.length === 0) return wordOfField[only.field] ?? event
  if (event === 'TASK_CREATED' && driver) return 'TASK_CREATED_FOR'
  return events.find((one) => one === event) ?? 'TASK_UPDATED'
}

/** Without the code or the amount, which the log of a task does not repeat. */
const reported: Partial<Record<string, Word>> = {
  accept: 'did_accept',
  start: 'did_start',
  arrive: 'did_arrive',
  complete: 'did_complete',
  fail: 'did_fail',
  note: 'did_note',
  photo: 'did_photo',
  signature: 'did_signature',
  form: 'did_form',
  scan: 'scannedCode',
  payment: 'tookPayment',
}

/** What a driver did according to a report that had no effect, or not at once. */
export function reportedWordOf({ conflict, noted, settled }: Remark): Word | undefined {
  const type = conflict?.type ?? noted ?? settled?.type
  return type === undefined ? undefined : (reported[type] ?? 'did_other')
}
