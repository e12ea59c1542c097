import { constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createHoldings, type Holdings } from '../limits/holdings.ts'
import { chooseEncoding } from '../requests/encoding.ts'

/**
 * Anything shorter fits into the first packets of a connection, so compressing would not make it arrive sooner. So
 * single tasks are sent as they are, and lists compressed.
 */
const worthwhile = 10_000

const encodings = {
  zstd: (text: string, done: (error: Error | null, packed: Buffer) => void) => zstdCompress(text, done),
  // The fastest level: 1,000 tasks (1.3 MB) take 13 ms instead of 27, and are a tenth larger. zstd takes 6.
  gzip: (text: string, done: (error: Error | null, packed: Buffer) => void) =>
    gzip(text, { level: constants.Z_BEST_SPEED }, done),
} as const
const names = Object.keys(encodings) as (keyof typeof encodings)[]

/** How many bytes of long answers are held for clients that have not read them yet. */
const mostUnreadBytes = 64 * 1024 * 1024

/** Compresses long answers for clients that accept it, off the main thread. */
export function packLongAnswers(app: FastifyInstance) {
  const unread = createHoldings(mostUnreadBytes)
  // The client is gone, so there is nothing to write.
  app.addHook('preSerialization', (_, reply, payload, done) => done(null, reply.raw.destroyed ? {} : payload))
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < worthwhile) return done(null, payload)
    reply.header('vary', 'accept-encoding')
    const encoding = chooseEncoding(request.headers['accept-encoding'], names)
    if (!encoding) {
      hold(unread, reply, payload.length)
      return done(null, payload)
    }
    encodings[encoding](payload, (error, packed) => {
      if (error) return done(error)
      hold(unread, reply, packed.length)
      reply.header('content-encoding', encoding).removeHeader('content-length')
      done(null, packed)
    })
  })
}

function hold(unread: Holdings, { raw }: FastifyReply, bytes: number) {
  const holder = { drop: () => raw.destroy() }
  raw.once('close', () => unread.release(holder))
  unread.add(holder, bytes)
}
