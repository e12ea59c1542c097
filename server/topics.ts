import type { Topic } from './db/notices.ts'

/* What processes notify each other about. A channel keeps its name, because two versions run side by side in an upgrade. */

/** Organisations have new events. */
export const newEvents: Topic = { channel: 'waybill_events', collectMs: 10 }

/** Keys, or the organisations they open, have changed. */
export const changedKeys: Topic = { channel: 'waybill_keys', collectMs: 0 }

/** What streams send besides events: driver positions, and that something other than a task has changed. */
export const hints: Topic = { channel: 'waybill_hints', collectMs: 100 }

export const topics: readonly Topic[] = [newEvents, changedKeys, hints]
