import type { ActorType } from '../contract/event.ts'
import type { Config } from './config.ts'
import type { Clock } from './db/clock.ts'
import type { Database, Db } from './db/db.ts'
import type { Notices } from './db/notices.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Outside } from './outside/fetch.ts'
import type { FileStore } from './outside/files/store.ts'
import type { Geocoders } from './outside/geocoders/geocoders.ts'
import type { Travel } from './outside/travel/travel.ts'
import type { Pictures } from './threads/pictures.ts'
import type { Solvers } from './threads/solvers.ts'
import { newEvents } from './topics.ts'

/** What the whole process shares. */
export interface Service {
  config: Config
  database: Database
  outside: Outside
  /** The same, for services set up by the operator. Nothing chosen by an organisation may go through it. */
  engines: Outside
  /** Who finds the coordinates of an address. */
  geocoders: Geocoders
  travel: Travel
  solvers: Solvers
  /** Where the bytes of files are, and what makes pictures of what is sent. */
  files: FileStore
  pictures: Pictures
  log: Log
  metrics: Metrics
  /** How processes hear of each other's news, by topic (server/topics.ts). */
  notices: Notices
  /** What time it is, for all processes. */
  clock: Clock
}

/** Who does something, as the timeline will show it. */
export interface Actor {
  type: ActorType
  id: number | null
  name: string
}

/** Everything an action may touch, on behalf of one caller. */
export interface Context extends Service {
  /** Sees only the caller's organisation, even if a query forgets to filter. */
  db: Db
  actor: Actor
  /** Says that this organisation has new events. To be called after the commit, never inside the transaction. */
  announceEvents: () => void
}

/** For what Waybill does by itself. */
export const system: Actor = { type: 'SYSTEM', id: null, name: 'Waybill' }

/** What an actor may touch for one organisation. */
export const contextOf = (service: Service, organisationId: number, actor: Actor): Context => ({
  ...service,
  db: service.database.of(organisationId),
  actor,
  announceEvents: () => service.notices.ring(newEvents, organisationId),
})
