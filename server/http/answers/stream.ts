import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import type { Actor } from '../../context.ts'

/** The reader of a stream, whose rights may change while it lasts. */
export interface StreamReader {
  /** Aborted when the reader leaves or we stop. */
  gone: AbortSignal
  /** What they may do now; undefined if their key or session no longer works. */
  rights(): Promise<readonly string[] | undefined>
}

/** Who reads: the caller, and their device if they are a driver; of someone unknown, where they are. */
export interface Audience {
  actor: Actor
  deviceId?: number | undefined
  address?: string | undefined
}

/** The most open streams of one key or person, and of one device. */
const mostOfOne: Partial<Record<Actor['type'], number>> = { API: 200, ADMIN: 20 }
const mostOfADevice = 3
/** Of customers behind one address. Their pages ask every minute if they get no stream. */
const mostOfAnAddress = 20
/** And in this process, where customers and the phones of a large fleet must leave room for the office. */
const mostInAll = { office: 5_000, devices: 4_000, customers: 800 }

/** Opens streams until `closing`, within the limits per caller and process. */
export function createStreams(closing: AbortSignal) {
  const open = new Map<string, Set<() => void>>()
  const total = { office: 0, devices: 0, customers: 0 }

  function enter(audience: Audience, gone: AbortController) {
    const { kind, who, most } = describe(audience)
    const own = open.get(who) ?? new Set()
    if (own.size >= most) {
      if (kind !== 'devices') throw tooMany(`There are already ${most} streams open for this caller; close one first`)
      // A phone that changes its network leaves open connections behind.
      for (const endOldest of [...own].slice(0, 1)) endOldest()
    }
    if (total[kind] >= mostInAll[kind]) throw tooMany(`This server already has ${mostInAll[kind]} streams open`)
    const end = () => {
      leave()
      gone.abort()
    }
    const leave = () => {
      if (!own.delete(end)) return
      total[kind] -= 1
      if (own.size === 0) open.delete(who)
    }
    open.set(who, own.add(end))
    total[kind] += 1
    return leave
  }

  return async (
    reply: FastifyReply,
    audience: Audience,
    rights: StreamReader['rights'],
    source: (reader: StreamReader) => Promise<object>,
  ) => {
    const gone = new AbortController()
    const leave = enter(audience, gone)
    reply.raw.once('close', leave)
    abortWhenGone(gone, reply, closing)
    return sendStream(reply, await source({ gone: gone.signal, rights }), gone.signal)
  }
}

function describe({ actor: { type, id }, deviceId, address }: Audience) {
  if (deviceId !== undefined) return { kind: 'devices', who: `device ${deviceId}`, most: mostOfADevice } as const
  if (address !== undefined) return { kind: 'customers', who: `from ${address}`, most: mostOfAnAddress } as const
  return { kind: 'office', who: `${type} ${id}`, most: mostOfOne[type] ?? 0 } as const
}

const tooMany = (message: string) => new Refusal('RATE_LIMITED', { message, retryAfterSeconds: 10 })

/** By hand instead of AbortSignal.any: the process lives long and has hundreds of thousands of readers. */
function abortWhenGone(gone: AbortController, { raw }: FastifyReply, closing: AbortSignal) {
  const leave = () => {
    closing.removeEventListener('abort', leave)
    gone.abort()
  }
  if (raw.destroyed || closing.aborted) leave()
  else closing.addEventListener('abort', leave)
  raw.once('close', leave)
  // Others may close their side and wait for the answer. A stream has no last answer to wait for: its reader has left, and
  // would be counted until the next heartbeat is sent in vain.
  const { socket } = raw
  const end = () => raw.destroy()
  if (socket?.readableEnded) end()
  else socket?.once('end', end)
  raw.once('close', () => socket?.off('end', end))
}

/** A reader that reads nothing for this long, though there is data, is disconnected; it can resume. */
const mostStalledMs = 60_000
/** When we stop, how long a stream may take to send its last data. */
const lastWordsMs = 500

/**
 * Sends as fast as the client reads, until either side ends it. A stream is closed only after its source, so
 * the source has to watch `gone`: a generator that waits for something else cannot be ended from outside.
 */
function sendStream(reply: FastifyReply, source: object, gone: AbortSignal) {
  const stream = Readable.from(source as AsyncIterable<string>)
  gone.addEventListener('abort', () => {
    const cut = setTimeout(() => stream.destroy(), lastWordsMs).unref()
    // A timer that still waits for readers that left would keep hundreds of them in memory.
    stream.once('close', () => clearTimeout(cut))
  })
  reply.raw.setTimeout(mostStalledMs)
  reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no')
  return reply.type('text/event-stream; charset=utf-8').send(stream)
}
