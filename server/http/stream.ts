import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import type { Actor } from '../context.ts'

/** The reader of a stream, whose rights may change while it lasts. */
export interface StreamReader {
  /** Aborted when the reader leaves or we stop. */
  gone: AbortSignal
  /** What they may do now; undefined if their key or session no longer works. */
  rights(): Promise<readonly string[] | undefined>
}

/** The most open streams in this process: per key, per person, and in total. */
const mostOfOne: Partial<Record<Actor['type'], number>> = { API: 200, ADMIN: 20 }
const mostOfOther = 5
const mostInAll = 5_000

/** Opens streams until `closing`, within the limits per caller and process. */
export function createStreams(closing: AbortSignal) {
  const open = new Map<string, number>()
  let total = 0

  function enter({ type, id }: Actor) {
    const most = mostOfOne[type] ?? mostOfOther
    const who = `${type} ${id}`
    const count = open.get(who) ?? 0
    if (count >= most) throw tooMany(`There are already ${most} streams open for this caller; close one first`)
    if (total >= mostInAll) throw tooMany(`This server already has ${mostInAll} streams open`)
    open.set(who, count + 1)
    total += 1
    return () => {
      total -= 1
      const left = (open.get(who) as number) - 1
      if (left > 0) open.set(who, left)
      else open.delete(who)
    }
  }

  return async (
    reply: FastifyReply,
    actor: Actor,
    rights: StreamReader['rights'],
    source: (reader: StreamReader) => Promise<object>,
  ) => {
    const leave = enter(actor)
    reply.raw.once('close', leave)
    const gone = goneSignal(reply, closing)
    return sendStream(reply, await source({ gone, rights }), gone)
  }
}

const tooMany = (message: string) => new Refusal('RATE_LIMITED', { message, retryAfterSeconds: 10 })

/** By hand instead of AbortSignal.any: the process lives long and has hundreds of thousands of readers. */
function goneSignal({ raw }: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController()
  const leave = () => {
    closing.removeEventListener('abort', leave)
    gone.abort()
  }
  if (raw.destroyed || closing.aborted) leave()
  else closing.addEventListener('abort', leave)
  raw.once('close', leave)
  return gone.signal
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
