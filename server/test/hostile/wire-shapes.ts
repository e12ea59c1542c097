import { seededRandom } from '../random.ts'

/*
 * Requests as bytes, varied in every way a client can vary them: lines, headers, bodies, chunks, where they are cut, and how
 * the client leaves. What a shape is follows from its seed alone, so that whatever it finds can be repeated.
 */

export interface Shape {
  /** In words, for whoever has to find out why it hurts. */
  about: string
  /** What is written at once; between two of them the client may pause. */
  writes: Buffer[]
  pauseMs: number
  ending: (typeof endings)[number]
}

const endings = ['reads', 'reads nothing', 'closes its side', 'resets', 'leaves'] as const
/** More would occupy the client rather than the server. */
const mostWrites = 400
const mostBytes = 1_500_000

const paths = [
  '/',
  '/health',
  '/docs',
  '/openapi.json',
  '/none',
  '/%',
  '/t/abc',
  '/p/abc',
  '/console/',
  '/driver/',
  '/api/v1/tasks',
  '/api/v1/tasks?limit=1000',
  '/api/v1/session',
  '/api/v1/tasks/bulkCreate',
  '/api/v1/field/sync',
  '/api/v1/tasks/awb/%41%2f',
  '/api/v1/events/stream',
  '/api/v1/webHooks',
  '/api/v1/%00',
  '//api//v1/tasks',
]
const methods = ['GET', 'POST', 'POST', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'BREW']
/** Those that somebody takes apart. */
const listHeaders = [
  'accept',
  'accept-encoding',
  'accept-language',
  'cookie',
  'if-none-match',
  'x-forwarded-for',
  'content-type',
  'range',
  'origin',
  'forwarded',
  'authorization',
  'te',
  'connection',
  'idempotency-key',
  'x-request-id',
  'expect',
]
const grains = [
  'a',
  ',',
  ';',
  '=',
  ' ',
  '"',
  '\\',
  ';q=0.1,',
  'a=b; ',
  '1.2.3.4, ',
  'W/"x", ',
  'ro;q=0.5, ',
  '%41',
  '\t',
]
const contents: ((size: number) => string)[] = [
  (size) => `{"awb":"${'x'.repeat(size)}"}`,
  (size) => `{"a":"${'\\u0041'.repeat(size / 6)}"}`,
  (size) => `[${'1,'.repeat(size / 2)}1]`,
  (size) => `[${'{},'.repeat(size / 3)}1]`,
  (size) => '['.repeat(size),
  (size) => `{"a":${'1'.repeat(size)}}`,
  (size) => `{${Array.from({ length: size / 12 }, (_, index) => `"k${index}":1,`).join('')}"a":1}`,
  (size) => `${' '.repeat(size)}{}`,
  (size) => 'x'.repeat(size),
  (size) => '\0'.repeat(size),
]

