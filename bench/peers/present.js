/* A task as both peers answer it, from a plain object with what belongs to it: the same fields as Waybill's. */

const statuses = { 1: 'Unassigned', 6: 'Assigned', 7: 'In Transit', 9: 'Succeeded', 10: 'Failed' }
const paymentTypes = { 1: 'Collect Cash', 2: 'Collect Credit Card' }

/** PostgreSQL's decimals arrive as text. */
const amount = (stored) => (stored === null ? null : Number(stored))

function arrival(etaAt) {
  const eta = etaAt ? Math.max(0, Math.round((etaAt.getTime() - Date.now()) / 1000)) : 0
  const minutes = Math.round(eta / 60)
  const words = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return { eta, etaText: etaAt && words }
}

const company = ({ id, name, logo, email, phone, paying }) => ({ id, name, logo, email, phone, paying })

const driver = ({ id, name, avatar, email, phone, inShift, status }) => ({
  id,
  name,
  avatar,
  email,
  phone,
  inShift,
  status,
})

const note = ({ user: { id, name, avatar, isDriver }, ...its }) => ({
  ...its,
  user: { id, name, avatar },
  byDriver: isDriver,
})

export const presentEvent = (event) => ({
  id: event.id,
  event: event.event,
  fromStatusId: event.fromStatusId,
  toStatusId: event.toStatusId,
  actor: { type: event.actorType, id: event.actorId, name: event.actorName },
  lat: event.lat,
  lng: event.lng,
  occurredAt: event.occurredAt,
  recordedAt: event.recordedAt,
  data: event.data,
})

export function presentTask({ feedback, ...task }) {
  const { taskId: _, ...address } = task.address
  return {
    ...task,
    ...arrival(task.etaAt),
    totalPrice: amount(task.totalPrice),
    leftToBePaid: amount(task.leftToBePaid),
    deliveryPrice: amount(task.deliveryPrice),
    currency: task.owner.currency,
    owner: company(task.owner),
    fulfiller: company(task.fulfiller),
    user: task.user && driver(task.user),
    team: task.team && { id: task.team.id, name: task.team.name },
    status: { id: task.statusId, name: statuses[task.statusId] },
    paymentType: { id: task.paymentTypeId, name: paymentTypes[task.paymentTypeId] },
    address,
    notes: task.notes.map(note),
    feedbacks: feedback ? [{ id: task.id, ...feedback }] : [],
    dependencies: task.dependencies.map(({ id, awb, statusId }) => ({ taskId: id, awb, statusId })),
    timelines: (task.timelines ?? []).map(presentEvent),
  }
}

/** As a set is answered. */
export const withSettings = (shown, { settings }) => ({ ...shown, owner: { ...shown.owner, settings } })

/** The event of a new task, to be written. */
export const createdEvent = (key, task, snapshot) => ({
  organisationId: key.organisationId,
  taskId: task.id,
  event: 'TASK_CREATED',
  toStatusId: task.statusId,
  actorType: 'API',
  actorId: key.id,
  actorName: key.name,
  occurredAt: task.createdAt,
  snapshot,
})
