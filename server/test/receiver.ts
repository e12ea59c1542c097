import { EventEmitter, once } from 'node:events'
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from './random.ts'
import { patienceMs } from './until.ts'

export interface Received {
  method: string
  /** Path and query, as they came. */
  url: string
  headers: IncomingHttpHeaders
  bytes: Buffer
  rawBody: string
  /** The body as JSON, or undefined if it is not. */
  body: unknown
  receivedAt: Date
}

/** What a receiver does with a request. To decide by the request, write one: `(request, response) => …`. */
export type Behaviour = (request: Received, response: ServerResponse) => void

export const answer =
  (status: number, { body = '', headers = {} }: { body?: string; headers?: Record<string, string> } = {}): Behaviour =>
  (_, response) =>
    response.writeHead(status, headers).end(body)

/** Proves that the receiver expects our webhooks: it returns the token it was asked for. */
export const echo: Behaviour = (request, response) => response.end(checkToken(request))

export const hang: Behaviour = () => {}

export const reset: Behaviour = (_, response) => response.socket?.resetAndDestroy()

export const redirect = (location: string, status = 302) => answer(status, { headers: { location } })

export const gone = answer(410)

export const tooMany = (retryAfter: string) => answer(429, { headers: { 'retry-after': retryAfter } })

export const unavailable = (retryAfter: string) => answer(503, { headers: { 'retry-after': retryAfter } })

export const huge = (bytes: number) => answer(200, { body: 'x'.repeat(bytes) })

export const late =
  (delayMs: number, behaviour: Behaviour = answer(200)): Behaviour =>
  (request, response) => {
    const timer = setTimeout(() => behaviour(request, response), delayMs)
    response.once('close', () => clearTimeout(timer))
  }

/** Answers 200 at once, then sends a byte from time to time, and never ends. */
export const drip =
  (everyMs: number): Behaviour =>
  (_, response) => {
    response.writeHead(200).flushHeaders()
    const timer = setInterval(() => response.write('.'), everyMs)
    response.once('close', () => clearInterval(timer))
  }

/** Disconnects this caller, and until it is over every new one before it can say anything. */
export const refuse =
  (begin: () => Promise<unknown>): Behaviour =>
  (_, { socket }) => {
    const { server } = socket as Socket & { server: Server }
    server.maxConnections = 0
    void begin().then(() => (server.maxConnections = Number.POSITIVE_INFINITY))
    socket?.destroy()
  }

/** Begins with one behaviour and hangs up after a while, so that a test need not wait for the sender's patience to end. */
const cutAfter =
  (delayMs: number, behaviour: Behaviour): Behaviour =>
  (request, response) => {
    behaviour(request, response)
    late(delayMs, reset)(request, response)
  }

interface Mood {
  /** The part of the requests that gets a plain 200. */
  rate?: number
  /** How long the slow kinds take. Longer than the sender's time-out makes the late answer come after it. */
  slowMs?: number
}

/**
 * Misbehaves in every way there is but 410, which would end the webhook: `queue` that one. The n-th request meets the
 * n-th choice, so that a failing test is repeated from its seed.
 */
