import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import type { Upload } from '../../../contract/file.ts'
import type { Actor } from '../../context.ts'
import { keepFingerprint, receive } from './body.ts'

/*
 * Binary bodies. On bad networks they take long, so they wait in files, not in memory, and a caller can have only a
 * few at a time.
 */

/** Bytes that have arrived, in a file that is deleted with the request. */
export interface SentBytes {
  path: string
  bytes: number
  sha256: Buffer
}

/** The result: a picture in the store. */
export interface KeptPicture {
  store_key: string
  sha256: Buffer
  type: string
  bytes: number
  width: number
  height: number
}

/** A phone sends one at a time, a page a few. */
const mostOfOne = 8
const mostInAll = 500

/** What a dead process left behind. */
const abandonedMs = 24 * 3_600_000

export type KeepPicture = (organisationId: number, sent: SentBytes) => Promise<KeptPicture>

/** Reads binary bodies into files in `folder`, which are deleted with their request. `closing` ends running uploads. */
export function createUploadReader(folder: string, keep: KeepPicture, closing: AbortSignal) {
  const present = new Map<string, number>()
  let total = 0
  let isPrepared = false

  function enter({ type, id }: Actor) {
    const who = `${type} ${id}`
    const count = present.get(who) ?? 0
    if (count >= mostOfOne || total >= mostInAll)
      throw new Refusal('RATE_LIMITED', { message: 'Too many files are being sent at once', retryAfterSeconds: 5 })
    present.set(who, count + 1)
    total += 1
    return () => {
      total -= 1
      const left = (present.get(who) as number) - 1
      if (left > 0) present.set(who, left)
      else present.delete(who)
    }
  }

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    actor: Actor,
    organisationId: number,
    limits: Upload,
  ): Promise<KeptPicture> => {
    const { headers } = request
    requireType(headers['content-type'], limits)
    if (Number(headers['content-length'] ?? 0) > limits.mostBytes) throw tooLarge(limits)
    const leave = enter(actor)
    const path = join(folder, randomUUID())
    try {
      if (!isPrepared) await prepare(folder)
      isPrepared = true
      if (headers.expect !== undefined) reply.raw.writeContinue()
      const sent = { path, ...(await write(request, path, limits, closing)) }
      keepFingerprint(request, sent.sha256)
      return await keep(organisationId, sent)
    } finally {
      leave()
      await rm(path, { force: true })
    }
  }
}

async function prepare(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const { mtimeMs = Number.POSITIVE_INFINITY } = await stat(path).catch(() => ({}) as { mtimeMs?: number })
    if (mtimeMs < Date.now() - abandonedMs) await rm(path, { force: true })
  }
}

async function write({ raw }: FastifyRequest, path: string, limits: Upload, closing: AbortSignal) {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(path, 'wx', 0o600)
  try {
    const { done, fail } = receive(raw, limits, (chunk) => {
      bytes += chunk.length
      if (bytes > limits.mostBytes) return fail(tooLarge(limits))
      hash.update(chunk)
      raw.pause()
      file.appendFile(chunk).then(() => raw.resume(), fail)
    })
    const stop = () => fail(new Refusal('OVERLOADED', { message: 'The service is restarting', retryAfterSeconds: 2 }))
    closing.addEventListener('abort', stop)
    if (closing.aborted) stop()
    await done.finally(() => closing.removeEventListener('abort', stop))
  } finally {
    await file.close()
  }
  return { bytes, sha256: hash.digest() }
}

/** The content type is not trusted, but a form or JSON is a mistake the caller should hear about. */
function requireType(type: string | undefined, { types }: Upload) {
  const isBytes = type === undefined || /^\s*(image\/|application\/octet-stream)/i.test(type)
  if (!isBytes)
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', {
      message: `The body must be the bytes of the file, with its Content-Type: ${types.join(', ')}`,
    })
}

const tooLarge = ({ mostBytes }: Upload) =>
  new Refusal('PAYLOAD_TOO_LARGE', { message: `The file is larger than ${mostBytes / 1024 / 1024} MB` })
