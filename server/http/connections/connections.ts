import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Refusal } from '../../../contract/errors.ts'
import { writeRefusal } from '../errors.ts'
import { networkOf } from '../limits/networks.ts'
import { createServer } from '../node-http.ts'
import { CountedRequest, feedInSlices } from './pieces.ts'

/*
 * How much of the server one client can use. HTTP/1.1 lets a client send requests without waiting for answers, and Node
 * starts them all, keeping each answer until the client reads it: 8 connections with 1,500 requests each for a document
 * made it grow to 3 GB. Here the requests of a connection run one after the other, so unread answers hold up
 * only their own connection.
 */

/** Browsers and proxies wait for the answer; a few libraries send ten at a time. Clients that send more are disconnected. */
const mostWaiting = 32
const mostWaitingInAll = 4_000
/**
 * A browser sends 25, and proxies add a few. Small headers take some ten times their bytes in memory: those of 4,000 waiting requests
 * with 350 each made the server grow by 240 MB.
 */
const mostHeaders = 100
/** An idle connection takes about 20 kB. */
const mostConnections = 10_000
/** From one address, or IPv6 network: an office behind one address has a few for each person. */
const mostOfOneAddress = 2_000

const headersMs = 20_000
/** How often the deadline for headers is checked. */
const checkEveryMs = 1_000
/** A client that reads nothing of an answer, or sends nothing of a request, for this long is disconnected. */
const mostStalledMs = 60_000
const keepAliveMs = 72_000
/** How many of those who closed their side are answered at once. */
const mostHalfClosed = 2
/** A request answered before it arrived completely may continue this long, so that its sender sees the answer. */
const lingerMs = 2_000

type Exchange = [request: IncomingMessage, response: ServerResponse]

/** `isProxied`: connections come from a proxy, which says in a header whose request it is. */
export function createConnections(handle: RequestListener, isProxied: boolean, headersWithinMs = headersMs): Server {
  const begin = createTurns(handle, isProxied ? createCrowd(mostOfOneAddress) : undefined)
  const server = createServer(
    {
      IncomingMessage: CountedRequest,
      connectionsCheckingInterval: checkEveryMs,
      headersTimeout: headersWithinMs,
      // Each kind of body has its own deadline (body.ts).
      requestTimeout: 0,
      keepAliveTimeout: keepAliveMs,
    },
    begin,
  )
  // Without a listener Node would ask for the body before the headers are checked.
  server.on('checkContinue', begin)
  server.setTimeout(mostStalledMs)
  server.maxConnections = mostConnections
  // A client that has said all it wants to say still waits for the answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  feedInSlices(server)
  if (!isProxied) boundConnections(server)
  return server
}

function boundConnections(server: Server) {
  const crowd = createCrowd(mostOfOneAddress)
  server.on('connection', (socket) => {
    const leave = crowd.enter(networkOf(socket.remoteAddress ?? ''))
    if (leave) socket.once('close', leave)
    else writeRefusal(socket, tooManyOfOne())
  })
}

const tooManyOfOne = () =>
  new Refusal('RATE_LIMITED', { message: 'Too many connections from this address', retryAfterSeconds: 5 })

type Crowd = ReturnType<typeof createCrowd>

/** Counts connections by address. */
function createCrowd(most: number) {
  const present = new Map<string, number>()
  return {
    /** Returns what to call on disconnect; undefined if there are too many from this address. */
    enter(address: string): (() => void) | undefined {
      const count = present.get(address) ?? 0
      if (count >= most) return undefined
      present.set(address, count + 1)
      return () => {
        const left = (present.get(address) as number) - 1
        if (left > 0) present.set(address, left)
        else present.delete(address)
      }
    },
  }
}

