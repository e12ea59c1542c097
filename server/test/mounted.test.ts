import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { amountsOf, seedOr, tellNumbers } from './proofs.ts'
import { seededRandom } from './random.ts'
import { startServer } from './server.ts'

/*
 * Hostile addresses and headers are sent to everything the server has mounted, pages and files included. The framework
 * itself lists what is mounted, so nothing can be missing here.
 */
const seed = seedOr(20_261_115)
const requestCount = amountsOf('strays').requests

const mounted = new Set<string>()
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  fastify.addHook('onRoute', ({ url }) => void mounted.add(url))
})

const segments = [
  '%2e%2e%2fpackage.json',
  '%00',
  '%2e',
  '..',
  '.',
  '%5c..%5cpackage.json',
  '%ff',
  '%c0%ae%c0%ae',
  '%zz',
  '%',
  'x'.repeat(1_200),
  '%F0%9F%9A%9A',
  ';a=b',
  '%25%30%30',
  "'--",
  '-1',
  '9007199254740993',
  'constructor',
  '%0d%0ax:y',
]
const endings = ['', '', '/', '//', '?', '?a[]=1&a=2', '?limit=%00', '?__proto__[x]=1', `?q=${'y'.repeat(3_000)}`]
const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND']
const headers: Record<string, string>[] = [
  {},
  { accept: 'text/html' },
  { accept: '\u00ff', 'accept-encoding': 'br;q=x, , gzip;;', 'accept-language': ';' },
  { range: 'bytes=99999999999999999999-' },
  { range: 'bytes=-0,0-0,5-1', 'if-range': 'x' },
  { 'if-none-match': '*', 'if-modified-since': 'yesterday', 'if-match': '"x"' },
  { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  { host: 'a b', 'x-forwarded-for': '::ffff:999.1', 'x-forwarded-proto': 'javascript', 'x-forwarded-host': '\u00e9' },
  { cookie: 'waybill=;;=x; waybill', origin: 'null' },
  { authorization: 'Basic ====' },
  { 'content-type': 'multipart/form-data; boundary=', 'content-length': '3' },
  { 'content-type': 'application/json; charset=utf-16', 'content-length': '3' },
  { 'last-event-id': '%00', 'idempotency-key': '\u0080' },
]

function ask(url: string, agent: Agent, method: string, path: string, sent: Record<string, string>) {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const outgoing = request(url, { agent, method, path, headers: sent }, async (response) => {
    const text = Buffer.concat(await response.toArray().catch(() => [])).toString()
    const { statusCode = 0, headers } = response
    if (statusCode >= 500) resolve(`answered ${statusCode} ${text.slice(0, 200)}`)
    else if (!headers['x-request-id']) resolve(`answered ${statusCode} without a request id`)
    else if (statusCode >= 400 && !/<h1>|"success":false/.test(text) && method !== 'HEAD')
      resolve(`answered ${statusCode} ${text}`)
    else resolve(undefined)
  })
  outgoing.on('error', (error) => resolve(`failed: ${error.message}`))
  outgoing.end(sent['content-length'] ? '{"x' : undefined)
  return promise
}

test('no route fails with an internal error, however a stranger calls it', async (t) => {
  const { url } = await startServer(t)
  for (const path of ['/', '/docs', '/brand.svg', '/metrics', '/map/tiles.pmtiles', '/api/v1/tasks/:taskId'])
    assert.ok(mounted.has(path), `${path} is mounted`)
  const paths = [...mounted]
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  t.after(() => agent.destroy())
  const failures = new Map<string, string>()

  let next = 0
  const work = async () => {
    while (next < requestCount) {
      const number = next++
      const random = seededRandom(seed + number)
      const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
      const known = pick(paths).replace(/:\w+|\*/g, () => pick(segments))
      const path = `${random() < 0.33 ? `${known.replace(/\/$/, '')}/${pick(segments)}` : known}${pick(endings)}`
      const [method, sent] = [pick(methods), { ...pick(headers), ...pick(headers) }]
      const wrong = await ask(url, agent, method, path, sent)
      if (wrong)
        failures.set(
          `${path.split('/')[1]} ${wrong.slice(0, 40)}`,
          `${number}: ${method} ${path} ${JSON.stringify(sent)}: ${wrong}`,
        )
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  assert.deepEqual([...failures.values()], [], `seed ${seed}`)
  tellNumbers(t, 'strays', { requests: requestCount, routes: paths.length })
})
