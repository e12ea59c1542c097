import type { Task } from '../../contract/task.ts'

/*
 * What is left of a task in an event after erasure: the same fields in the same order, the personal ones empty. Every
 * field stands in one of the two tables, so a new one does not compile until somebody has decided about it.
 */

type Field = Exclude<keyof Task, 'erasedAt' | 'timelinesLeftOut'>
type Emptied = Pick<
  Task,
  | 'details'
  | 'customerNotes'
  | 'inventory'
  | 'cancelReason'
  | 'mobileTaskForm'
  | 'lastLocationLat'
  | 'lastLocationLng'
  | 'customerId'
  | 'customer'
  | 'customFields'
>

const emptied: { [Name in keyof Emptied]: Emptied[Name] } = {
  details: '',
  customerNotes: null,
  inventory: null,
  cancelReason: null,
  mobileTaskForm: null,
  lastLocationLat: null,
  lastLocationLng: null,
  customerId: null,
  customer: null,
  customFields: [],
}

const emptyAddress = (address: Task['address']): Task['address'] => ({
  ...address,
  lat: null,
  lng: null,
  address: '',
  addressSecondLine: null,
  city: null,
  area: null,
  streetNumber: null,
  streetName: null,
  postalCode: null,
  precision: 'none',
  precisionDetail: null,
  geocodingProblem: '',
})

/** Fields of which a part stays. */
const reduced: { [Name in 'address' | 'notes' | 'feedbacks']: (value: Task[Name]) => Task[Name] } = {
  address: emptyAddress,
  notes: (notes) => notes.map((note) => ({ ...note, note: null, image: null })),
  feedbacks: (feedbacks) => feedbacks.map((feedback) => ({ ...feedback, comment: '' })),
}

/** Fields that say nothing about the customer. */
type Kept = Exclude<Field, keyof Emptied | keyof typeof reduced>
const kept: Record<Kept, true> = {
  id: true,
  awb: true,
  totalPrice: true,
  leftToBePaid: true,
  deliveryPrice: true,
  currency: true,
  side: true,
  fulfillerDriver: true,
  partnerAwbs: true,
  attempt: true,
  attemptOf: true,
  reattemptedAs: true,
  returnOf: true,
  returnedAs: true,
  closedAt: true,
  earlierAwbs: true,
  priority: true,
  cancelReasonCode: true,
  quantity: true,
  sentETA: true,
  eta: true,
  etaText: true,
  etaAt: true,
  serviceTime: true,
  uuid: true,
  acceptedAt: true,
  atHubAt: true,
  loadedAt: true,
  startedAt: true,
  completedAt: true,
  collectPayment: true,
  completeAfter: true,
  completeBefore: true,
  pickupTask: true,
  arrivalTime: true,
  formId: true,
  scheduleId: true,
  route: true,
  sendNotifications: true,
  driverArrived: true,
  taskWillBeDelayed: true,
  taskDelayed: true,
  createdAt: true,
  updatedAt: true,
  ownerId: true,
  fulfillerId: true,
  userId: true,
  teamId: true,
  statusId: true,
  paymentTypeId: true,
  owner: true,
  fulfiller: true,
  user: true,
  team: true,
  status: true,
  paymentType: true,
  notesLeftOut: true,
  dependencies: true,
  timelines: true,
}

type Written = Record<string, unknown>

/** A task, or the old values of some of its fields, without what is personal. What we do not know counts as personal. */
function without(written: Written): Written {
  const left: Written = {}
  for (const [name, value] of Object.entries(written)) {
    if (name in kept) left[name] = value
    else if (name in emptied) left[name] = emptied[name as keyof Emptied]
    else if (name in reduced) left[name] = reducedPart(name as keyof typeof reduced, value)
  }
  return left
}

/** The old values of an address may be some of its fields only. */
function reducedPart(name: keyof typeof reduced, value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  const whole = (reduced[name] as (value: unknown) => object)(value)
  return Array.isArray(value)
    ? whole
    : Object.fromEntries(Object.entries(whole).filter(([part]) => part in (value as object)))
}

/** The text of a frozen task after erasure; without a time, if only a former customer of it was erased. */
export const eraseSnapshot = (task: string, erasedAt?: string) =>
  JSON.stringify({ ...without(JSON.parse(task)), ...(erasedAt && { erasedAt }) })

/** The text of the old values, and null if it was. */
export const erasePrevious = (previous: string | null) => previous && JSON.stringify(without(JSON.parse(previous)))

/** What an event says besides: a code that was scanned may be anything, and the office may have written why. */
export function eraseRemark(remark: string | null): string | null {
  if (remark === null) return null
  const said = JSON.parse(remark)
  if (said.scan) said.scan = { ...said.scan, code: '' }
  if (said.corrected) said.corrected = { ...said.corrected, reason: '' }
  if (said.settled) said.settled = { ...said.settled, note: null }
  return JSON.stringify(said)
}