/** Starts a request once the previous one on the same connection is answered and its answer is being sent. */
function createTurns(handle: RequestListener, crowd: Crowd | undefined) {
  const lines = new WeakMap<Socket, Exchange[]>()
  const known = new WeakSet<Socket>()
  const enterHalfClosed = createGate(mostHalfClosed)
  let waiting = 0

  function begin(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request
    if (socket.destroyed) return
    if (request.rawHeaders.length > mostHeaders * 2) return refuse(socket, tooManyHeaders(), response)
    const line = lines.get(socket)
    if (!line) {
      lines.set(socket, [])
      if (known.has(socket)) void answer(request, response)
      else {
        known.add(socket)
        afterNextRead(() => void answer(request, response))
      }
    } else if (line.length >= mostWaiting || waiting >= mostWaitingInAll) cutOff(socket)
    else {
      line.push([request, response])
      waiting += 1
    }
  }

  /** Who has closed their side may wait for the answer or be gone, which shows only when we write: others come first. */
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request
    if (socket.readableEnded && !socket.destroyed) {
      const leave = await enterHalfClosed()
      if (socket.destroyed) leave()
      else response.once('prefinish', leave).once('close', leave)
    }
    if (socket.destroyed) follow(socket)
    else start(request, response)
  }

  function start(request: IncomingMessage, response: ServerResponse) {
    const { socket } = request
    const leave = crowd && enter(crowd, request)
    response.once('close', () => {
      leave?.()
      if (!request.complete && !socket.destroyed) cutOffLater(request)
      follow(socket)
    })
    if (crowd && !leave) writeRefusal(socket, tooManyOfOne())
    else handle(request, response)
  }

  function follow(socket: Socket) {
    const line = lines.get(socket) as Exchange[]
    const next = socket.destroyed ? undefined : line.shift()
    if (next) {
      waiting -= 1
      void answer(...next)
    } else {
      // The waiting requests of a client that disconnected are not started.
      waiting -= line.length
      lines.delete(socket)
    }
  }

  return begin
}

/** Lets in this many at once, in the order they came. Returns what to call on leaving; a second call does nothing. */
function createGate(most: number) {
  const line: (() => void)[] = []
  let inside = 0
  return async () => {
    if (inside >= most) await new Promise<void>((enter) => line.push(enter))
    else inside += 1
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      // The place of who leaves goes to the next in line.
      const next = line.shift()
      if (next) next()
      else inside -= 1
    }
  }
}

/**
 * Node accepts one connection in each turn of its loop, so hundreds wait while turns are long, and what their clients sent
 * can be read even after they have gone: that they have, we learn with the next read.
 */
const afterNextRead = (start: () => void) => void setImmediate(() => setImmediate(start))

const tooManyHeaders = () =>
  new Refusal('PAYLOAD_TOO_LARGE', { message: `A request can have at most ${mostHeaders} headers` })

/** Input that is not HTTP gets the same kind of answer. */
export const answerUnreadable = ({ code }: Error & { code?: string }, socket: Socket) =>
  refuse(socket, unreadable(code))

/** Ends the connection with an answer, unless another one than `own` is being sent. */
function refuse(socket: Socket & { _httpMessage?: unknown }, refusal: Refusal, own?: ServerResponse) {
  if (socket._httpMessage === own) writeRefusal(socket, refusal, own && lingerMs)
  else socket.destroy()
}

function unreadable(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('REQUEST_TIMEOUT')
  if (code !== 'HPE_HEADER_OVERFLOW') return new Refusal('BAD_REQUEST')
  return new Refusal('PAYLOAD_TOO_LARGE', { message: 'The URL or the headers are too long' })
}

/** The last address is the one the proxy itself saw; a client can fake the others. */
function enter(crowd: Crowd, { headers, socket }: IncomingMessage) {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
  const address = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim()
  return crowd.enter(networkOf(address || (socket.remoteAddress ?? '')))
}

function cutOffLater(request: IncomingMessage) {
  const timer = setTimeout(() => request.socket.destroy(), lingerMs).unref()
  request.once('close', () => clearTimeout(timer))
}

/**
 * By now Node has an object for every request it has read. When the connection closes, it creates two errors for each,
 * and most of the time went into their stacks, all alike: with 24 clients that flood and reconnect, a legitimate
 * request waited 1.3 to 1.9 s (p99), and 0.2 to 0.3 s without the stacks.
 */
function cutOff(socket: Socket) {
  if (socket.destroyed) return
  const { stackTraceLimit } = Error
  socket.prependListener('close', () => {
    Error.stackTraceLimit = 0
  })
  socket.on('close', () => {
    Error.stackTraceLimit = stackTraceLimit
  })
  socket.destroy()
}
