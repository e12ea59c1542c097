import { randomUUID } from 'node:crypto'
import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Refusal } from '../contract/errors.ts'
import { auditRoutes } from './audit/routes.ts'
import { cashRoutes } from './cash/routes.ts'
import type { Service } from './context.ts'
import { driverRoutes } from './drivers/routes.ts'
import { erasureRoutes } from './erasure/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { fieldRoutes } from './field/routes.ts'
import { deviceAuthenticator, driverAuthenticator } from './field/sign-in.ts'
import { keepPicture } from './files/keep.ts'
import { fileRoutes } from './files/routes.ts'
import { formRoutes } from './forms/routes.ts'
import { placeRoutes } from './geocoding/routes.ts'
import { packLongAnswers } from './http/answers/compress.ts'
import { answerUnreadable, createConnections } from './http/connections/connections.ts'
import { listen } from './http/connections/listen.ts'
import { sendRefusal } from './http/errors.ts'
import { mountApps } from './http/pages/apps.ts'
import { showNotFound } from './http/pages/refusals.ts'
import { openAccessLog } from './http/requests/access-log.ts'
import { leaveUnread } from './http/requests/body.ts'
import type { KeepPicture } from './http/requests/upload.ts'
import { mountOperations, refuseMethod } from './http/route.ts'
import { listenForMetrics, type MetricsListener } from './http/site/metrics.ts'
import { mountSite } from './http/site/site.ts'
import { loadingRoutes } from './loading/routes.ts'
import { messageRoutes } from './messages/routes.ts'
import { type Keyring, openKeyring } from './organisations/authenticate.ts'
import { findFirstOrganisation } from './organisations/queries.ts'
import { organisationRoutes } from './organisations/routes.ts'
import { peopleRoutes } from './people/routes.ts'
import { sessionAuthenticator } from './people/sign-in.ts'
import { planningRoutes } from './planning/routes.ts'
import { printingRoutes } from './printing/routes.ts'
import { proofRoutes } from './proof/routes.ts'
import { reasonRoutes } from './reasons/routes.ts'
import { scheduleRoutes } from './schedules/routes.ts'
import { taskRoutes } from './tasks/routes.ts'
import { teamRoutes } from './teams/routes.ts'
import { trackingRoutes } from './tracking/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export interface App {
  /** Listens and returns an address that can be opened. */
  listen(): Promise<string>
  /** Refuses new requests, finishes running ones. */
  close(): Promise<void>
}

/**
 * An idle connection cannot be closed without the risk that a request is just arriving. So at first only new
 * connections are refused, and for this long every answer closes its connection. Then unused ones are closed. A quarter
 * of a second was too short for callers on a busy machine.
 */
const partingMs = 1_000

/** Nothing is cached unless a response says so, browsers do not guess content types, and search engines list nothing. */
const everywhere = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
}

/** `http/route` reads and checks by the table of operations, so Fastify need not load its compilers: a start is faster. */
const noSchemas = { buildValidator: refuseSchema, buildSerializer: refuseSchema }

function refuseSchema(): never {
  throw new Error('A route has a schema of its own; schemas belong into the table of operations')
}

/** The list of everything the server answers, in order. */
export function createApp(service: Service, pages?: string): App {
  const { config, database, log, metrics } = service
  let stage: 'open' | 'leaving' | 'closed' = 'open'
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendRefusal(error, request, reply, log)

  const app: FastifyInstance = Fastify({
    serverFactory: (handle) => createConnections(handle, config.trustProxy),
    // One hop: a client can fake entries further left in X-Forwarded-For.
    trustProxy: config.trustProxy && ((_address, hop) => hop === 0),
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 1_000, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply.headers(everywhere)),
    clientErrorHandler: answerUnreadable,
    return503OnClosing: false,
    schemaController: { compilersFactory: noSchemas },
    // On an overloaded machine a start is slow, not stuck.
    pluginTimeout: 60_000,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', leaveUnread)
  const accessLog = config.accessLog ? openAccessLog(config.accessLog, log) : undefined
  app.addHook('onRequest', async (request, reply) => {
    accessLog?.follow(request, reply)
    reply.headers({ 'x-request-id': request.id, ...everywhere })
    if (stage !== 'open') reply.header('connection', 'close')
    if (stage === 'closed')
      throw new Refusal('OVERLOADED', { message: 'The service is restarting', retryAfterSeconds: 2 })
  })
  app.addHook('onResponse', async (request, reply) => {
    const { operation } = request.routeOptions.config as { operation?: string }
    if (operation) metrics.requestSeconds.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  packLongAnswers(app)
  app.setErrorHandler(refuse)
  mountSite(app, service, {
    isDraining: () => stage !== 'open',
    hasOrganisation: async () => (await findFirstOrganisation(database.everyone)) !== undefined,
  })
  if (config.role !== 'worker') mountApps(app, service, pages)
  app.setNotFoundHandler((request, reply) => {
    if (config.role !== 'worker') refuseMethod(request, reply)
    const page = showNotFound(request, reply)
    if (!page) throw new Refusal('NOT_FOUND')
    return page
  })
  const keyring = openKeyring(database.everyone, log, service.notices)
  // A worker process answers only the probes.
  const closing = new AbortController()
  if (config.role !== 'worker') mountApi(app, service, keyring, pages, closing.signal)

  let metricsListener: MetricsListener | undefined
  return {
    async listen() {
      metricsListener = await listenForMetrics(service)
      if (metricsListener) log.info(`Metrics at ${metricsListener.url}`)
      return listen(app, config)
    },
    async close() {
      stage = 'leaving'
      closing.abort()
      await Promise.race([stopListening(app), pause(partingMs, undefined, { ref: false })])
      stage = 'closed'
      await app.close()
      await keyring.close()
      await accessLog?.close()
      metricsListener?.close()
    },
  }
}

/** Resolves when the last connection is closed. Node's own `close` would also close idle ones. */
const stopListening = ({ server }: FastifyInstance) =>
  new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve()))

function mountApi(
  app: FastifyInstance,
  service: Service,
  keyring: Keyring,
  pages: string | undefined,
  closing: AbortSignal,
) {
  const { everyone } = service.database
  const authenticators = {
    key: keyring.authenticate,
    driver: driverAuthenticator(everyone),
    device: deviceAuthenticator(everyone),
    session: sessionAuthenticator(everyone),
  }
  const handlers = {
    ...organisationRoutes(keyring),
    ...peopleRoutes(service),
    ...taskRoutes,
    ...placeRoutes,
    ...cashRoutes,
    ...driverRoutes,
    ...teamRoutes,
    ...loadingRoutes,
    ...fieldRoutes,
    ...fileRoutes,
    ...formRoutes,
    ...trackingRoutes(service, pages),
    ...planningRoutes,
    ...proofRoutes,
    ...printingRoutes,
    ...reasonRoutes,
    ...scheduleRoutes,
    ...messageRoutes,
    ...webhookRoutes,
    ...eventRoutes,
    ...auditRoutes,
    ...erasureRoutes,
  }
  const keep: KeepPicture = (organisationId, sent) => keepPicture(service, organisationId, sent)
  mountOperations(app, service, authenticators, handlers, keep, closing)
}
