import type { TaskInput, TaskUpdate } from '../../../../contract/task.ts'
import { readCoordinates } from '../../../../core/coordinates.ts'
import { mostDecimals } from '../../../../core/money.ts'
import { type MoneyProblem, type Reading, readMoney } from '../../../../core/typed-money.ts'
import type { Task } from '../../../api/data.ts'
import { moneyWords } from '../../../tasks/money-words.ts'
import { wallTime } from '../wall-time.ts'

/** A task as the form holds it: the values of the controls. */
export interface Draft {
  address: string
  coordinates: string
  addressSecondLine: string
  streetName: string
  streetNumber: string
  city: string
  area: string
  postalCode: string
  country: string
  /** `2026-11-15T09:30`, as in the browser's control, in the organisation's time zone. */
  completeAfter: string
  completeBefore: string
  customerName: string
  customerPhone: string
  customerEmail: string
  details: string
  customerNotes: string
  sendNotifications: boolean
  awb: string
  dependencies: string
  pickupTask: boolean
  totalPrice: string
  deliveryPrice: string
  collectPayment: '' | 'yes' | 'no'
  paymentTypeId: '1' | '2'
  quantity: string
  priority: string
  serviceTime: string
  teamId: string
  userId: string
  formId: string
  customFields: readonly CustomField[]
  inventory: string
}
export type FieldName = keyof Draft
export interface CustomField {
  key: string
  value: string
}

export const emptyDraft: Draft = {
  address: '',
  coordinates: '',
  addressSecondLine: '',
  streetName: '',
  streetNumber: '',
  city: '',
  area: '',
  postalCode: '',
  country: '',
  completeAfter: '',
  completeBefore: '',
  customerName: '',
  customerPhone: '',
  customerEmail: '',
  details: '',
  customerNotes: '',
  sendNotifications: true,
  awb: '',
  dependencies: '',
  pickupTask: false,
  totalPrice: '',
  deliveryPrice: '',
  collectPayment: '',
  paymentTypeId: '1',
  quantity: '',
  priority: '',
  serviceTime: '',
  teamId: '',
  userId: '',
  formId: '',
  customFields: [],
  inventory: '',
}

const text = (value: string | number | null | undefined) => (value === null || value === undefined ? '' : String(value))
/** Values of custom fields can be any JSON; values other than text are shown as JSON. */
export const anyText = (value: unknown) =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** How the page writes what stands in the fields. */
export interface Writing {
  timeZone: string
  typedMoney: (amount: number) => string
  teamNeedsDriver?: boolean
}

export const coordinatesOf = ({ address: { lat, lng } }: Task) => (lat === null ? '' : `${lat}, ${lng}`)

export const draftOf = (task: Task, { timeZone, typedMoney }: Writing): Draft => ({
  address: task.address.address,
  coordinates: coordinatesOf(task),
  addressSecondLine: text(task.address.addressSecondLine),
  streetName: text(task.address.streetName),
  streetNumber: text(task.address.streetNumber),
  city: text(task.address.city),
  area: text(task.address.area),
  postalCode: text(task.address.postalCode),
  country: task.address.country,
  completeAfter: task.completeAfter ? wallTime(task.completeAfter, timeZone).replace(' ', 'T') : '',
  completeBefore: task.completeBefore ? wallTime(task.completeBefore, timeZone).replace(' ', 'T') : '',
  customerName: text(task.customer?.name),
  customerPhone: text(task.customer?.phone),
  customerEmail: text(task.customer?.email),
  details: task.details,
  customerNotes: text(task.customerNotes),
  sendNotifications: task.sendNotifications,
  awb: task.awb,
  dependencies: task.dependencies.map(({ awb }) => awb).join(', '),
  pickupTask: task.pickupTask,
  totalPrice: task.totalPrice === null ? '' : typedMoney(task.totalPrice),
  deliveryPrice: task.deliveryPrice === null ? '' : typedMoney(task.deliveryPrice),
  collectPayment: task.collectPayment ? 'yes' : 'no',
  paymentTypeId: task.paymentTypeId === 2 ? '2' : '1',
  quantity: text(task.quantity),
  priority: task.priority === 0 ? '' : String(task.priority),
  serviceTime: text(task.serviceTime),
  teamId: text(task.teamId),
  userId: text(task.userId),
  formId: text(task.formId),
  customFields: task.customFields.map(({ key, value }) => ({ key, value: anyText(value) })),
  inventory: anyText(task.inventory),
})

/** A draft for a copy of a task, without what belongs only to the original: also its team, where that needs a driver. */
export const copyOf = (task: Task, writing: Writing): Draft => {
  const draft = draftOf(task, writing)
  const followsPrice = task.collectPayment === (task.totalPrice ?? 0) > 0
  // Coordinates found for the address will be found again; entered ones are kept.
  const coordinates = task.address.precision === 'exact' ? draft.coordinates : ''
  return {
    ...draft,
    awb: '',
    userId: '',
    coordinates,
    ...(followsPrice && { collectPayment: '' }),
    ...(writing.teamNeedsDriver && { teamId: '' }),
  }
}

export const isSame = (one: Draft[FieldName], other: Draft[FieldName]) =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

/** The typed fields that differ from the stored ones. */
export const changedFields = (typed: Partial<Draft>, stored: Draft): FieldName[] =>
  (Object.keys(typed) as FieldName[]).filter((name) => !isSame(typed[name] as Draft[FieldName], stored[name]))

/** Problems found before anything is sent, for `say`. */
export type DraftProblem =
  | 'coordinatesUnreadable'
  | 'wholeNumberNeeded'
  | (typeof moneyWords)[MoneyProblem]
  | 'windowBackwards'
  | 'addressNeeded'
  | 'fieldNameNeeded'
