import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding } from '../requests/encoding.ts'

/*
 * What is the same for everyone is built once and kept as bytes. A client that requests it a thousand times without
 * reading the answers costs no more than one copy.
 */

export const documentEncodings = ['br', 'gzip'] as const
export type DocumentEncoding = (typeof documentEncodings)[number]

export interface Document {
  bytes: Buffer
  etag: string
  headers: Record<string, string>
  /** Compressed when first requested that way, unless it already is. */
  packed: Partial<Record<DocumentEncoding, Promise<Buffer>>>
}

interface Content {
  type: string
  bytes: Buffer | string
  headers?: Record<string, string>
  /** From the build, which has time to compress well. */
  packed?: Partial<Record<DocumentEncoding, Buffer>>
}

/** Shorter ones fit into a packet as they are. */
const worthwhile = 1_000
const isText = (type: string) => /^text\/|json|javascript|svg/.test(type)
const getsSmaller = (type: string) => isText(type) || type === 'application/wasm'

export function makeDocument({ type, bytes: content, headers = {}, packed = {} }: Content): Document {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  const contentType = isText(type) ? `${type}; charset=utf-8` : type
  return {
    bytes,
    etag,
    headers: { 'content-type': contentType, 'cache-control': 'no-cache', ...headers },
    packed: Object.fromEntries(Object.entries(packed).map(([name, buffer]) => [name, Promise.resolve(buffer)])),
  }
}

/** Answers with the document, compressed if the client accepts it, or with "not modified". */
export async function sendDocument(request: FastifyRequest, reply: FastifyReply, document: Document) {
  const { bytes, etag, headers } = document
  reply.headers(headers).header('etag', etag).header('vary', 'accept-encoding')
  const isKnown = reply.statusCode === 200 && request.headers['if-none-match']?.includes(etag)
  if (isKnown) return reply.code(304).send()
  const isPackable = bytes.length >= worthwhile && getsSmaller(headers['content-type'] ?? '')
  const encoding = isPackable && chooseEncoding(request.headers['accept-encoding'], documentEncodings)
  if (!encoding) return reply.send(bytes)
  document.packed[encoding] ??= pack[encoding](bytes)
  return reply.header('content-encoding', encoding).send(await document.packed[encoding])
}

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants

/** Off the main thread. The two highest levels of brotli take ten times as long and are for the build. */
const pack: Record<DocumentEncoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes) => promisify(gzip)(bytes),
}
