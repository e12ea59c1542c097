import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHoldings } from './holdings.ts'

/** Bytes for a caller who is allowed to see them. */
export interface Download {
  type: string
  /** The name for saving it. */
  name: string
  etag: string
  /** It is for saving, not for looking at in the browser. */
  isSaved?: true
  read(): Promise<Buffer>
}

/** How many bytes are held for clients that have not read them yet. */
const mostUnreadBytes = 64 * 1024 * 1024

/** A browser may cache it but must revalidate, because access can end. Opened directly it can run nothing. */
const headers = {
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
}

export function createDownloads() {
  const unread = createHoldings(mostUnreadBytes)

  return async (request: FastifyRequest, reply: FastifyReply, { type, name, etag, isSaved, read }: Download) => {
    reply.headers({ ...headers, etag })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const bytes = await read()
    const holder = { drop: () => reply.raw.destroy() }
    reply.raw.once('close', () => unread.release(holder))
    unread.add(holder, bytes.length)
    return reply
      .type(type)
      .header('content-disposition', `${isSaved ? 'attachment' : 'inline'}; filename="${name}"`)
      .send(bytes)
  }
}

const isKnown = (known: string | undefined, etag: string) =>
  known?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')
