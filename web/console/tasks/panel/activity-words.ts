import type { TriggerName } from '../../../../core/triggers.ts'
import type { Word } from '../../../words/console.ts'
import type { Activity, Change, Remark } from './activity.ts'

export const scanWordOf = ({ matches, field }: NonNullable<Remark['scan']>): Word =>
  matches ? (field === undefined ? 'scannedRight' : 'scannedField') : 'scannedWrong'

const loadWordOf = ({ at, result }: NonNullable<Remark['load']>): Word => {
  if (at === 'hub') return 'TASK_AT_HUB'
  return result === 'expected' ? 'TASK_LOADED' : 'TASK_SCANNED_ASTRAY'
}

/** Changes with a word of their own, if nothing else changed with them. */
const wordOfField: Record<string, Word> = {
  feedbacks: 'TASK_RATED',
  mobileTaskForm: 'TASK_FORM_FILLED',
  reattemptedAs: 'TASK_TRIED_AGAIN',
  returnedAs: 'TASK_RETURNED_PARCEL',
}

/** What changes with an arrival, a plan or the time, and that nobody edits. */
const wordsOfProgress: [field: string, word: (change: Change, activity: Activity) => Word][] = [
  ['arrivalTime', () => 'TASK_ARRIVED'],
  ['driverArrived', (_, { actor }) => (actor.type === 'DRIVER' ? 'TASK_ARRIVED' : 'TASK_DRIVER_THERE')],
  ['closedAt', ({ after }) => (after ? 'TASK_LEFT' : 'TASK_TO_DECIDE_AGAIN')],
  ['acceptedAt', () => 'TASK_ACCEPTED'],
  ['route', () => 'TASK_PLANNED'],
  ['taskDelayed', ({ after }) => (after ? 'TASK_LATE' : 'TASK_UPDATED')],
  ['taskWillBeDelayed', ({ after }) => (after ? 'TASK_MAY_BE_LATE' : 'TASK_IN_TIME_AGAIN')],
]

/** The word for an update of which all that changed is how the task progresses. */
function wordOfProgress(activity: Activity): Word | undefined {
  const { changes } = activity
  if (!changes.every(({ field }) => wordsOfProgress.some(([known]) => known === field))) return undefined
  for (const [field, word] of wordsOfProgress) {
    const change = changes.find((one) => one.field === field)
    if (change) return word(change, activity)
  }
  return undefined
}

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
export function wordOf(activity: Activity, hasNote: boolean): Word {
  const { event, actor, driver, remark, changes } = activity
  if (remark.erased) return 'TASK_DATA_ERASED'
  if (remark.load) return loadWordOf(remark.load)
  if (remark.payment) return remark.payment.amount > 0 ? 'TASK_PAID' : 'TASK_PAYMENT_CORRECTED'
  if (remark.message) return remark.message.state === 'sent' ? 'TASK_MESSAGE_SENT' : 'TASK_MESSAGE_NOT_SENT'
  if (remark.takenBack) return remark.takenBack.type === 'start' ? 'TASK_START_BACK' : 'TASK_ARRIVAL_BACK'
  if (remark.delegated) return 'TASK_GIVEN'
  if (remark.notDelegated) return 'TASK_NOT_GIVEN'
  if (remark.corrected) return event === 'TASK_COMPLETE' ? 'TASK_CORRECTED_DONE' : 'TASK_CORRECTED_FAILED'
  if (remark.notReturned) return 'TASK_NOT_RETURNED'
  if (remark.undelegated) return actor.type === 'PARTNER' ? 'TASK_GIVEN_BACK' : 'TASK_TAKEN_BACK'
  if (event === 'TASK_CREATED' && actor.type === 'PARTNER') return 'TASK_RECEIVED'
  if (event === 'TASK_UPDATED' && hasNote) return 'TASK_NOTED'
  if (event === 'TASK_UPDATED' && remark.picture) return 'TASK_PICTURE_ARRIVED'
  if (event === 'TASK_UPDATED' && remark.conflict) return 'TASK_CONFLICT'
  if (event === 'TASK_UPDATED' && remark.noted) return 'TASK_REPORTED_LATE'
  if (event === 'TASK_UPDATED' && remark.settled) return remark.settled.applied ? 'TASK_SETTLED' : 'TASK_KEPT'
  const [only, ...more] = changes
  if (event === 'TASK_UPDATED' && only && more.length === 0 && wordOfField[only.field])
    return wordOfField[only.field] as Word
  if (event === 'TASK_UPDATED') return wordOfProgress(activity) ?? event
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
