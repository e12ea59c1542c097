import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../contract/errors.ts'
import type { OpenFile } from '../../threads/kept.ts'
import { createHoldings } from '../limits/holdings.ts'

/** Bytes for a caller who is allowed to see them. */
export interface Download {
  type: string
  /** The name for saving it. */
  name: string
  etag: string
  /** It is for saving, not for looking at in the browser. */
  isSaved?: true
  /** `gone` is aborted when the reader has left: then nobody waits for it. */
  read(gone: AbortSignal): Promise<Buffer | OpenFile>
}

/** How many bytes are held for clients that have not read them yet: in memory, and in files that may be deleted already. */
const mostUnreadBytes = 64 * 1024 * 1024
const mostUnreadInFiles = 1024 * 1024 * 1024

/** A browser may cache it but must revalidate, because access can end. Opened directly it can run nothing. */
const headers = {
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
}

export function createDownloads() {
  const unread = createHoldings(mostUnreadBytes)
  const unreadInFiles = createHoldings(mostUnreadInFiles)

  return async (request: FastifyRequest, reply: FastifyReply, { type, name, etag, isSaved, read }: Download) => {
    if (isKnown(request.headers['if-none-match'], etag))
      return reply
        .headers({ ...headers, etag })
        .code(304)
        .send()
    const found = await read(goneOf(reply))
    const isFile = !Buffer.isBuffer(found)
    if (reply.raw.destroyed) {
      if (isFile) await found.file.close()
      throw new Refusal('BAD_REQUEST', { message: 'The client disconnected' })
    }
    const [holdings, bytes] = isFile ? [unreadInFiles, found.bytes] : [unread, found.length]
    const holder = { drop: () => reply.raw.destroy() }
    reply.raw.once('close', () => holdings.release(holder))
    holdings.add(holder, bytes)
    return reply
      .headers({ ...headers, etag, 'content-length': bytes })
      .type(type)
      .header('content-disposition', `${isSaved ? 'attachment' : 'inline'}; filename="${name}"`)
      .send(isFile ? found.file.createReadStream({ highWaterMark: 16_384 }) : found)
  }
}

/** Others may close their side and wait for the answer: whether this one does, or has left, shows when it is sent. */
function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const { socket } = raw
  const leave = () => gone.abort()
  socket?.once('end', leave)
  raw.once('close', () => {
    socket?.off('end', leave)
    leave()
  })
  return gone.signal
}

const isKnown = (known: string | undefined, etag: string) =>
  known?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')
