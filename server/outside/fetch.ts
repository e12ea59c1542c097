import dns from 'node:dns/promises'
import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import ipaddr from 'ipaddr.js'
import { Agent, type buildConnector, type Dispatcher } from 'undici'

/*
 * Everything that leaves this machine by HTTP leaves here. Urls come from strangers, who may point them at our own
 * network. So we resolve a name ourselves, judge every address it has, and connect to an address we judged: a name
 * that answers something else a moment later gains nothing. Proxies are not used and redirects not followed, because
 * both would connect to an address that nobody judged.
 */

export interface OutsidePolicy {
  /** Ranges (10.0.0.0/8) or single addresses that may be reached although they are private. */
  allow: string[]
  /** This machine may be reached, for a first try on one laptop. */
  loopback: boolean
}

export type OutsideFault =
  | 'invalid'
  | 'forbidden'
  | 'unresolved'
  | 'refused'
  | 'unreachable'
  | 'reset'
  | 'timeout'
  | 'tls'
  | 'protocol'
  | 'aborted'

/** Why there is no answer, in one sentence that may be shown to whoever gave the url. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError'
  readonly fault: OutsideFault

  constructor(fault: OutsideFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.fault = fault
  }
}

export interface OutsideRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  /** Names in lower case. */
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** For everything: waiting for a connection, resolving, connecting, sending, and reading the answer to its end. */
  timeoutMs: number
  signal?: AbortSignal
  /** More than this is not read, and the connection is dropped. */
  maxBytes?: number
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
  /** The body went on after `maxBytes`. */
  truncated: boolean
  durationMs: number
}

export interface Outside {
  /** The parsed url if it may be asked at all. What its name resolves to is judged again at every connect. */
  judge(url: string): URL
  /** Any status is an answer; without one it throws an OutsideError. */
  send(request: OutsideRequest): Promise<Answer>
  /** Cuts off whatever still runs. */
  close(): Promise<void>
}

export type Lookup = (hostname: string) => Promise<{ address: string }[]>

interface OutsideOptions {
  lookup?: Lookup
  connectionsPerOrigin?: number
}

const longestUrl = 2_048
const defaultMaxBytes = 64 * 1024
const connectMs = 10_000
/** A dead address must leave time for the next one of the same name, typically IPv4 after a broken IPv6. */
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
    // One bad address condemns the name, so that nobody gets in by adding a good one.
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
    connections: options.connectionsPerOrigin ?? 32,
    connect: (target, callback) =>
      void connect(target).then(
        (socket) => callback(null, socket),
        (error) => callback(error, null),
      ),
    // HTTP/2 would put all deliveries to a receiver on one connection, and make them wait for its first handshake.
    allowH2: false,
    keepAliveMaxTimeout: 30_000,
    // `exchange` has one timer for the whole of a request.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  return {
    judge: (url) => judgeUrl(forbids, url),
    async send(request) {
      return exchange(agent, judgeUrl(forbids, request.url), request)
    },
    async close() {
      const reason = new OutsideError('aborted', 'The request was cut off because the service is stopping')
      closing.abort(reason)
      await agent.destroy(reason)
    },
  }
}

/** `dns.lookup` has few threads for all names; connections to one slow name must not take more than one of them. */
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

// ---- What may be reached ----

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Says why an address may not be reached, or undefined if it may. */
type AddressJudge = (address: string) => string | undefined

const globalUnicast = ipaddr.parseCIDR('2000::/3')
const nat64 = ipaddr.parseCIDR('64:ff9b::/96')
/** Looks public, but inside Azure it is the host that hands out a machine's configuration. */
const azureHost = ipaddr.parseCIDR('168.63.129.16/32')

const rangeNames: Record<string, string> = {
  loopback: 'a loopback address',
  private: 'a private address',
  uniqueLocal: 'a private address',
  carrierGradeNat: 'a private address',
  linkLocal: 'a link-local address',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  unspecified: 'an unspecified address',
}

function createAddressJudge({ allow, loopback }: OutsidePolicy): AddressJudge {
  const allowed = allow.map(parseRange)
  return (text) => {
    const address = ipaddr.process(text)
    if (loopback && address.range() === 'loopback') return undefined
    if (isPublic(address) || allowed.some((range) => isWithin(address, range))) return undefined
    return rangeNames[address.range()] ?? 'an address reserved for special use'
  }
}

/** Only what is known to be public passes; tunnels that carry an IPv4 address inside (6to4, Teredo …) do not. */
function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !isWithin(address, azureHost)
  // Networks without IPv4 reach all of it through this prefix, so here the address inside counts.
  if (isWithin(address, nat64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)))
  return address.range() === 'unicast' && isWithin(address, globalUnicast)
}

function isWithin(address: Address, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range)
}

function parseRange(text: string): Range {
  const [address = ''] = text.split('/')
  const range = address === text ? `${text}/${net.isIPv6(text) ? 128 : 32}` : text
  // ipaddr.js alone would read 10/8 as 0.0.0.10/8.
  if (net.isIP(address) && ipaddr.isValidCIDR(range)) return ipaddr.parseCIDR(range)
  throw new Error(`"${text}" is not a range of addresses such as 10.0.0.0/8`)
}

