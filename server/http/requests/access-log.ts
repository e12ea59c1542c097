import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../context.ts'
import type { Log } from '../../log.ts'
import { openLines } from './log-lines.ts'

/*
 * A line for every request, if the operator wants it. It says by which route it came, not by which address: links,
 * keys and queries have secrets in them.
 */

interface Caller {
  organisationId: number
  actor: Actor
}

const callers = new WeakMap<FastifyRequest, Caller>()

/** Whose request it is, once that is known. */
export const noteCaller = (request: FastifyRequest, caller: Caller) => void callers.set(request, caller)

export type AccessLog = ReturnType<typeof openAccessLog>

export function openAccessLog(target: string, log: Log) {
  const lines = openLines(target, (err) => log.warn({ err }, `Writing the access log to ${target} failed; retrying`))

  return {
    close: lines.close,
    /** The line is written when the answer is complete, or the client has gone. */
    follow(request: FastifyRequest, reply: FastifyReply) {
      const begunAt = performance.now()
      reply.raw.once('close', () => {
        const { raw } = reply
        const caller = callers.get(request)
        const bytes = Number(reply.getHeader('content-length') ?? raw.getHeader('content-length'))
        lines.add({
          time: new Date().toISOString(),
          requestId: request.id,
          method: request.method,
          route: request.routeOptions.url ?? null,
          status: raw.headersSent ? raw.statusCode : null,
          ms: Math.round(performance.now() - begunAt),
          bytes: Number.isFinite(bytes) ? bytes : null,
          // The client left before it had everything, or ended a stream.
          ...(!raw.writableFinished && { aborted: true }),
          address: request.ip,
          companyId: caller?.organisationId ?? null,
          actor: caller ? { type: caller.actor.type, id: caller.actor.id } : null,
        })
      })
    },
  }
}
