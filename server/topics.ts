import type { Changed } from '../contract/live.ts'
import type { Notices, Topic } from './db/notices.ts'

/* What processes notify each other about. A channel keeps its name, because two versions run side by side in an upgrade. */

/** Organisations have new events. */
export const newEvents: Topic = { channel: 'waybill_events', collectMs: 10 }

/** Keys, or the organisations they open, have changed. */
export const changedKeys: Topic = { channel: 'waybill_keys', collectMs: 0 }

/** What streams send besides events: driver positions, and that something other than a task has changed. */
export const hints: Topic = { channel: 'waybill_hints', collectMs: 100 }

/** There is another map, or none any more. */
export const changedMap: Topic = { channel: 'waybill_map', collectMs: 0 }

export const topics: readonly Topic[] = [newEvents, changedKeys, hints, changedMap]

/** Announces that something other than a task has changed. Call it after the commit, or readers look too early. */
export function announceChanges(
  notices: Notices,
  organisationId: number,
  changed: readonly Changed[] | undefined = [],
) {
  for (const what of changed) notices.tell(hints, { organisationId, kind: 'changed', about: what })
}
