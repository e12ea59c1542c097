import { readAnswers } from '../../../../core/form.ts'
import type { Task } from '../../../api/data.ts'
import type { Formats } from '../../../api/time.ts'
import type { Say, Word } from '../../../words/console.ts'
import type { Change } from './activity.ts'

type Tell = (value: unknown, to: { say: Say; formats: Formats }) => string

const plain: Tell = (value) => (value === null || value === undefined ? '' : String(value))
const moment: Tell = (value, { formats }) => (value ? formats.dateTime(String(value)) : '')
const money: Tell = (value, { formats }) => (typeof value === 'number' ? formats.money(value) : '')
const yesNo: Tell = (value, { say }) => say(value ? 'yes' : 'no')
const named: Tell = (value) => (value as { name: string } | null)?.name ?? ''
const minutes: Tell = (value, { formats }) => (typeof value === 'number' ? formats.duration(value * 60) : '')
const anyValue: Tell = (value) =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
const pairs: Tell = (value, to) =>
  (value as Task['customFields'] | null)?.map((field) => `${field.key}: ${anyValue(field.value, to)}`).join(', ') ?? ''
const awbs: Tell = (value) => (value as Task['dependencies'] | null)?.map(({ awb }) => awb).join(', ') ?? ''

const answers: Tell = (value, to) =>
  readAnswers(value as string | null)
    .map(({ field_key, answer }) => `${field_key}: ${typeof answer === 'boolean' ? yesNo(answer, to) : answer}`)
    .join(', ')
const stars: Tell = (value, { say }) =>
  (value as Task['feedbacks'] | null)?.map(({ rating }) => say('stars', { n: rating })).join(', ') ?? ''

/** The fields people care about, their labels, and how their values are shown. Others are not shown. */
const told: Record<string, [word: Word, tell: Tell]> = {
  awb: ['awb', plain],
  details: ['details', plain],
  customerNotes: ['customerNotes', plain],
  totalPrice: ['totalPrice', money],
  deliveryPrice: ['deliveryPrice', money],
  collectPayment: ['collectPayment', yesNo],
  paymentType: ['paymentType', named],
  quantity: ['quantity', plain],
  priority: ['priority', plain],
  serviceTime: ['serviceTime', minutes],
  completeAfter: ['completeAfter', moment],
  completeBefore: ['completeBefore', moment],
  pickupTask: ['pickupTask', yesNo],
  sendNotifications: ['sendNotifications', yesNo],
  user: ['driver', named],
  team: ['team', named],
  customer: ['customer', named],
  'customer.name': ['customerName', plain],
  'customer.phone': ['customerPhone', plain],
  'customer.email': ['customerEmail', plain],
  'address.address': ['address', plain],
  'address.addressSecondLine': ['addressSecondLine', plain],
  'address.city': ['city', plain],
  'address.area': ['area', plain],
  'address.country': ['country', plain],
  'address.postalCode': ['postalCode', plain],
  'address.streetName': ['streetName', plain],
  'address.streetNumber': ['streetNumber', plain],
  'address.precision': ['precision', (value, { say }) => say(precisionWords[String(value)] ?? 'precisionNone')],
  customFields: ['customFields', pairs],
  dependencies: ['dependencies', awbs],
  inventory: ['inventory', anyValue],
  cancelReason: ['failureReason', plain],
  mobileTaskForm: ['formAnswers', answers],
  feedbacks: ['feedback', stars],
}

const precisionWords: Record<string, Word> = {
  exact: 'precisionExact',
  approximate: 'precisionApproximate',
  none: 'precisionNone',
}

export interface ToldChange {
  label: string
  before: string
  after: string
}

/** The changes in words, without those that words cannot show (a position on the map, the order of a route). */
export function tellChanges(changes: readonly Change[], say: Say, formats: Formats): ToldChange[] {
  return changes.flatMap(({ field, before, after }) => {
    const known = told[field]
    if (!known) return []
    const [word, tell] = known
    const values = { before: tell(before, { say, formats }), after: tell(after, { say, formats }) }
    return values.before === values.after ? [] : [{ label: say(word), ...values }]
  })
}

/** The label of a field of a task, if people care about it. */
export function fieldLabel(field: string, say: Say): string | undefined {
  const [word] = told[field] ?? told[`${field}.${field}`] ?? []
  return word && say(word)
}

/** The words for changed fields, each once: “Maria changed: window, details”. */
export const changedLabels = (changes: readonly Change[], say: Say, formats: Formats) => [
  ...new Set(tellChanges(changes, say, formats).map(({ label }) => label)),
]

/** Notes that came with a change. */
export function addedNotes(changes: readonly Change[]): string[] {
  const change = changes.find(({ field }) => field === 'notes')
  if (!change) return []
  const known = new Set((change.before as Task['notes']).map(({ id }) => id))
  return (change.after as Task['notes']).filter(({ id }) => !known.has(id)).map(({ note }) => note ?? '')
}
