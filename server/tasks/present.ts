import type { Payment } from '../../contract/payment.ts'
import type { DriverSummary, Task, TimelineEntry } from '../../contract/task.ts'
import { sideOf } from '../../core/delegation.ts'
import type { PrecisionDetail } from '../../core/precision.ts'
import { InTransit, statuses } from '../../core/task-status.ts'
import { presentCompany } from '../organisations/present.ts'
import type { Organisation } from '../organisations/queries.ts'
import { arrivalOf, presentArrival } from './arrival.ts'
import { phoneOf } from './customers/customers.ts'
import { amountOfLine, deliveryPriceOf, leftToBePaidOf, totalPriceOf } from './money.ts'
import { shownPart } from './parts.ts'
import type { PaymentView } from './queries.ts'
import type { DriverView, NoteView, TaskView } from './tables.ts'

const paymentTypes: Record<number, string> = { 1: 'Collect Cash', 2: 'Collect Credit Card' }

const time = (date: Date | string) => (typeof date === 'string' ? new Date(date) : date).toISOString()
const timeOrNull = (date: Date | null) => date && time(date)

/** A task as it is shown at this moment: in responses, in events, on pages. */
export function presentTask(
  task: TaskView,
  organisation: Organisation,
  now: Date,
  timelines: TimelineEntry[] = [],
): Task {
  const company = presentCompany(organisation)
  const side = sideOf({ ownerId: task.owner_id, fulfillerId: task.fulfiller_id })
  return {
    id: task.id,
    awb: task.awb,
    details: task.details,
    customerNotes: task.customer_notes,
    totalPrice: totalPriceOf(task),
    leftToBePaid: leftToBePaidOf(task),
    deliveryPrice: deliveryPriceOf(task),
    currency: organisation.currency,
    inventory: task.inventory,
    priority: task.priority,
    cancelReason: task.cancel_reason,
    cancelReasonCode: task.cancel_reason_code,
    quantity: task.quantity,
    sentETA: task.sent_eta,
    ...presentArrival(arrivalOf(task), now),
    serviceTime: task.service_minutes,
    uuid: task.uuid,
    acceptedAt: timeOrNull(task.accepted_at),
    atHubAt: timeOrNull(task.at_hub_at),
    loadedAt: timeOrNull(task.loaded_at),
    startedAt: timeOrNull(task.started_at),
    completedAt: timeOrNull(task.completed_at),
    ...presentLastLocation(task),
    collectPayment: task.collect_payment,
    completeAfter: timeOrNull(task.complete_after),
    completeBefore: timeOrNull(task.complete_before),
    pickupTask: task.pickup_task,
    arrivalTime: timeOrNull(task.arrived_at),
    formId: task.form_id,
    scheduleId: task.schedule_id,
    mobileTaskForm: task.mobile_task_form,
    route: task.route,
    sendNotifications: task.send_notifications,
    driverArrived: task.driver_arrived,
    taskWillBeDelayed: task.will_be_delayed,
    taskDelayed: task.delayed,
    createdAt: time(task.created_at),
    updatedAt: time(task.updated_at),
    ownerId: task.owner_id ?? organisation.id,
    fulfillerId: task.fulfiller_id ?? organisation.id,
    ...(side && { side }),
    ...(task.fulfiller_driver && {
      fulfillerDriver: {
        name: task.fulfiller_driver,
        ...(task.fulfiller_phone && { phone: task.fulfiller_phone }),
      },
    }),
    ...(task.chain_awbs && { partnerAwbs: task.chain_awbs }),
    attempt: task.attempt,
    attemptOf: tryOf(task, task.attempt_of),
    reattemptedAs: tryOf(task, task.reattempted_as),
    returnOf: tryOf(task, task.return_of),
    returnedAs: tryOf(task, task.returned_as),
    closedAt: timeOrNull(task.closed_at),
    ...(task.earlier_awbs && { earlierAwbs: task.earlier_awbs }),
    userId: task.user_id,
    teamId: task.team_id,
    customerId: task.customer_id,
    statusId: task.status_id,
    paymentTypeId: task.payment_type_id,
    owner: partnerOf(task, task.owner_id) ?? company,
    fulfiller: partnerOf(task, task.fulfiller_id) ?? company,
    user: task.driver && presentDriverSummary(task.driver),
    team: task.team,
    customer: task.customer && presentCustomer(task.customer),
    status: { id: task.status_id, name: statuses[task.status_id].name },
    paymentType: { id: task.payment_type_id, name: paymentTypes[task.payment_type_id] ?? '' },
    address: presentAddress(task.address),
    notes: task.notes.map(presentNote),
    ...(task.notes_left_out > 0 && { notesLeftOut: task.notes_left_out }),
    customFields: task.custom_fields,
    // A task has one at most, so its id tells them apart.
    feedbacks: task.feedback
      ? [{ id: task.id, rating: task.feedback.rating, comment: task.feedback.comment, createdAt: task.feedback.at }]
      : [],
    dependencies: task.dependencies.map(({ task_id, awb, status_id }) => ({
      taskId: task_id,
      awb,
      statusId: status_id,
    })),
    ...(task.erased_at && { erasedAt: time(task.erased_at) }),
    timelines,
  }
}

