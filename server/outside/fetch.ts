import dns from 'node:dns/promises'
import net, { type Socket } from 'node:net'
import { Agent, type buildConnector, type Dispatcher } from 'undici'
import { createAddressJudge, describeForbidden, judgeUrl, type OutsidePolicy } from './addresses.ts'
import { explainConnectFailure, openSocket } from './connect.ts'
import { errorCode, OutsideError } from './fault.ts'

/*
 * Every outgoing HTTP request goes through here. Urls come from strangers, who may point them at our own network. So we
 * resolve a name ourselves, check every address it has, and connect to a checked address, even if the name changes a
 * moment later. Proxies are not used and redirects not followed, because both would connect to an address that was not
 * checked.
 */

export interface OutsideRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  /** Names in lower case. */
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** For the whole request: waiting for a connection, resolving, connecting, sending, and reading the answer. */
  timeoutMs: number
  signal?: AbortSignal
  /** More than this is not read, and the connection is dropped. */
  maxBytes?: number
}

export interface Answer {
  status: number
  headers: Record<string, string>
  /** The body as text; `bytes` is the same unchanged. */
  body: string
  bytes: Buffer
  /** The body was longer than `maxBytes`. */
  truncated: boolean
  durationMs: number
}

export interface Outside {
  /** The parsed url, or throws if it is forbidden. What its name resolves to is checked at every connect. */
  judge(url: string): URL
  /** Any status is an answer; without one it throws an OutsideError. */
  send(request: OutsideRequest): Promise<Answer>
  /** Aborts everything that is still running. */
  close(): Promise<void>
}

export type Lookup = (hostname: string) => Promise<{ address: string }[]>

interface OutsideOptions {
  lookup?: Lookup
  connectionsPerOrigin?: number
}

const defaultMaxBytes = 64 * 1024
const connectMs = 10_000
/** Trying a dead address must leave time for the next address of the name, typically IPv4 after a broken IPv6. */
const connectMsWhileOthersAreLeft = 2_000

