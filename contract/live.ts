import type { DriverPosition } from './driver.ts'
import type { Scope } from './scopes.ts'

/*
 * What streams say. The stream of events has the events themselves, each named by its trigger, and these messages. Plain
 * values without schemas, so that a page can read them too.
 */

/** What can change besides tasks, and the scope a reader of the stream needs to be notified. */
export const changes = {
  drivers: 'drivers:read',
  teams: 'teams:read',
  hubs: 'teams:read',
  webhooks: 'webhooks:read',
  keys: 'keys:read',
  company: 'company:read',
  partners: 'company:read',
  forms: 'company:read',
  people: 'people:read',
  reasons: 'tasks:read',
  conflicts: 'tasks:read',
  notes: 'tasks:read',
  messages: 'messages:read',
  scans: 'tasks:read',
  leftTasks: 'tasks:read',
  cash: 'tasks:read',
  schedules: 'tasks:read',
  templates: 'tasks:read',
} as const satisfies Record<string, Scope>
export type Changed = keyof typeof changes

/** What moved, or changed, without an event of a task; by the name of the message. */
export interface LiveMessages {
  changed: { what: Changed }
  position: { positions: LivePosition[] }
  arrival: { arrivals: LiveArrival[] }
}

export type LivePosition = DriverPosition & { driverId: number }

/** When the driver of a task is expected now. */
export interface LiveArrival {
  taskId: number
  etaAt: string
}

/** All that the other streams say, by name: a tracking page has to look again, a phone has to sync. What changed stands there. */
export const callNames = { lookAgain: 'changed', sync: 'sync' } as const

/** Every stream says something at least this often; after a longer silence it is dead. */
export const mostSilentMs = 15_000
export const deadAfterMs = 20_000
