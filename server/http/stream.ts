import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { Refusal } from '../../contract/errors.ts'
import type { Actor } from '../context.ts'

/** Whoever reads a stream, which lasts longer than what was true when it began. */
export interface StreamReader {
  /** Aborted when nobody reads any more, or we stop. */
  gone: AbortSignal
  /** What they may do now; undefined if what they came with no longer works. */
  rights(): Promise<readonly string[] | undefined>
}

/** So many at a time for one key or one person, in this process, and for all of them. */
const mostOfOne: Partial<Record<Actor['type'], number>> = { API: 200, ADMIN: 20 }
const mostOfOther = 5
const mostInAll = 5_000

/** Opens streams until `closing`, and no more than one caller, or this process, can do with. */
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

/** By hand, not by AbortSignal.any: the process lives long, its readers come by the hundred thousand. */
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

/** Whoever takes nothing for so long, though there is something to take, is cut off; they know where to resume. */
const mostStalledMs = 60_000
/** When we stop, so long for the last words of a stream whose reader takes them. */
const lastWordsMs = 500

/**
 * Sends as fast as the client reads, until either side has had enough. A stream is only closed once its source is, so
 * the source has to watch `gone`: a generator that waits for something else cannot be ended from outside.
 */
function sendStream(reply: FastifyReply, source: object, gone: AbortSignal) {
  const stream = Readable.from(source as AsyncIterable<string>)
  gone.addEventListener('abort', () => {
    const cut = setTimeout(() => stream.destroy(), lastWordsMs).unref()
    // A timer that still waits for readers who have left keeps hundreds of them in memory.
    stream.once('close', () => clearTimeout(cut))
  })
  reply.raw.setTimeout(mostStalledMs)
  reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no')
  return reply.type('text/event-stream; charset=utf-8').send(stream)
}
