import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import { createHoldings, free, type Holdings } from '../limits/holdings.ts'

/** An operation that needs a body reads it once the caller is known. */
export const leaveUnread = (_: FastifyRequest, __: unknown, done: (error: null) => void) => done(null)

export interface BodyLimits {
  mostBytes: number
  /** From the first byte to the last. */
  withinMs: number
}

export const jsonLimits: BodyLimits = { mostBytes: 2 * 1024 * 1024, withinMs: 30_000 }
/** For callers without credentials: an address, a password, a code. */
export const strangerLimits: BodyLimits = { mostBytes: 16 * 1024, withinMs: 10_000 }

/** How much memory all bodies together may use, from their first byte until their request is answered. */
const mostHeldBytes = 64 * 1024 * 1024

const isJson = (type: string | undefined) =>
  type === undefined || /^\s*application\/(\w[\w.-]*\+)?json\s*(;|$)/i.test(type)

const rawBodies = new WeakMap<FastifyRequest, Buffer>()
const nothing = Buffer.alloc(0)

/** For a body that is not kept: what distinguishes it from others. */
export const keepFingerprint = (request: FastifyRequest, sha256: Buffer) => void rawBodies.set(request, sha256)

/** The body bytes of a request with an Idempotency-Key. */
export const rawBodyOf = (request: FastifyRequest) => rawBodies.get(request) ?? nothing

export type ReadBody = ReturnType<typeof createBodyReader>

/** Whether a page without script has sent it. */
export const isForm = ({ headers }: FastifyRequest) =>
  /^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')

/** Reads JSON bodies, and those of forms where they are allowed. An empty one is an empty object, whatever its type. */
export function createBodyReader(mostBytesInAll = mostHeldBytes) {
  const holdings = createHoldings(mostBytesInAll)

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    limits: BodyLimits,
    takesForms = false,
  ): Promise<unknown> => {
    const { headers, raw } = request
    const comesFromForm = takesForms && isForm(request)
    const length = Number(headers['content-length'] ?? 0)
    if (length === 0 && headers['transfer-encoding'] === undefined) return {}
    if (length > limits.mostBytes) throw new Refusal('PAYLOAD_TOO_LARGE')
    if (length > 0 && !comesFromForm) requireJson(request)
    if (headers.expect !== undefined) reply.raw.writeContinue()
    const body = await collect(raw, reply, limits, holdings)
    if (body.length === 0) return {}
    if (comesFromForm) return readForm(body)
    requireJson(request)
    if (headers['idempotency-key'] !== undefined) rawBodies.set(request, body)
    return parse(body)
  }
}

/** Forms send each line end as two characters, while the page counts it as one. */
const readForm = (body: Buffer) =>
  Object.fromEntries(
    [...new URLSearchParams(body.toString('utf8'))].map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]),
  )

function requireJson({ headers }: FastifyRequest) {
  if (!isJson(headers['content-type'])) throw new Refusal('UNSUPPORTED_MEDIA_TYPE')
}

/** Smaller ones are parsed in milliseconds, however deep they are. */
const worthChecking = 256 * 1024
/** A megabyte of open brackets took the parser and the garbage collector 0.6 s; it is those deep inside that cost. */
const deep = 1_000
const mostDeep = 150_000

function isTooDeep(body: Buffer): boolean {
  let depth = 0
  let openedDeep = 0
  let isInText = false
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === quote) isInText = !isInText
    else if (isInText) at += Number(byte === backslash)
    else if (byte === openList || byte === openObject) {
      depth += 1
      if (depth > deep) openedDeep += 1
    } else if (byte === closeList || byte === closeObject) depth -= 1
  }
  return openedDeep > mostDeep
}
const [quote, backslash, openList, openObject, closeList, closeObject] = Buffer.from('"\\[{]}')

function parse(body: Buffer): unknown {
  if (body.length > worthChecking && isTooDeep(body))
    throw new Refusal('INVALID_JSON', { message: 'The body is nested too deep' })
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new Refusal('INVALID_JSON', { message: `The body is not valid JSON: ${(error as Error).message}` })
  }
}

const tooMuchAtOnce = () =>
  new Refusal('OVERLOADED', { message: 'The server is receiving too much data at the moment', retryAfterSeconds: 2 })

function collect(stream: IncomingMessage, { raw }: FastifyReply, limits: BodyLimits, holdings: Holdings) {
  const chunks: Buffer[] = []
  let length = 0
  const { done, fail } = receive(stream, limits, (chunk) => {
    length += chunk.length
    if (length > limits.mostBytes) return fail(new Refusal('PAYLOAD_TOO_LARGE'))
    chunks.push(chunk)
    holdings.add(holder, chunk.length)
  })
  const holder = { drop: () => fail(tooMuchAtOnce()) }
  return done.then(
    () => {
      holdings.settle(holder)
      raw.once('close', () => holdings.release(holder))
      if (chunks.length === 1) return chunks[0] as Buffer
      const body = Buffer.concat(chunks, length)
      chunks.forEach(free)
      return body
    },
    (error) => {
      holdings.release(holder)
      chunks.forEach(free)
      throw error
    },
  )
}

/** Passes data on as it arrives, until the end or the deadline. `fail` ends it early. */
export function receive(
  stream: IncomingMessage,
  { withinMs }: Pick<BodyLimits, 'withinMs'>,
  take: (chunk: Buffer) => void,
) {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  const fail = (error: unknown) => {
    finish()
    // The rest is discarded as it arrives; connections.ts ends that soon.
    stream.on('data', free).resume()
    reject(error)
  }
  const onEnd = () => {
    finish()
    resolve()
  }
  const onClose = () => fail(new Refusal('BAD_REQUEST', { message: 'The request ended before its body did' }))
  const deadline = setTimeout(() => fail(new Refusal('REQUEST_TIMEOUT')), withinMs)
  function finish() {
    clearTimeout(deadline)
    stream.off('data', take).off('end', onEnd).off('close', onClose)
  }
  stream.on('data', take).on('end', onEnd).on('close', onClose)
  // Otherwise it would be an uncaught error; the close of the stream tells us enough.
  stream.on('error', () => {})
  return { done, fail }
}