export function makeShape(seed: number, key: string): Shape {
  const random = seededRandom(seed)
  const pick = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)] as One
  const chance = (part: number) => random() < part
  /** A few things are strange at once, not all of them: most mixtures are refused before they can do harm. */
  const usually = <One>(part: number, usual: One, others: readonly One[]) => (chance(part) ? usual : pick(others))
  /** Small numbers as often as large ones. */
  const upTo = (most: number) => Math.floor(most ** random())

  const cased = pick([
    (name: string) => name,
    (name: string) => name.toUpperCase(),
    (name: string) => name.replace(/^./, 'X'),
  ])
  const credential = pick(['', '', key, 'wrong', `Bearer ${'y'.repeat(upTo(15_000))}`])
  const method = usually(0.7, 'POST', methods)
  const path =
    usually(0.5, pick(['/api/v1/session', '/api/v1/tasks']), paths) +
    (chance(0.1) ? `?${pick(['a=1&', 'a[]=', '%41', '&', 'limit=1&']).repeat(upTo(2_000))}` : '')
  const version = usually(0.9, '1.1', ['1.0'])

  const headers: [name: string, value: string][] = [['host', 'x']]
  if (credential) headers.push(['authorization', credential])
  const extra = usually(0.5, 'none', ['many', 'repeated', 'long list'])
  const count = upTo(2_500)
  const list = pick(listHeaders)
  const grain = pick(grains)
  if (extra === 'many') for (let at = 0; at < count; at += 1) headers.push([`x${at}`, 'a'.repeat(upTo(6))])
  if (extra === 'repeated') for (let at = 0; at < count; at += 1) headers.push([list, grain])
  if (extra === 'long list') headers.push([list, grain.repeat(upTo(15_500) / grain.length)])
  if (chance(0.15)) headers.push(['expect', '100-continue'])
  if (chance(0.1)) headers.push(['connection', pick(['close', 'keep-alive', 'upgrade'])])

  const framing = usually(0.5, 'chunks', ['none', 'length', 'length', 'both', 'too long', 'too short'])
  const makeContent = pick(contents)
  const content = framing === 'none' ? '' : makeContent(pick([upTo(16_000), 16_000, upTo(400_000)]))
  const chunk = pick([1, 1, 1 + upTo(20), 64, 65, 1_000, 65_536])
  const extension = usually(0.7, '', [';a', ';a=b'.repeat(upTo(300)), `;${'x'.repeat(upTo(12_000))}`])
  const zeros = '0'.repeat(chance(0.2) ? upTo(20) : 0)
  const trailers = chance(0.1) ? upTo(500) : 0
  const isChunked = framing === 'chunks' || framing === 'both'
  if (framing !== 'none') headers.push(['content-type', chance(0.9) ? 'application/json' : 'text/plain'])
  if (isChunked) headers.push(['transfer-encoding', 'chunked'])
  const stated =
    { 'too long': content.length + 10, 'too short': content.length >> 1 }[framing as string] ?? content.length
  if (framing !== 'none' && framing !== 'chunks') headers.push(['content-length', String(stated)])
  if (chance(0.3)) headers.reverse()

  const parts = [method, ' ', path, ` HTTP/${version}`, '\r', '\n']
  for (const [name, value] of headers) parts.push(cased(name), ':', ' ', value, '\r', '\n')
  parts.push('\r', '\n')
  if (isChunked) {
    // An extension is sent again with each chunk.
    const most = Math.min(content.length, Math.ceil(mostBytes / (chunk + extension.length)) * chunk)
    for (let at = 0; at < most; at += chunk) {
      const piece = content.slice(at, at + chunk)
      parts.push(zeros + piece.length.toString(16), extension, '\r\n', piece, '\r\n')
    }
    parts.push('0', '\r\n')
    for (let at = 0; at < trailers; at += 1) parts.push(`t${at}`, ': ', 'x', '\r\n')
    parts.push('\r\n')
  } else if (content) parts.push(content)

  const depth = usually(0.6, 1, [2, 10, 31, 40, 400])
  const cut = usually(0.6, 'nowhere', ['between parts', 'evenly'])
  const request = Buffer.from(parts.join(''), 'latin1')
  const times = Math.min(depth, Math.ceil(mostBytes / request.length))
  const all = Buffer.concat(Array.from({ length: times }, () => request)).subarray(0, mostBytes)
  const even = Math.max(upTo(1_460), Math.ceil(all.length / mostWrites))
  const lengths = cut === 'between parts' ? parts.map((part) => part.length) : [cut === 'evenly' ? even : all.length]
  const pauseMs = cut === 'nowhere' ? 0 : pick([0, 1, 10, 50])
  const ending = usually(0.5, 'reads', endings)

  const about =
    `${method} ${path.slice(0, 40)} HTTP/${version}, key ${credential.slice(0, 6) || 'none'}, ${headers.length} headers ` +
    `(${extra} ${extra === 'none' || extra === 'many' ? '' : `${list} of ${JSON.stringify(grain)}`}), ` +
    `body ${framing} ${content.length} bytes like ${content.slice(0, 8)}` +
    `${isChunked ? ` in chunks of ${chunk}, extension ${extension.length}, zeros ${zeros.length}, trailers ${trailers}` : ''}, ` +
    `${times} times, ${all.length} bytes, cut ${cut} with ${pauseMs} ms, then ${ending}`
  return { about, writes: cutInto(all, lengths), pauseMs, ending }
}

/** Pieces of these lengths, over and over; what is left after the most writes goes at once. */
function cutInto(bytes: Buffer, lengths: number[]): Buffer[] {
  const writes: Buffer[] = []
  let at = 0
  for (let index = 0; at < bytes.length && writes.length < mostWrites; index += 1) {
    const length = lengths[index % lengths.length] as number
    if (length > 0) writes.push(bytes.subarray(at, at + length))
    at += length
  }
  if (at < bytes.length) writes.push(bytes.subarray(at))
  return writes
}
