import type { ActorType } from '../contract/event.ts'
import type { Changed } from '../contract/live.ts'
import type { Config } from './config.ts'
import type { Clock } from './db/clock.ts'
import type { Database, Db } from './db/db.ts'
import type { Notices } from './db/notices.ts'
import type { Log } from './log.ts'
import type { Maps } from './map/current.ts'
import type { Metrics } from './metrics.ts'
import type { Channels } from './outside/channels/channels.ts'
import type { Outside } from './outside/fetch.ts'
import type { FileStore } from './outside/files/store.ts'
import type { Geocoders } from './outside/geocoders/geocoders.ts'
import type { Travel } from './outside/travel/travel.ts'
import type { Kept } from './threads/kept.ts'
import type { Papers } from './threads/papers.ts'
import type { Pictures } from './threads/pictures.ts'
import type { Solvers } from './threads/solvers.ts'
import { announceChanges, newEvents } from './topics.ts'

/** What the whole process shares. */
export interface Service {
  config: Config
  database: Database
  outside: Outside
  /** The same, for services set up by the operator. Nothing chosen by an organisation may go through it. */
  engines: Outside
  /** Finds the coordinates of addresses. */
  geocoders: Geocoders
  travel: Travel
  /** What was imported of OpenStreetMap. */
  maps: Maps
  /** How customers get messages. */
  messages: Channels
  solvers: Solvers
  /** Where files are stored, and what turns uploads into pictures. */
  files: FileStore
  pictures: Pictures
  /** Makes PDF files. */
  papers: Papers
  /** What slow work has made, for those who ask for the same again. */
  kept: Kept
  log: Log
  metrics: Metrics
  /** How processes notify each other, by topic (server/topics.ts). */
  notices: Notices
  /** The time, the same for all processes. */
  clock: Clock
}

/** Who does something, as the timeline will show it. */
export interface Actor {
  type: ActorType
  id: number | null
  name: string
  /** The device whose sync this is, if it is one. */
  syncingDeviceId?: number
}

/** Where a request came from, as far as it is known. */
export interface Origin {
  address: string | null
  /** What the program called itself. */
  agent: string | null
}
export const nowhere: Origin = { address: null, agent: null }

/** Everything an action may use on behalf of one caller. */
export interface Context extends Service {
  /** Sees only the caller's organisation, even if a query forgets to filter. */
  db: Db
  actor: Actor
  origin: Origin
  /** What is done to plans is kept under this id, so that it can be undone. */
  undoId?: string | undefined
  /** Announces new events of this organisation. Call it after the commit, never inside the transaction. */
  announceEvents: () => void
  /** Partners have new events by the same transaction: they are told with the next announcement. */
  announceToo: (organisationId: number) => void
  /** Announces what else has changed, if the operation does not always change it (`changes` in the table of operations). */
  announceChanges: (changed: readonly Changed[]) => void
}

/** The same, if the caller wants to be able to undo it. */
export const undoable = (context: Context, { undoId }: { undoId?: string }): Context => ({ ...context, undoId })

/** For what Waybill does automatically. */
export const system: Actor = { type: 'SYSTEM', id: null, name: 'Waybill' }

/** What an actor may use for one organisation. */
export const contextOf = (
  service: Service,
  organisationId: number,
  actor: Actor,
  origin: Origin = nowhere,
): Context => {
  const partners = new Set<number>()
  return {
    ...service,
    db: service.database.of(organisationId),
    actor,
    origin,
    announceEvents() {
      for (const id of [organisationId, ...partners]) service.notices.ring(newEvents, id)
      partners.clear()
    },
    announceToo: (id) => partners.add(id),
    announceChanges: (changed) => announceChanges(service.notices, organisationId, changed),
  }
}
