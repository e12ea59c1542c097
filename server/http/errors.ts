import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, presentRefusal, Refusal } from '../../contract/errors.ts'
import { isDiskFull, isOverloaded, isReadOnly, isUnavailable } from '../db/faults.ts'
import type { Log } from '../log.ts'
import { STATUS_CODES } from './node-http.ts'

/** The framework's own refusals, in our words. */
const framework: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_JSON',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_ASYNC_CONSTRAINT: 'NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
}

const isFolderFull = (error: unknown) => /^(ENOSPC|EDQUOT)$/.test(String((error as { code?: unknown })?.code))

/** Any error as a refusal that reveals no internals. */
export function refusalFrom(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (isDiskFull(error) || isFolderFull(error)) return new Refusal('DISK_FULL', { retryAfterSeconds: 10 })
  if (isOverloaded(error)) return new Refusal('OVERLOADED', { retryAfterSeconds: 2 })
  if (isReadOnly(error))
    return new Refusal('OVERLOADED', {
      message: 'The database does not accept writes at the moment; try again shortly',
      retryAfterSeconds: 2,
    })
  if (isUnavailable(error))
    return new Refusal('OVERLOADED', {
      message: 'The database cannot be reached; try again shortly',
      retryAfterSeconds: 2,
    })
  const { code = '', statusCode = 500 } = error as { code?: string; statusCode?: number }
  // Anything else a library refuses is also the caller's mistake.
  return new Refusal(framework[code] ?? (statusCode >= 400 && statusCode < 500 ? 'BAD_REQUEST' : 'INTERNAL'))
}

export const errorBody = (refusal: Refusal, requestId: string) => ({
  success: false,
  error: { ...presentRefusal(refusal), ...(refusal.details && { details: refusal.details }), requestId },
})

/** Our own failures are logged, refusals are not. */
export function logFailure(error: unknown, refusal: Refusal, request: FastifyRequest, log: Log) {
  if (refusal.status < 500) return
  log.error(
    // The log already says that the disk is full; a stack for every request would only fill it more.
    { ...(refusal.code !== 'DISK_FULL' && { err: error }), requestId: request.id },
    `${request.method} ${request.routeOptions.url ?? 'unknown'} failed`,
  )
}

export function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log) {
  const refusal = refusalFrom(error)
  reply.header('x-request-id', request.id)
  logFailure(error, refusal, request, log)
  if (refusal.retryAfterSeconds) reply.header('retry-after', refusal.retryAfterSeconds)
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.code(refusal.status).send(errorBody(refusal, request.id))
}

/** The same by hand, if there is no request to answer; then closes the connection. */
export function writeRefusal(socket: Socket, refusal: Refusal, lingerMs = 0) {
  if (!socket.writable) return
  const requestId = randomUUID()
  const body = JSON.stringify(errorBody(refusal, requestId))
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'cache-control: no-store',
    ...(refusal.retryAfterSeconds ? [`retry-after: ${refusal.retryAfterSeconds}`] : []),
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  hangUp(socket, lingerMs)
}

/** Closes a connection to which everything was said. At once, with unread data, would take the answer back. */
export function hangUp(socket: Socket, lingerMs = 0) {
  socket.end()
  if (lingerMs > 0) setTimeout(() => socket.destroy(), lingerMs).unref()
  else socket.destroySoon()
}