export function misbehaveBySeed(seed: number, { rate = 0.5, slowMs = 50 }: Mood = {}): Behaviour {
  const random = seededRandom(seed)
  const kinds = [
    refuse(() => sleep(slowMs, undefined, { ref: false })),
    reset,
    cutAfter(slowMs, hang),
    cutAfter(slowMs, drip(5)),
    redirect('/elsewhere'),
    answer(500),
    unavailable('1'),
    tooMany('1'),
    huge(200_000),
    late(slowMs),
  ]
  return (request, response) => {
    const isGood = random() < rate
    const kind = kinds[Math.floor(random() * kinds.length)]!
    const behave = isGood ? answer(200) : kind
    behave(request, response)
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** A real receiver on a free port of 127.0.0.1. It answers 200 and echoes checks, until told to misbehave. */
export async function startReceiver(
  t?: { after(close: () => unknown): void },
  options: { tls?: boolean | Identity } = {},
) {
  const requests: Received[] = []
  const checks: Received[] = []
  const queued: Behaviour[] = []
  let usual = answer(200)
  let usualCheck = echo
  let taken = 0
  let connections = 0
  const arrivals = new EventEmitter().setMaxListeners(0)
  const sockets = new Set<Socket>()

  async function receive(message: IncomingMessage, response: ServerResponse) {
    const bytes = await buffer(message).catch(() => undefined)
    if (bytes === undefined) return // the sender hung up before it had said everything
    const { method = '', url = '', headers } = message
    const rawBody = bytes.toString()
    const request = { method, url, headers, bytes, rawBody, body: parseJson(rawBody), receivedAt: new Date() }

    if (method === 'GET' && checkToken(request)) {
      checks.push(request)
      return usualCheck(request, response)
    }
    requests.push(request)
    const behave = queued.shift() ?? usual
    behave(request, response)
    arrivals.emit('request')
  }

  const shown = options.tls === true ? identity : options.tls
  const server = shown ? https.createServer(shown, receive) : http.createServer(receive)
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket.once('close', () => sockets.delete(socket)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo

  async function waitFor(count: number, withinMs = patienceMs): Promise<Received[]> {
    const deadline = AbortSignal.timeout(withinMs)
    while (requests.length < count) {
      await once(arrivals, 'request', { signal: deadline }).catch(() => {
        const came = requests.map(({ method, url }) => `${method} ${url}`).join(', ') || 'nothing'
        throw new Error(`The receiver waited ${withinMs} ms for ${count} requests, but got ${requests.length}: ${came}`)
      })
    }
    return requests.slice(0, count)
  }

  async function close(): Promise<void> {
    if (!server.listening) return
    const closed = once(server.close(), 'close')
    for (const socket of sockets) socket.destroy()
    await closed
  }
  t?.after(close)

  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    port,
    /** Everything that came, in order, but for checks. */
    requests,
    checks,
    /** The number of connections, with or without a request. */
    get connections() {
      return connections
    },
    get openSockets() {
      return sockets.size
    },
    /** From now on. */
    always(behaviour: Behaviour) {
      usual = behaviour
    },
    /** For the coming requests, one each; then as usual again. */
    queue(...behaviours: Behaviour[]) {
      queued.push(...behaviours)
    },
    onCheck(behaviour: Behaviour) {
      usualCheck = behaviour
    },
    waitFor,
    /** The first request that `next` has not returned yet. */
    async next(withinMs?: number): Promise<Received> {
      const index = taken++
      try {
        return (await waitFor(index + 1, withinMs))[index]!
      } catch (error) {
        taken--
        throw error
      }
    },
    close,
  }
}

function checkToken({ url }: Received): string | null {
  return new URL(url, 'http://receiver.test').searchParams.get('check')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface Identity {
  cert: string
  key: string
}

/** Self-signed, for the name receiver.test, until 2120. The key guards nothing but tests. */
export const identity: Identity = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBbjCCAROgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1yZWNlaXZl
ci50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1yZWNlaXZlci50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAElRaO
EXl0cI/H6HKbX1DxTqL1xDjggy9NH+9IjQpCneIeVRXRs2ZRevOyD7ern22xAlC5
1bNu8a0weo13MeHSXKNMMEowDwYDVR0TAQH/BAUwAwEB/zAYBgNVHREEETAPgg1y
ZWNlaXZlci50ZXN0MB0GA1UdDgQWBBQdNPRIMxCSUANmdND9s2iiIslVajAKBggq
hkjOPQQDAgNJADBGAiEA+OVEfy9MA2t4b5jnpf+BaBu75b7ewt6oFnO1MdCmKX8C
IQCVku2aBA97emJVeF5S6zBPRweLYr9b261AzrL/y+7JYg==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgaeDTOD6rduEIkeAQ
2dDCV6ZnkhNl9htALsPLtwKg8umhRANCAASVFo4ReXRwj8focptfUPFOovXEOOCD
L00f70iNCkKd4h5VFdGzZlF687IPt6ufbbECULnVs27xrTB6jXcx4dJc
-----END PRIVATE KEY-----`,
}