type Problems = Partial<Record<FieldName, DraftProblem>>

const wholes = ['quantity', 'priority', 'serviceTime'] as const
const prices = ['totalPrice', 'deliveryPrice'] as const

/** `unchanged` are not sent, so they may have decimals that were turned off since. */
export function checkDraft(draft: Draft, money: Reading, unchanged: readonly FieldName[] = []): Problems {
  const problems: Problems = {}
  for (const name of prices) {
    const amount = draft[name].trim() === '' || unchanged.includes(name) ? 0 : readMoney(draft[name], money)
    if (typeof amount === 'string') problems[name] = moneyWords[amount]
    else if (amount < 0) problems[name] = moneyWords.unreadable
  }
  for (const name of wholes) if (!/^\d{0,10}$/.test(draft[name].trim())) problems[name] = 'wholeNumberNeeded'
  if (draft.coordinates.trim() && !readCoordinates(draft.coordinates)) problems.coordinates = 'coordinatesUnreadable'
  if (draft.completeAfter && draft.completeBefore && draft.completeAfter > draft.completeBefore)
    problems.completeBefore = 'windowBackwards'
  if (![draft.address, draft.coordinates, draft.streetName, draft.city].some((one) => one.trim()))
    problems.address = 'addressNeeded'
  if (draft.customFields.some(({ key, value }) => !key.trim() && value.trim()))
    problems.customFields = 'fieldNameNeeded'
  return problems
}

function price(written: string): number | null {
  const amount = readMoney(written, { decimals: mostDecimals })
  return typeof amount === 'number' ? amount : null
}
const whole = (written: string) => (written.trim() === '' ? null : Number(written))
const moment = (written: string) => (written === '' ? null : written.replace('T', ' '))

/** Reads text that is JSON as JSON, so that a JSON value stays one. */
export function readAny(written: string): unknown {
  if (written.trim() === '') return null
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}

const addressParts = ['addressSecondLine', 'streetName', 'streetNumber', 'city', 'area', 'postalCode'] as const
const customerParts = { customerName: 'name', customerPhone: 'phone', customerEmail: 'email' } as const

/** These fields of a draft as an update; the server keeps the others. */
export function updateOf(draft: Draft, names: readonly FieldName[], stored?: Task): TaskUpdate {
  const wanted = new Set(names)
  const update: TaskUpdate = {}
  const address: NonNullable<TaskUpdate['address']> = {}
  if (wanted.has('address')) address.address = draft.address.trim()
  for (const part of addressParts) if (wanted.has(part)) address[part] = draft[part].trim() || null
  if (wanted.has('country')) address.country = draft.country.trim()
  const place = wanted.has('coordinates') && readCoordinates(draft.coordinates)
  if (place) Object.assign(address, place)
  else if (wanted.has('coordinates') && stored) address.findAgain = true
  if (Object.keys(address).length > 0) update.address = address

  const customer: Record<string, string | null> = {}
  for (const [name, part] of Object.entries(customerParts) as [keyof typeof customerParts, string][])
    if (wanted.has(name)) customer[part] = draft[name].trim()
  // For the server another name or phone is another person, who would have no e-mail address.
  if (Object.keys(customer).length > 0) customer['email'] = draft.customerEmail.trim() || null
  if (Object.keys(customer).length > 0) update.customer = customer as NonNullable<TaskUpdate['customer']>

  for (const name of ['completeAfter', 'completeBefore'] as const)
    if (wanted.has(name)) update[name] = moment(draft[name])
  for (const name of prices) if (wanted.has(name)) update[name] = price(draft[name])
  for (const name of ['quantity', 'serviceTime'] as const) if (wanted.has(name)) update[name] = whole(draft[name])
  for (const name of ['sendNotifications', 'pickupTask'] as const) if (wanted.has(name)) update[name] = draft[name]
  if (wanted.has('priority')) update.priority = whole(draft.priority) ?? 0
  if (wanted.has('details')) update.details = draft.details
  if (wanted.has('customerNotes')) update.customerNotes = draft.customerNotes || null
  if (wanted.has('awb') && draft.awb.trim()) update.awb = draft.awb.trim()
  if (wanted.has('collectPayment') && draft.collectPayment) update.collectPayment = draft.collectPayment === 'yes'
  if (wanted.has('paymentTypeId')) update.paymentTypeId = Number(draft.paymentTypeId) as 1 | 2
  if (wanted.has('teamId')) update.teamId = whole(draft.teamId)
  if (wanted.has('formId')) update.formId = whole(draft.formId)
  if (wanted.has('dependencies'))
    update.dependencies = draft.dependencies.split(/[,;\n]/).flatMap((awb) => awb.trim() || [])
  if (wanted.has('inventory')) update.inventory = readAny(draft.inventory)
  if (wanted.has('customFields')) update.customFields = readCustomFields(draft, stored)
  return update
}

/** Values that are not text and were not edited are sent unchanged. */
function readCustomFields({ customFields }: Draft, stored: Task | undefined) {
  return customFields
    .filter(({ key }) => key.trim())
    .map(({ key, value }) => {
      const before = stored?.customFields.find((field) => field.key === key)
      return { key: key.trim(), value: before && anyText(before.value) === value ? before.value : value }
    })
}

/** A draft as a new task: only filled fields, so that the server's defaults apply. */
export function inputOf(draft: Draft): TaskInput {
  const names = changedFields(draft, emptyDraft).filter((name) => name !== 'userId')
  const update = updateOf(draft, names)
  return { ...update, address: update.address ?? {}, ...(draft.userId && { userId: Number(draft.userId) }) }
}
