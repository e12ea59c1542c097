import { fileIdIn, isFilePath } from '../../contract/file.ts'
import type { Tracking, TrackingState } from '../../contract/tracking.ts'
import { arrivalRange } from '../../core/arrival-range.ts'
import { firstNameOf } from '../../core/first-name.ts'
import { noteTypes } from '../../core/note-type.ts'
import { choiceFor } from '../../core/recipient-choice.ts'
import { type Settings, settingsOf } from '../../core/settings.ts'
import { stopsOf } from '../../core/stop.ts'
import { dayOf, isOfToday } from '../../core/task-day.ts'
import { Assigned, Failed, InTransit, Succeeded } from '../../core/task-status.ts'
import type { Organisation } from '../organisations/queries.ts'
import type { ReasonRow } from '../reasons/queries.ts'
import { arrivalOf, hasArrived } from '../tasks/arrival.ts'
import { isByDriver } from '../tasks/present.ts'
import { triedOf } from '../tasks/read/tried.ts'
import type { TaskView } from '../tasks/tables.ts'
import type { WayThere } from './queries.ts'

/* What the customer of a task may see. Whatever is not named here is not shown. */

export interface Sight {
  task: TaskView
  organisation: Organisation
  way: WayThere | undefined
  reason: ReasonRow | undefined
  messages: Tracking['messages']
  next: Tracking['next']
  /** From the shown position to the address. */
  line: string | null
  closesAt: Date | null
  now: Date
}

export function presentTracking({
  task,
  organisation,
  way,
  reason,
  messages,
  next,
  line,
  closesAt,
  now,
}: Sight): Tracking {
  const settings = settingsOf(organisation)
  const state = stateOf(task)
  const isComing = state === 'assigned' || state === 'onTheWay'
  const arrival = isComing ? arrivalOf(task) : null
  const stopsBefore = isComing && way && isToday(task, organisation, now) ? countStopsBefore(way) : null
  const number = numberToCall(task, state, organisation, settings)
  const isDone = state === 'done'
  return {
    awb: task.awb,
    state,
    isPickup: task.pickup_task,
    company: {
      name: organisation.name,
      logo: pathOf(task, organisation.logo),
      accentColor: settings.accentColor,
      timezone: organisation.timezone,
    },
    window:
      task.complete_after || task.complete_before
        ? { from: time(task.complete_after), to: time(task.complete_before) }
        : null,
    arrival: arrival && presentRange({ arrival, stopsBefore: stopsBefore ?? 0, notBefore: task.complete_after }, now),
    stopsBefore,
    driver: task.driver
      ? {
          firstName: firstNameOf(task.driver.name),
          avatar: pathOf(task, task.driver.avatar),
          transportationId: settings.displayTransportationDetails ? (way?.transportation_id ?? null) : null,
        }
      : task.fulfiller_driver
        ? { firstName: firstNameOf(task.fulfiller_driver), avatar: null, transportationId: null }
        : null,
    position: positionOf(task, way, now),
    line,
    destination: settings.displayDestinationDetails
      ? { address: task.address.address, lat: task.address.lat, lng: task.address.lng }
      : null,
    call: settings.displayCallButton ? number : null,
    message: settings.displayMessageButton ? number : null,
    instructions: { isOpen: takesInstructions(task), given: task.instructions ?? [] },
    endedAt: isDone || state === 'failed' ? time(task.completed_at) : null,
    receivedBy: isDone ? (signerOf(task) ?? null) : null,
    photos: isDone ? photosOf(task).map((note) => `/t/${task.uuid}/files/${note.file_id}`) : [],
    reason: reason ? { label: reason.label, labels: reason.labels } : null,
    feedback: {
      isOpen: (isDone || state === 'failed') && settings.enableRecipientFeedback && !task.feedback,
      given: task.feedback && { rating: task.feedback.rating, comment: task.feedback.comment },
    },
    again: choiceFor(triedOf(task), settings, now, organisation.timezone) ?? null,
    next: state === 'failed' ? next : null,
    messages,
    closesAt: time(closesAt),
  }
}

/** Those at the same door are not before them: the driver comes once. */
const countStopsBefore = ({ way }: WayThere) => Math.max(0, stopsOf(way, (task) => task).length - 1)

/** A customer of a later day is not part of today's route, however few stops it has. */
const isToday = ({ status_id, complete_after }: TaskView, { timezone }: Organisation, now: Date) =>
  isOfToday({ statusId: status_id, completeAfter: complete_after }, dayOf(now, timezone), timezone)

const time = (date: Date | null) => date?.toISOString() ?? null

function stateOf(task: TaskView): TrackingState {
  if (task.status_id === Succeeded) return 'done'
  if (task.status_id === Failed) return 'failed'
  if (task.status_id === InTransit) return hasArrived(task) ? 'arrived' : 'onTheWay'
  return task.status_id === Assigned ? 'assigned' : 'planned'
}

/** Until the driver is there: afterwards nobody would read them. */
export const takesInstructions = (task: TaskView) => ['planned', 'assigned', 'onTheWay'].includes(stateOf(task))

function presentRange(expected: Parameters<typeof arrivalRange>[0], now: Date): Tracking['arrival'] {
  const range = arrivalRange(expected, now)
  return range && { from: range.from.toISOString(), to: range.to.toISOString() }
}

/** A picture under the address of this task's page. Logos used to be any text. */
const pathOf = ({ uuid }: TaskView, path: string | null) =>
  path && isFilePath(path) ? `/t/${uuid}/files/${fileIdIn(path)}` : null

/** A position older than this says nothing about where the driver is. */
const freshMs = 15 * 60_000

/** Only while this task is on its way, and only where the driver was since then, to about ten metres. */
export function positionOf(task: TaskView, way: WayThere | undefined, now: Date): Tracking['position'] {
  const { started_at, driver } = task
  if (stateOf(task) !== 'onTheWay' || !driver?.in_shift || !way?.seen_at || way.lat === null || way.lng === null)
    return null
  const isFresh = way.seen_at >= (started_at ?? now) && now.getTime() - way.seen_at.getTime() < freshMs
  return isFresh ? { lat: round(way.lat), lng: round(way.lng), at: way.seen_at.toISOString() } : null
}

const round = (degrees: number) => Math.round(degrees * 10_000) / 10_000

/** A driver's own number is for customers only if the organisation says so, and while the driver is on the way. */
function numberToCall(
  { driver }: TaskView,
  state: TrackingState,
  { phone }: Organisation,
  { callForwardingRecipient, callCenterPhoneNumber }: Settings,
): string | null {
  const isDriver = callForwardingRecipient.trim().toLowerCase() === 'driver'
  const isNear = state === 'onTheWay' || state === 'arrived'
  const choices = [isDriver ? isNear && driver?.phone : callForwardingRecipient, callCenterPhoneNumber, phone]
  return choices.find((choice): choice is string => typeof choice === 'string' && /\d/.test(choice))?.trim() ?? null
}

/** Photos of the driver; those of the office are for the office. */
export const photosOf = ({ notes }: TaskView) =>
  notes.filter((note) => note.type === noteTypes.photo && note.image && note.file_id && isByDriver(note))

/** Who received it, as written with the signature. */
export const signerOf = ({ notes }: TaskView) =>
  notes.findLast(({ type, note }) => type === noteTypes.signature && note?.trim())?.note?.trim()
