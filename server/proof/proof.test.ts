import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { mostProofs } from '../../contract/limits.ts'
import { sql } from '../db/sql.ts'
import { aTask, letDaysPass, makeDriver, signIn } from '../test/factories.ts'
import { readPdf } from '../test/pdf.ts'
import { makeNoise, makePng, photo } from '../test/pictures.ts'
import { request, startServer, type TestServer } from '../test/server.ts'

/** A driver with one task, and what they can do with it. */
async function aStop(t: TestContext, given: object = {}) {
  const server = await startServer(t)
  const driver = await makeDriver(server, { name: 'Ana Pop' })
  const token = await signIn(server, driver)
  const awb = `P-${randomUUID().slice(0, 8)}`
  const created = await server.post('/tasks', aTask({ awb, userId: driver.id, ...given }))
  assert.equal(created.status, 200, created.text)
  const { task } = created.body
  await letDaysPass(server)
  const call = (method: string, path: string, body?: unknown) =>
    request(server.url, method, `/api/v1/driver${path}`, { key: token, body })
  const send = async (bytes: Uint8Array<ArrayBuffer>, fileId: string = randomUUID()) => {
    const headers = { 'content-type': 'application/octet-stream' }
    await request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key: token, raw: bytes, headers })
    return fileId
  }
  const sync = async (...ops: object[]) => {
    const numbered = ops.map((op) => ({ opId: randomUUID(), taskId: task.id, occurredAt: new Date(), ...op }))
    const { body } = await call('POST', '/sync', { deviceTime: new Date(), ops: numbered })
    for (const result of body.results) assert.equal(result.success, true, JSON.stringify(result))
  }
  const note = (given: object) => call('POST', `/tasks/${task.id}/notes`, given)
  return { server, driver, token, awb, id: task.id as number, send, sync, note }
}

const proofOf = async (server: TestServer, path: string, headers = {}) => {
  const reply = await request(server.url, 'GET', `/api/v1${path}`, { key: server.key, headers })
  assert.equal(reply.status, 200, reply.text.slice(0, 300))
  assert.equal(reply.headers.get('content-type'), 'application/pdf')
  return { bytes: reply.bytes, headers: reply.headers, pages: readPdf(reply.bytes) }
}

const signed = makePng(400, 120, { alpha: 7 })
const here = { lat: 44.4324, lng: 26.1004 }

test('the proof of a delivery shows who received it, when and where, with photos and signature', async (t) => {
  const customer = { name: 'Ștefan Țăranu', phone: '0722000111' }
  const { server, id, awb, send, sync } = await aStop(t, { customer, quantity: 2, details: 'Două cutii' })
  const [front, signature] = [await send(photo), await send(signed)]
  const doneAt = new Date(Date.now() - 2 * 3_600_000)
  await sync(
    { type: 'start' },
    { type: 'photo', fileId: front, note: 'La ușă' },
    { type: 'signature', fileId: signature, name: 'Măriuca Țăranu' },
    { type: 'complete', occurredAt: doneAt, ...here },
  )
  await server.put('/company', { logo: (await uploadLogo(server)).body.file.id, name: 'Curierul Șoim' })

  const { pages, headers, bytes } = await proofOf(server, `/tasks/${id}/proof.pdf`)
  assert.equal(headers.get('content-disposition'), `attachment; filename="proof-${awb}.pdf"`)
  assert.ok(bytes.length < 1_000_000)
  assert.equal(pages.length, 1)
  const { text, pictures } = pages[0] as (typeof pages)[number]
  assert.equal(pictures, 3, 'logo, photo and signature')
  const time = (moment: Date) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Bucharest',
      dateStyle: 'medium',
      timeStyle: 'short',
      hourCycle: 'h23',
    } as Intl.DateTimeFormatOptions).format(moment)
  for (const words of [
    'Curierul Șoim',
    'Proof of delivery',
    `AWB ${awb}`,
    'Delivered',
    'Măriuca Țăranu',
    'Ștefan Țăranu',
    'Strada Lipscani 12, București',
    'Ana Pop',
    '44.43240, 26.10040 (11 m from the address)',
    'Două cutii',
    time(doneAt),
    'Recorded at',
    'La ușă',
    'Times are in Europe/Bucharest',
  ])
    assert.ok(text.includes(words), `${words} in ${text}`)

  const romanian = (await proofOf(server, `/tasks/${id}/proof.pdf`, { 'accept-language': 'de, ro;q=0.8' })).pages[0]
  assert.match(romanian?.text ?? '', /Dovada livrării[\s\S]*Primit de/)
  const asked = (await proofOf(server, `/tasks/${id}/proof.pdf?language=en`, { 'accept-language': 'ro' })).pages[0]
  assert.match(asked?.text ?? '', /Received by/)

  const known = { 'if-none-match': headers.get('etag') ?? '' }
  const again = await fetch(`${server.url}/api/v1/tasks/${id}/proof.pdf`, {
    headers: { authorization: server.key, ...known },
  })
  assert.equal(again.status, 304, 'what has not changed is not made again')
})

