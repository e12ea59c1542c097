import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request as ask } from 'node:http'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pictureUpload } from '../../contract/file.ts'
import { sql } from '../db/sql.ts'
import { makeDriver, signIn } from '../test/factories.ts'
import { makePng, photo, webp } from '../test/pictures.ts'
import { s3Credentials, startS3 } from '../test/s3.ts'
import { request, startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

const upload = (server: TestServer, raw: Uint8Array<ArrayBuffer>, type = 'image/jpeg') =>
  request(server.url, 'POST', '/api/v1/files', { key: server.key, raw, headers: { 'content-type': type } })

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
const payload = '<html><script>alert(document.domain)</script>'

/** Malicious files, and how they are refused. */
const refused: Record<string, [bytes: Uint8Array<ArrayBuffer>, code: string, says: RegExp]> = {
  'an empty file': [bytesOf(''), 'NOT_A_PICTURE', /empty/],
  'text that is called a photo': [bytesOf('Hello, I am a photo'), 'NOT_A_PICTURE', /not a JPEG, PNG or WebP/],
  'an SVG with a script': [bytesOf(svg), 'NOT_A_PICTURE', /not a JPEG, PNG or WebP/],
  'a page': [bytesOf(payload), 'NOT_A_PICTURE', /not a JPEG/],
  'a GIF': [bytesOf(`GIF89a${payload}`), 'NOT_A_PICTURE', /not a JPEG/],
  'a PDF': [bytesOf('%PDF-1.7 ...'), 'NOT_A_PICTURE', /not a JPEG/],
  'a HEIC': [bytesOf('\0\0\0\x18ftypheic\0\0\0\0'), 'NOT_A_PICTURE', /not a JPEG/],
  'two bytes': [bytesOf('\xff\xd8'), 'NOT_A_PICTURE', /not a JPEG/],
  'the beginning of a JPEG': [joined(photo.slice(0, 20), bytesOf(payload)), 'PICTURE_DAMAGED', /damaged/],
  'half a JPEG': [photo.slice(0, photo.length - 200), 'PICTURE_DAMAGED', /damaged/],
  'half a PNG': [makePng(500, 500).slice(0, 300), 'PICTURE_DAMAGED', /damaged/],
  'half a WebP': [webp.slice(0, 60), 'PICTURE_DAMAGED', /damaged/],
  'a RIFF that is no WebP': [bytesOf('RIFF\x10\0\0\0WAVEfmt '), 'NOT_A_PICTURE', /not a JPEG/],
  'a PNG without pixels': [makePng(100, 100, { pixels: Buffer.alloc(0) }), 'PICTURE_DAMAGED', /damaged/],
  'a PNG that claims to be huge': [
    makePng(60_000, 60_000, { pixels: Buffer.alloc(9) }),
    'PICTURE_TOO_LARGE',
    /50 mega/,
  ],
  'a PNG as wide as can be': [makePng(2 ** 31 - 1, 1, { pixels: Buffer.alloc(9) }), 'PICTURE_DAMAGED', /./],
  'a bomb: 64 megapixels in a few kB': [
    makePng(8_000, 8_000, { pixels: Buffer.alloc(9_000) }),
    'PICTURE_TOO_LARGE',
    /50/,
  ],
}

test('hostile files are refused with a sentence, and no one else notices', async (t) => {
  const server = await startServer(t)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  for (const [what, [bytes, code, says]] of Object.entries(refused)) {
    const { status, body } = await upload(server, bytes)
    assert.deepEqual([status, body.error?.code], [400, code], what)
    assert.match(body.error.message, says, what)
  }
  delay.disable()
  const { count } = await server.database.everyone.get<{ count: number }>(sql`
    select count(*) from files where organisation_id = ${server.organisationId}`)
  assert.equal(count, 0)
  assert.deepEqual(await readdir(join(server.config.dataFolder, 'uploads')), [], 'nothing is left lying about')
  assert.deepEqual(loadedDecoders(), [], 'this process has decoded nothing')
  t.diagnostic(`the loop was late by ${(delay.percentile(99) / 1e6).toFixed(0)} ms (p99)`)
})

/** The decoder is a library in C; a process that has decoded something has loaded it. */
const loadedDecoders = () =>
  (process.report.getReport() as { sharedObjects: string[] }).sharedObjects.filter((path) => /vips|sharp/i.test(path))

test('while pictures are decoded, others are answered', async (t) => {
  const server = await startServer(t)
  const picture = makePng(2_500, 2_000)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let isDone = false
  const uploads = Promise.all([1, 2, 3].map(() => upload(server, picture))).finally(() => {
    isDone = true
  })
  let answered = 0
  while (!isDone) {
    assert.equal((await server.get('/company')).status, 200)
    answered += 1
  }
  delay.disable()
  for (const { status } of await uploads) assert.equal(status, 200)
  assert.ok(answered > 3, `${answered} answers meanwhile`)
  assert.deepEqual(loadedDecoders(), [])
  t.diagnostic(
    `${answered} answers meanwhile; the loop was late by ${(delay.percentile(99) / 1e6).toFixed(0)} ms (p99)`,
  )
})

test('what hangs on to a picture is left behind, and what it is called does not matter', async (t) => {
  const server = await startServer(t)
  const zip = bytesOf(`PK\x05\x06${'\0'.repeat(18)}`)
  for (const [bytes, type] of [
    [joined(photo, bytesOf(payload), zip), 'image/jpeg'],
    [joined(makePng(9, 9, { alpha: 7 }), bytesOf(payload)), 'image/webp'],
    [joined(webp, zip), 'application/octet-stream'],
    [makePng(10, 10, { pixels: Buffer.alloc(30_000_000) }), 'image/png'],
  ] as const) {
    const { status, body } = await upload(server, bytes, type)
    assert.equal(status, 200, JSON.stringify(body))
    const stored = await request(server.url, 'GET', body.file.path, { key: server.key })
    assert.doesNotMatch(stored.text, /script|PK/)
  }
})

test('too much is refused before it is read, and what is no file is explained', async (t) => {
  const server = await startServer(t)
  const large = new Uint8Array(pictureUpload.mostBytes + 1)
  const { status, body } = await upload(server, large)
  assert.deepEqual(
    [status, body.error.code, body.error.message],
    [413, 'PAYLOAD_TOO_LARGE', 'The file is larger than 10 MB'],
  )
  for (const type of ['multipart/form-data; boundary=x', 'application/json', 'text/plain']) {
    const refusal = await upload(server, photo, type)
    assert.deepEqual([refusal.status, refusal.body.error.code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
    assert.match(refusal.body.error.message, /the bytes of the file/)
  }
})

/** Sends bytes a few at a time, as from the edge of the network. */
function sendSlowly(server: TestServer, path: string, key: string, pieces: Uint8Array[], everyMs: number) {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const outgoing = ask(server.url + path, {
    method: 'PUT',
    headers: { authorization: key, 'content-type': 'image/jpeg' },
  })
  outgoing.on('response', (response) => {
    response.resume()
    resolve(response.statusCode ?? 0)
  })
  outgoing.on('error', reject)
  const send = async () => {
    for (const piece of pieces) {
      outgoing.write(piece)
      await pause(everyMs)
    }
    outgoing.end()
  }
  return Promise.all([promise, send()]).then(([status]) => status)
}

async function aDriver(t: TestContext) {
  const server = await startServer(t)
  return { server, key: await signIn(server, await makeDriver(server)) }
}

test('a small photo at 1 kB/s arrives, and so would one that takes ten minutes', async (t) => {
  const { server, key } = await aDriver(t)
  const pieces = Array.from({ length: Math.ceil(photo.length / 200) }, (_, at) => photo.slice(at * 200, at * 200 + 200))
  assert.equal(await sendSlowly(server, `/api/v1/driver/files/${randomUUID()}`, key, pieces, 200), 200)
  assert.ok(pictureUpload.withinMs >= 600_000)
})

test('one driver cannot take all the places for uploads', async (t) => {
  const { server, key } = await aDriver(t)
  const stop = new AbortController()
  for (let place = 1; place <= 8; place += 1) {
    const path = `${server.url}/api/v1/driver/files/${randomUUID()}`
    const outgoing = ask(path, { method: 'PUT', headers: { authorization: key }, signal: stop.signal })
    outgoing.on('error', () => {})
    outgoing.write(photo.slice(0, 10))
  }
  const arriving = async () => (await readdir(join(server.config.dataFolder, 'uploads'))).length
  await until('all to be on their way', async () => (await arriving().catch(() => 0)) === 8)
  const send = (token: string) =>
    request(server.url, 'PUT', `/api/v1/driver/files/${randomUUID()}`, {
      key: token,
      raw: photo,
      headers: { 'content-type': 'image/jpeg' },
    })
  const { status, body } = await send(key)
  assert.deepEqual([status, body.error?.code], [429, 'RATE_LIMITED'])
  assert.equal((await send(await signIn(server, await makeDriver(server)))).status, 200)
  stop.abort()
  await until('those who have left to make room', async () => (await send(key)).status === 200)
})

test('files can be in a bucket; while it does not answer, the caller is told to try again', async (t) => {
  const s3 = await startS3()
  t.after(s3.close)
  const server = await startServer(t, {
    WAYBILL_FILES: 's3://waybill/pictures',
    AWS_ENDPOINT_URL: s3.url,
    AWS_ACCESS_KEY_ID: s3Credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
  })
  const { file } = (await upload(server, photo)).body
  assert.equal(s3.objects.size, 2)
  for (const path of s3.objects.keys()) assert.match(path, /^\/waybill\/pictures\/\d+\//)
  const { bytes } = await request(server.url, 'GET', file.path, { key: server.key })
  assert.equal(bytes.length, file.bytes)
  s3.fail(...Array(3).fill('SlowDown'))
  const { status, body, headers } = await upload(server, photo)
  assert.deepEqual([status, body.error.code], [503, 'OVERLOADED'])
  assert.ok(headers.get('retry-after'))
  assert.doesNotMatch(JSON.stringify(body), /SlowDown/)
})
