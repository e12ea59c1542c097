import type { TimelineEntry } from '../../contract/task.ts'
import { isToldLate } from '../../core/device-clock.ts'
import { triggerName } from '../../core/triggers.ts'
import type { EventFacts, JsonEventFacts, JsonLineFacts, LineFacts } from './record.ts'

type Line = LineFacts | JsonLineFacts

/** An event as a line of its task's timeline. */
export const presentTimelineEntry = (event: Line): TimelineEntry => ({
  id: event.id,
  event: triggerName(event.trigger_id),
  fromStatusId: event.from_status_id,
  toStatusId: event.to_status_id,
  actor: { type: event.actor_type, id: event.actor_id, name: event.actor_name },
  lat: event.lat,
  lng: event.lng,
  occurredAt: new Date(event.occurred_at).toISOString(),
  recordedAt: new Date(event.recorded_at).toISOString(),
  data: dataOf(event),
})

/** The previous values and remarks, if any. */
function dataOf({ previous, remark, occurred_at, recorded_at }: Line) {
  const data = {
    ...(previous !== null && { previous: JSON.parse(previous) }),
    ...(remark !== null && JSON.parse(remark)),
    ...(isToldLate(occurred_at, recorded_at) && { late: true }),
  }
  return Object.keys(data).length > 0 ? data : null
}

/**
 * The body a webhook receives. Concatenated from text, so that the task is byte for byte what it was when the event
 * happened, and sending needs no parsing.
 */
export function eventBody(event: EventFacts | JsonEventFacts, task: string): string {
  const envelope = JSON.stringify({
    eventId: event.id,
    time: new Date(event.occurred_at).toISOString(),
    recordedAt: new Date(event.recorded_at).toISOString(),
    triggerId: event.trigger_id,
    triggerName: triggerName(event.trigger_id),
    companyId: event.organisation_id,
    taskId: event.task_id,
    awb: event.awb,
    userId: event.user_id,
    sequence: event.sequence,
    actionContext: { type: event.actor_type, id: event.actor_id },
  })
  return `${envelope.slice(0, -1)},"data":{"task":${task},"user":${event.driver},"previous":${event.previous}}}`
}