const uploadLogo = (server: TestServer) =>
  request(server.url, 'POST', '/api/v1/files', {
    key: server.key,
    raw: makePng(200, 80, { alpha: 30 }),
    headers: { 'content-type': 'image/png' },
  })

test('a failed task has a record of the attempt, with the reason', async (t) => {
  const { server, id, send, sync } = await aStop(t)
  await sync(
    { type: 'start' },
    { type: 'photo', fileId: await send(photo) },
    { type: 'fail', reason: 'Nobody at home' },
  )
  const [page] = (await proofOf(server, `/tasks/${id}/proof.pdf`)).pages
  assert.match(page?.text ?? '', /Record of a delivery attempt[\s\S]*Not delivered[\s\S]*Nobody at home/)
  assert.equal(page?.pictures, 1)
})

test('what the office entered for a driver says so', async (t) => {
  const { server, id, awb } = await aStop(t)
  await server.put(`/tasks/awb/${awb}/forceComplete`, {})
  const [page] = (await proofOf(server, `/tasks/${id}/proof.pdf`)).pages
  assert.match(page?.text ?? '', /Entered by\nThe office/)
})

test('only those who may see a task get its proof, and only after its end', async (t) => {
  const { server, id, awb, token } = await aStop(t)
  const code = async (key: string, path = `/tasks/${id}/proof.pdf`) => {
    const { status, body } = await request(server.url, 'GET', `/api/v1${path}`, { key })
    return status === 200 ? 'fine' : body.error.code
  }
  assert.equal(await code(server.key), 'TASK_NOT_ENDED')
  assert.equal(await code(server.key, `/proofs.pdf?taskIds=${id}`), 'TASK_NOT_ENDED')
  await server.put(`/tasks/awb/${awb}/forceComplete`, {})
  assert.equal(await code(server.key), 'fine')
  const stranger = await server.another()
  assert.equal(await code(stranger.key), 'TASK_NOT_FOUND')
  for (const query of [`taskIds=${id}`, `awbs=${awb}`])
    assert.equal(await code(stranger.key, `/proofs.pdf?${query}`), 'TASK_NOT_FOUND')
  const { secret } = (await server.post('/keys', { name: 'Other', scopes: ['tasks:write', 'files:write'] })).body.key
  for (const path of [`/tasks/${id}/proof.pdf`, `/proofs.pdf?taskIds=${id}`]) {
    assert.equal(await code(secret, path), 'FORBIDDEN')
    assert.equal(await code(token, path), 'UNAUTHORIZED')
  }
})

test('a picture that is missing is explained', async (t) => {
  const { server, id, send, sync, note } = await aStop(t)
  const [kept, lost, coming] = [await send(photo), await send(makePng(60, 40)), randomUUID()]
  for (const fileId of [kept, lost, coming]) await note({ fileId })
  await sync({ type: 'start' }, { type: 'complete' })
  const { store_key } = await server.database.everyone.get<{ store_key: string }>(sql`
    select store_key from files where organisation_id = ${server.organisationId} and id = ${lost}`)
  await rm(join(server.config.dataFolder, 'files', store_key))
  const [page] = (await proofOf(server, `/tasks/${id}/proof.pdf`)).pages
  assert.equal(page?.pictures, 1)
  assert.match(page?.text ?? '', /no longer stored/)
  assert.match(page?.text ?? '', /has not sent this picture\s+yet/)
})

test('many detailed photos still make a small file', async (t) => {
  const { server, id, send, sync } = await aStop(t)
  await sync({ type: 'start' })
  for (let count = 1; count <= 14; count += 1) {
    const picture = count % 4 === 0 ? makeNoise(640, 480) : makePng(50, 40, { shade: count })
    await sync({ type: 'photo', fileId: await send(picture) })
  }
  await sync({ type: 'complete' })
  const { bytes, pages } = await proofOf(server, `/tasks/${id}/proof.pdf`)
  assert.ok(bytes.length < 1_000_000, `${bytes.length} bytes`)
  assert.equal(
    pages.reduce((sum, { pictures }) => sum + pictures, 0),
    12,
  )
  assert.match(pages.map(({ text }) => text).join(), /2 more pictures/)
})

test('a photo has as many pixels as the paper can show', async (t) => {
  const { server, id, send, sync } = await aStop(t)
  await sync({ type: 'start' }, { type: 'photo', fileId: await send(makePng(2_000, 1_500)) }, { type: 'complete' })
  const { bytes } = await proofOf(server, `/tasks/${id}/proof.pdf`)
  assert.match(Buffer.from(bytes).toString('latin1'), /\/Width 660\n\/Height 495\n/)
})