function judgeUrl(forbids: AddressJudge, text: string): URL {
  if (text.length > longestUrl) throw new OutsideError('invalid', `The url is longer than ${longestUrl} characters`)
  const url = URL.parse(text)
  if (!url) throw new OutsideError('invalid', 'This is not a complete url such as https://example.com/hook')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new OutsideError('invalid', `The url must begin with https:// or http://, not ${url.protocol}`)
  }
  if (url.username || url.password) {
    throw new OutsideError('invalid', 'The url must not contain a user name or password')
  }
  // The URL parser has already turned 0x7f.1, 017700000001 and the like into plain addresses.
  const hostname = withoutBrackets(url.hostname)
  const reason = net.isIP(hostname) ? forbids(hostname) : undefined
  if (reason) throw new OutsideError('forbidden', describeForbidden(hostname, reason))
  return url
}

/** Never tells the address behind a name: that would let strangers read our network's internal names. */
function describeForbidden(hostname: string, reason: string): string {
  const verb = net.isIP(hostname) ? 'is' : 'leads to'
  return `${hostname} ${verb} ${reason}, which may not be reached from here`
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

// ---- Connecting ----

interface Target {
  secure: boolean
  hostname: string
  port: number
}

async function openSocket({ secure, hostname, port }: Target, address: string, signal: AbortSignal): Promise<Socket> {
  const socket = secure
    ? tls.connect({ host: address, port, ...certificateName(hostname), ALPNProtocols: ['http/1.1'] })
    : net.connect({ host: address, port })
  // An error between here and undici's own listener must not end the process.
  socket.on('error', () => {})
  socket.setNoDelay(true).setKeepAlive(true, 60_000)
  try {
    await once(socket, secure ? 'secureConnect' : 'connect', { signal })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

/** The certificate must be for the name in the url. TLS has no names that are addresses or end with a dot. */
function certificateName(hostname: string): { servername?: string } {
  return net.isIP(hostname) ? {} : { servername: hostname.replace(/\.$/, '') }
}

const certificateProblems: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'shows a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'shows a certificate of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'shows a certificate of an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'does not show the intermediate certificates that belong to its own',
  CERT_HAS_EXPIRED: 'shows an expired certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'does not speak TLS (is it http:// rather than https://?)',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'does not speak TLS (is it http:// rather than https://?)',
}

function explainConnectFailure(error: unknown, { secure, hostname, port }: Target): OutsideError {
  const where = net.isIPv6(hostname) ? `[${hostname}]:${port}` : `${hostname}:${port}`
  const code = errorCode(error)
  switch (code) {
    case 'ECONNREFUSED':
      return new OutsideError('refused', `${where} refused the connection`, error)
    case 'ECONNRESET':
      return new OutsideError('reset', `${where} closed the connection before it was ready`, error)
    case 'ETIMEDOUT':
    case 'ABORT_ERR':
      return new OutsideError('timeout', `${where} did not accept the connection in time`, error)
  }
  const problem = certificateProblems[code]
  if (problem) return new OutsideError('tls', `${where} ${problem}`, error)
  if (secure && /^(ERR_SSL|ERR_TLS|CERT_|UNABLE_|EPROTO)/.test(code)) {
    return new OutsideError('tls', `${where} could not agree with us on TLS (${code})`, error)
  }
  return new OutsideError('unreachable', `${where} cannot be reached (${code})`, error)
}

// ---- One request and its answer ----

const cutOff = new Error('We have heard enough')

/** Uses undici's lowest layer, where one timer and one way to hang up serve waiting, connecting and reading alike. */
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
    if (outcome instanceof OutsideError) reject(outcome)
    else resolve(outcome)
  }

  function endAndHangUp(outcome: Answer | OutsideError): void {
    end(outcome)
    controller?.abort(cutOff)
  }

  const toAnswer = (truncated: boolean): Answer => ({
    status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    // `stream` leaves out a character that the cut went through.
    body: new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes), { stream: truncated }),
    truncated,
    durationMs: performance.now() - startedAt,
  })

  const onTimeout = () => {
    const sofar = status
      ? `answered ${status}, but did not finish its answer`
      : controller
        ? 'did not answer'
        : 'did not accept the connection'
    endAndHangUp(new OutsideError('timeout', `${url.host} ${sofar} within ${timeoutMs / 1000} s`))
  }
  const onAbort = () => endAndHangUp(new OutsideError('aborted', `The request to ${url.host} was cut off by us`))

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
        // It waited so long for a connection that we have given up.
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
      return new OutsideError('reset', `${host} closed the connection before it had answered`, error)
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return new OutsideError('aborted', 'The request was not sent because the service is stopping', error)
    default:
      return new OutsideError('protocol', `${host} does not answer in proper HTTP (${code})`, error)
  }
}

function errorCode(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown')
}