const partnerOf = ({ partners }: TaskView, id: number | null) => (id === null ? undefined : partners?.[id])

/** One that was deleted is not shown. */
function tryOf({ tries }: TaskView, id: number | null): Task['attemptOf'] {
  const found = id === null ? undefined : tries?.[id]
  return found ? { taskId: id as number, awb: found.awb } : null
}

/** Where the driver is while they are on the way, and where they ended it. */
const presentLastLocation = ({ status_id, seen, last_lat, last_lng }: TaskView) =>
  status_id === InTransit
    ? { lastLocationLat: seen?.lat ?? null, lastLocationLng: seen?.lng ?? null }
    : { lastLocationLat: last_lat, lastLocationLng: last_lng }

export const presentDriverSummary = ({ in_shift, ...driver }: DriverView): DriverSummary => ({
  id: driver.id,
  name: driver.name,
  avatar: driver.avatar,
  email: driver.email,
  phone: driver.phone,
  inShift: in_shift,
  status: driver.status,
})

const presentAddress = (address: TaskView['address']): Task['address'] => ({
  id: address.id,
  lat: address.lat,
  lng: address.lng,
  address: address.address,
  addressSecondLine: address.address_second_line,
  city: shownPart(address, 'city'),
  area: shownPart(address, 'area'),
  country: address.country,
  streetNumber: shownPart(address, 'streetNumber'),
  streetName: shownPart(address, 'streetName'),
  postalCode: shownPart(address, 'postalCode'),
  precision: address.lat === null ? 'none' : (address.precision ?? 'exact'),
  precisionDetail: address.lat === null ? null : (address.precision_detail as PrecisionDetail | null),
  geocodingProblem: (address.lat === null && address.geocode_problem) || '',
})

const presentCustomer = (customer: NonNullable<TaskView['customer']>): Task['customer'] => ({
  id: customer.id,
  name: customer.name,
  address: customer.address,
  addressSecondLine: customer.address_second_line,
  email: customer.email,
  phone: phoneOf(customer),
  lat: customer.lat,
  lng: customer.lng,
  createdAt: time(customer.created_at),
  updatedAt: time(customer.updated_at),
  companyId: customer.organisation_id,
})

/** Whether a driver wrote it, one of a partner too; else it was the office. */
export const isByDriver = ({ author, by_partners_driver }: TaskView['notes'][number]) =>
  author.is_driver || by_partners_driver

export const presentNote = (note: NoteView): Task['notes'][number] => ({
  id: note.id,
  note: note.note,
  image: note.image,
  type: note.type,
  createdAt: time(note.created_at),
  updatedAt: time(note.updated_at),
  userId: note.user_id,
  taskId: note.task_id,
  user: { id: note.author.id, name: note.author.name, avatar: note.author.avatar },
  byDriver: isByDriver(note),
  seenAt: note.seen_at && time(note.seen_at),
})

export const presentPayment = (payment: PaymentView): Payment => ({
  id: payment.id,
  taskId: payment.task_id,
  amount: amountOfLine(payment),
  method: payment.method,
  note: payment.note,
  userId: payment.user_id,
  user: { id: payment.user_id, name: payment.user_name },
  occurredAt: time(payment.occurred_at),
  recordedAt: time(payment.recorded_at),
})