export function createOutside(policy: OutsidePolicy, options: OutsideOptions = {}): Outside {
  const forbids = createAddressJudge(policy)
  const resolve = shareWhileRunning(options.lookup ?? ((hostname) => dns.lookup(hostname, { all: true })))
  const closing = new AbortController()

  async function findAddresses(hostname: string): Promise<string[]> {
    if (net.isIP(hostname)) return [hostname]
    const found = await resolve(hostname).catch((error) => {
      throw new OutsideError('unresolved', `The name ${hostname} cannot be resolved`, error)
    })
    if (found.length === 0) throw new OutsideError('unresolved', `The name ${hostname} has no address`)
    return found.map(({ address }) => address)
  }

  async function connect({ protocol, hostname, port }: buildConnector.Options): Promise<Socket> {
    const addresses = await findAddresses(hostname)
    // One forbidden address blocks the name, so that adding a good one does not help an attacker.
    for (const address of addresses) {
      const reason = forbids(address)
      if (reason) throw new OutsideError('forbidden', describeForbidden(hostname, reason))
    }

    const target = { secure: protocol === 'https:', hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
    const deadline = AbortSignal.any([closing.signal, AbortSignal.timeout(connectMs)])
    let failure: unknown
    for (const [index, address] of addresses.entries()) {
      if (deadline.aborted) break
      const othersAreLeft = index < addresses.length - 1
      const patience = othersAreLeft
        ? AbortSignal.any([deadline, AbortSignal.timeout(connectMsWhileOthersAreLeft)])
        : deadline
      try {
        return await openSocket(target, address, patience)
      } catch (error) {
        failure = error
      }
    }
    throw explainConnectFailure(failure, target)
  }

  const agent = new Agent({
    // Different organisations can share a host; heavy senders limit themselves per receiver.
    connections: options.connectionsPerOrigin ?? null,
    connect: (target, callback) =>
      void connect(target).then(
        (socket) => callback(null, socket),
        (error) => callback(error, null),
      ),
    // HTTP/2 would put all deliveries to a receiver on one connection, and make them wait for its first handshake.
    allowH2: false,
    keepAliveMaxTimeout: 30_000,
    // `exchange` has one timer for the whole request.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  return {
    judge: (url) => judgeUrl(forbids, url, policy.longestUrl),
    async send(request) {
      return exchange(agent, judgeUrl(forbids, request.url, policy.longestUrl), request)
    },
    async close() {
      const reason = new OutsideError('aborted', 'The request was aborted because the server is stopping')
      closing.abort(reason)
      await agent.destroy(reason)
    },
  }
}

/** `dns.lookup` has few threads; connections to one slow name must not take more than one of them. */
function shareWhileRunning(lookup: Lookup): Lookup {
  const running = new Map<string, ReturnType<Lookup>>()
  return (hostname) => {
    const present = running.get(hostname)
    if (present) return present
    const started = lookup(hostname).finally(() => running.delete(hostname))
    running.set(hostname, started)
    return started
  }
}

const cutOff = new Error('The rest of the answer is not needed')

/** Uses undici's lowest layer, where one timer and one abort cover waiting, connecting and reading. */
function exchange(agent: Agent, url: URL, request: OutsideRequest): Promise<Answer> {
  const { timeoutMs, signal, maxBytes = defaultMaxBytes } = request
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const startedAt = performance.now()
  const chunks: Buffer[] = []
  let bytes = 0
  let status = 0
  let headers: Record<string, string | string[] | undefined> = {}
  let controller: Dispatcher.DispatchController | undefined
  let ended = false

  function end(outcome: Answer | OutsideError): void {
    if (ended) return
    ended = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    if (outcome instanceof OutsideError) {
      outcome.wasOnItsWay = controller !== undefined
      reject(outcome)
    } else resolve(outcome)
  }

  function endAndHangUp(outcome: Answer | OutsideError): void {
    end(outcome)
    controller?.abort(cutOff)
  }

  const toAnswer = (truncated: boolean): Answer => {
    const bytes = Buffer.concat(chunks).subarray(0, maxBytes)
    return {
      status,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      bytes,
      get body() {
        // `stream` drops a character that was cut in half.
        return new TextDecoder().decode(bytes, { stream: truncated })
      },
      truncated,
      durationMs: performance.now() - startedAt,
    }
  }

  const onTimeout = () => {
    const sofar = status
      ? `answered ${status}, but did not finish its answer`
      : controller
        ? 'did not answer'
        : 'did not accept the connection'
    endAndHangUp(new OutsideError('timeout', `${url.host} ${sofar} within ${timeoutMs / 1000} s`))
  }
  const onAbort = () => endAndHangUp(new OutsideError('aborted', `The request to ${url.host} was aborted`))

  const timer = setTimeout(onTimeout, timeoutMs)
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  if (ended) return promise

  agent.dispatch(
    {
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: { 'user-agent': 'Waybill', ...request.headers },
      body: request.body ?? null,
    },
    {
      onRequestStart(started) {
        controller = started
        // The request ended while it waited for a connection.
        if (ended) controller.abort(cutOff)
      },
      onResponseStart(_, code, received) {
        if (code < 200) return
        status = code
        headers = received
      },
      onResponseData(_, chunk) {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > maxBytes) endAndHangUp(toAnswer(true))
      },
      onResponseEnd() {
        end(toAnswer(false))
      },
      onResponseError(_, error) {
        end(error instanceof OutsideError ? error : explainExchangeFailure(error, url))
      },
    },
  )
  return promise
}

function explainExchangeFailure(error: Error, { host }: URL): OutsideError {
  const code = errorCode(error)
  switch (code) {
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
    case 'EPIPE':
      return new OutsideError('reset', `${host} closed the connection before answering`, error)
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return new OutsideError('aborted', 'The request was not sent because the server is stopping', error)
    default:
      return new OutsideError('protocol', `${host} did not send a valid HTTP response (${code})`, error)
  }
}
