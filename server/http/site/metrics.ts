import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import { type Config, ConfigError } from '../../config.ts'
import type { Service } from '../../context.ts'
import { createServer } from '../node-http.ts'
import { credentialIn } from '../requests/credentials.ts'

/* What the process tells about itself, for Prometheus: here, here with a token, at an address of its own, or not at all. */

const path = '/metrics'

/** Where it is closed there is no such page, as anywhere else where there is none. */
export function mountMetrics(app: FastifyInstance, { config, metrics }: Pick<Service, 'config' | 'metrics'>) {
  const access = config.metrics
  if (access.kind === 'closed' || access.kind === 'address') return
  app.get(path, async ({ headers }, reply) => {
    if (access.kind === 'token' && !isSame(credentialIn(headers.authorization ?? ''), access.token))
      throw new Refusal('UNAUTHORIZED', { message: 'The metrics need their token: Authorization: Bearer …' })
    reply.type(metrics.registry.contentType)
    return metrics.registry.metrics()
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const isSame = (given: string, expected: string) => timingSafeEqual(digest(given), digest(expected))

/** One or two programs read it, every few seconds. */
const mostConnections = 20
const patienceMs = 10_000

export type MetricsListener = NonNullable<Awaited<ReturnType<typeof listenForMetrics>>>

/** Listens at the address of its own, if there is one, and answers nothing but the metrics there. */
export async function listenForMetrics({ config, metrics, log }: Pick<Service, 'config' | 'metrics' | 'log'>) {
  const access = config.metrics
  if (access.kind !== 'address') return undefined
  async function answer({ method, url }: IncomingMessage, response: ServerResponse) {
    const isWanted = (method === 'GET' || method === 'HEAD') && url?.split('?')[0] === path
    if (!isWanted) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Only /metrics is here\n')
      return
    }
    try {
      const text = await metrics.registry.metrics()
      response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text)
    } catch (err) {
      log.error({ err }, 'The metrics could not be read')
      response.writeHead(500).end()
    }
  }
  const server = createServer({ requestTimeout: patienceMs, keepAliveTimeout: 60_000 }, answer)
  server.maxConnections = mostConnections
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(access, () => resolve())
  await promise.catch((cause) => {
    throw new ConfigError(complaint(access), { cause })
  })
  const { address, port, family } = server.address() as { address: string; port: number; family: string }
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${path}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const complaint = ({ host, port }: Extract<Config['metrics'], { kind: 'address' }>) =>
  `WAYBILL_METRICS must be an address of this machine and a free port; ${host}, port ${port}, is not`