test('a proof is made once for all its readers, and again when something it shows has changed', async (t) => {
  const { server, id, send, sync } = await aStop(t)
  await sync({ type: 'start' }, { type: 'photo', fileId: await send(photo) }, { type: 'complete' })
  const folder = join(server.config.dataFolder, 'kept', String(server.organisationId))
  const listKept = async () => {
    const names = (await readdir(folder)).sort()
    return Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).ino]))
  }
  const read = () => proofOf(server, `/tasks/${id}/proof.pdf`)
  const together = await Promise.all([read(), read(), read(), read()])
  const kept = await listKept()
  assert.equal(kept.length, 2, 'the proof, and its photo as it is printed')
  const again = await read()
  for (const { bytes } of together) assert.deepEqual(bytes, again.bytes)
  assert.equal(again.headers.get('content-length'), String(again.bytes.length))
  assert.deepEqual(await listKept(), kept, 'nothing was made anew')

  await server.put('/company', { name: 'Another name' })
  const { pages, headers } = await read()
  assert.match(pages[0]?.text ?? '', /Another name/)
  assert.notEqual(headers.get('etag'), again.headers.get('etag'))
  assert.equal((await listKept()).length, 3, 'its photo was not scaled again')
})

test('a client that closes its side after asking still gets the proof', async (t) => {
  const { server, id, awb } = await aStop(t)
  await server.put(`/tasks/awb/${awb}/forceComplete`, {})
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.end(`GET /api/v1/tasks/${id}/proof.pdf HTTP/1.1\r\nHost: x\r\nAuthorization: ${server.key}\r\n\r\n`)
  const answer = Buffer.concat(await socket.toArray()).toString('latin1')
  assert.match(answer, /^HTTP\/1.1 200 OK\r\n[\s\S]*\r\n\r\n%PDF-[\s\S]*%%EOF\s*$/)
})

test('whatever was typed can be printed', async (t) => {
  const strange = [
    'W'.repeat(500),
    '\u202eevil\u202c שלום مرحبا 你好',
    '👩‍👩‍👧‍👦 👍🏽 🇷🇴'.repeat(30),
    '\u0007\u001b[31m a\u0301\u0301\u0301',
    'a\n'.repeat(300),
    '(\\) <</Type /Catalog>> endobj {page} {0}',
    '',
  ]
  const { server, id, send, sync } = await aStop(t, {
    details: strange.join(' '),
    customer: { name: strange[1] },
    address: { address: strange[0], lat: 44.4, lng: 26.1 },
  })
  const fileId = await send(signed)
  await sync(
    { type: 'start' },
    { type: 'signature', fileId, name: [...(strange[2] ?? '')].slice(0, 60).join('') },
    ...strange.slice(0, 3).map((text) => ({ type: 'note', note: text })),
    { type: 'fail', reason: strange[3] },
  )
  const { pages } = await proofOf(server, `/tasks/${id}/proof.pdf`)
  assert.ok(pages.length <= 4, `${pages.length} pages`)
  const all = pages.map(({ text }) => text).join('\n')
  assert.match(all, /evil/)
  for (const control of ['\u202e', '\u001b']) assert.ok(!all.includes(control))
})

test('the proofs of several tasks are one file that begins with a list', async (t) => {
  const { server, id, awb, send, sync } = await aStop(t)
  await sync({ type: 'start' }, { type: 'photo', fileId: await send(photo) }, { type: 'complete' })
  const open = (await server.post('/tasks', aTask({ awb: 'OPEN, 1' }))).body.task

  const { pages, headers } = await proofOf(server, `/proofs.pdf?awbs=${awb},NOWHERE,${awb}`)
  assert.equal(headers.get('content-disposition'), 'attachment; filename="proofs.pdf"')
  assert.equal(pages.length, 2)
  assert.match(pages[0]?.text ?? '', new RegExp(`${awb}\\nDelivered[\\s\\S]*NOWHERE\\nNo such task`))
  assert.match(pages[1]?.text ?? '', new RegExp(`Proof of delivery\\nAWB ${awb}`))
  const byId = await proofOf(server, `/proofs.pdf?taskIds=${open.id},${id}`)
  assert.match(byId.pages[0]?.text ?? '', /OPEN, 1\nNot finished yet/)

  const refusal = async (query: string) => (await server.get(`/proofs.pdf?${query}`)).body.error.code
  const many = Array.from({ length: mostProofs + 1 }, (_, at) => at + 1).join(',')
  assert.equal(await refusal(`awbs=${many}`), 'TOO_MANY_ITEMS')
  assert.equal(await refusal(`taskIds=${many}`), 'VALIDATION_FAILED')
  assert.equal(await refusal(''), 'VALIDATION_FAILED')
  assert.equal(await refusal('awbs=A&taskIds=1'), 'VALIDATION_FAILED')
  assert.equal(await refusal('taskIds=x'), 'VALIDATION_FAILED')
})
