import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Refusal } from '../contract/errors.ts'
import type { Service } from './context.ts'
import { readBody } from './http/body.ts'
import { errorBody, sendRefusal } from './http/errors.ts'
import { mountOperations } from './http/route.ts'
import { mountSite } from './http/site.ts'
import { keyAuthenticator } from './organisations/authenticate.ts'
import { taskRoutes } from './tasks/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export interface App {
  /** Listens and returns the address. */
  listen(): Promise<string>
  /** Refuses what is new, finishes what runs. */
  close(): Promise<void>
}

/** The one list of what the server answers to, in order. */
export function createApp(service: Service): App {
  const { config, database, log, metrics } = service
  let isDraining = false
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendRefusal(error, request, reply, log)

  const app: FastifyInstance = Fastify({
    bodyLimit: 2 * 1024 * 1024,
    requestTimeout: 30_000,
    trustProxy: config.trustProxy,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 1_000, ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
    clientErrorHandler: answerUnreadable,
    return503OnClosing: false,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, readBody)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (isDraining) throw new Refusal('OVERLOADED', { message: 'The service is restarting', retryAfterSeconds: 2 })
  })
  app.addHook('onResponse', async (request, reply) => {
    const { operation } = request.routeOptions.config as { operation?: string }
    if (operation) metrics.requestSeconds.observe({ operation, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.setErrorHandler(refuse)
  app.setNotFoundHandler(() => {
    throw new Refusal('NOT_FOUND')
  })

  mountSite(app, service, () => isDraining)
  const authenticators = { key: keyAuthenticator(database.everyone), driver: keyAuthenticator(database.everyone) }
  mountOperations(app, service, authenticators, { ...taskRoutes, ...webhookRoutes })

  return {
    listen: () => app.listen({ host: config.host, port: config.port }),
    async close() {
      isDraining = true
      await app.close()
    },
  }
}

/** What cannot be read as HTTP at all gets the same kind of answer, written by hand. */
function answerUnreadable(_error: Error, socket: import('node:net').Socket) {
  if (!socket.writable) return
  const requestId = randomUUID()
  const refusal = new Refusal('INVALID_JSON', { message: 'This is not a request we can read' })
  const body = JSON.stringify(errorBody(refusal, requestId))
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${[...head, `x-request-id: ${requestId}`, 'connection: close'].join('\r\n')}\r\n\r\n${body}`)
}
