import { join } from 'node:path'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import type { Service } from './context.ts'
import { followClock } from './db/clock.ts'
import { openDatabase } from './db/db.ts'
import { startEmbedded } from './db/embedded.ts'
import { sharedFolder } from './db/embedded-files.ts'
import { describeOrphans } from './db/embedded-stored.ts'
import { migrate } from './db/migrate.ts'
import { openNotices } from './db/notices.ts'
import { repeatErasures } from './erasure/repeat.ts'
import type { Log } from './log.ts'
import { followMap } from './map/current.ts'
import { createRegisterGeocoder } from './map/register/geocoder.ts'
import { tidyImports } from './map/run.ts'
import { createMetrics } from './metrics.ts'
import { enginePolicy } from './outside/addresses.ts'
import { openChannels } from './outside/channels/channels.ts'
import { createOutside } from './outside/fetch.ts'
import { openFiles } from './outside/files/files.ts'
import { openGeocoders } from './outside/geocoders/geocoders.ts'
import { createTravel } from './outside/travel/travel.ts'
import { ensureFirstPerson, type MadeLink } from './people/actions.ts'
import { saveAddress } from './people/queries.ts'
import { openKept } from './threads/kept.ts'
import { createPapers } from './threads/papers.ts'
import { createPictures } from './threads/pictures.ts'
import { createRoads } from './threads/roads.ts'
import { createSolvers } from './threads/solvers.ts'
import { topics } from './topics.ts'
import { noWorkers, startWorkers, type Workers } from './workers.ts'

/** When we stop, running attempts get this long to finish. */
const attemptGraceMs = 5_000

export interface Server {
  url: string
  /** Only at the first start of a database: the key of the new organisation. */
  firstKey: string | undefined
  /** Also then: the link with which its admin chooses an email address and a password. */
  firstLink: MadeLink | undefined
  /** Resolves if the embedded database died and could not be restarted. Then we can only stop. */
  lost: Promise<Error>
  /** Runs a round of one of this process's workers and waits for it. */
  makeRound: Workers['makeRound']
  stop(): Promise<void>
}

/**
 * Config → database → app → workers. What was started is stopped in the opposite order, even if a later step fails.
 * `pages` is the folder of the built console, if there is one.
 */
export async function startServer(config: Config, log: Log, pages?: string): Promise<Server> {
  const say = (sentence: string) => log.info(sentence)
  await using started = new AsyncDisposableStack()

  const { promise: lost, resolve: onLost } = Promise.withResolvers<Error>()
  const warn = (sentence: string) => log.error(sentence)
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbedded({ folder: config.dataFolder, programs: config.postgresPrograms, log: say, warn, onLost })
  if (embedded) started.defer(embedded.stop)
  for (const sentence of await describeOrphans(sharedFolder, config.dataFolder)) log.warn(sentence)
  if (embedded?.isFull())
    throw new Error(`the disk that holds ${config.dataFolder} is full; make room, then start again`)
  const databaseUrl = config.databaseUrl ?? (embedded?.url as string)
  const role = await migrate(databaseUrl, say)
  const onIdleError = (err: Error) =>
    log.warn({ err }, 'A database connection was lost; the next request opens a new one')
  const database = openDatabase({
    url: databaseUrl,
    role,
    connections: 16,
    onIdleError,
    isFull: embedded?.isFull,
  })
  started.defer(database.close)

  const outside = createOutside(config.webhooks)
  started.defer(outside.close)
  const engines = createOutside(enginePolicy)
  started.defer(engines.close)
  const solvers = createSolvers({ log })
  started.defer(solvers.close)
  const pictures = createPictures({ log })
  started.defer(pictures.close)
  const kept = openKept({ log, folder: join(config.dataFolder, 'kept') })
  started.defer(async () => kept.close())
  const papers = createPapers({ log, kept })
  started.defer(papers.close)
  const notices = openNotices(database.everyone, databaseUrl, topics)
  started.defer(notices.close)
  const clock = await followClock(database.everyone)
  started.defer(async () => clock.stop())
  const metrics = createMetrics()
  const files = openFiles(engines, config.dataFolder, config.s3)
  const { dataFolder } = config
  const store = config.s3 && files
  const maps = followMap({ db: database.everyone, notices, dataFolder, store, log, missing: metrics.mapMissing })
  started.defer(maps.close)
  const roads = createRoads({ log, maps })
  started.defer(roads.close)
  const travel = createTravel(engines, {
    ...config.travel,
    roads,
    mapId: async () => (await maps.current())?.id,
    onTrouble: (err) => log.warn({ err }, 'The routing engine failed; travel times are estimated for now'),
  })
  const service: Service = {
    config,
    database,
    outside,
    engines,
    geocoders: openGeocoders(engines, config.geocoding, createRegisterGeocoder(database.everyone)),
    travel,
    maps,
    messages: openChannels(engines, config.messages),
    solvers,
    files,
    pictures,
    papers,
    kept,
    log,
    metrics,
    notices,
    clock,
  }
  // What was erased and came back with a backup must be gone before anybody can see it, or is told of it.
  await repeatErasures(service, databaseUrl)
  const tidying = tidyImports({ databaseUrl, dataFolder, store }, database.everyone).catch((err) =>
    log.warn(
      { err },
      'What is left of an interrupted import of a map could not be removed; the next import tries again',
    ),
  )
  started.defer(() => tidying)
  const workers = config.role === 'api' ? noWorkers : await startWorkers(service, databaseUrl)
  started.defer(() => workers.stop(attemptGraceMs))

  const app = createApp(service, pages)
  started.defer(app.close)
  const url = await app.listen()
  const isOpen = config.role !== 'worker'
  if (isOpen) await saveAddress(database.everyone, config.publicUrl ?? url)
  // Last, because a key made by a start that fails would never be shown; `/ready` waits for it. A worker has no pages: the
  // link to sign in must come from somebody who can be asked.
  const first = isOpen ? await ensureFirstPerson(database.everyone, config.first) : undefined

  const running = started.move()
  return {
    url,
    firstKey: first?.key,
    firstLink: first?.link,
    lost,
    makeRound: workers.makeRound,
    stop: () => running.disposeAsync(),
  }
}
