import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../db/sql.ts'
import { aTask, makeDriver, signIn } from '../test/factories.ts'
import { readPdf } from '../test/pdf.ts'
import { photo } from '../test/pictures.ts'
import { request, startServer, type TestServer } from '../test/server.ts'

const environment = { WAYBILL_TRUST_PROXY: 'true' }

const uploadPhoto = async (server: TestServer) => {
  const headers = { 'content-type': 'image/jpeg' }
  const { body } = await request(server.url, 'POST', '/api/v1/files', { key: server.key, raw: photo, headers })
  return body.file.id as string
}

/** A task that a driver has, with a photo; ended unless it is to stay open. */
async function addTask(server: TestServer, awb: string, { isOpen = false, ...given }: Record<string, unknown> = {}) {
  const driver = await makeDriver(server)
  await server.post('/tasks', aTask({ awb, userId: driver.id, ...given }))
  const fileId = await uploadPhoto(server)
  await server.post(`/tasks/awb/${awb}/notes`, { fileId })
  if (!isOpen) await server.put(`/tasks/awb/${awb}/forceComplete`, {})
  return fileId
}

let visitors = 0
/** A sender with a browser; each comes from another address, because wrong links are counted. */
const visit = (address: string, path = '', headers: Record<string, string> = {}) => {
  const { origin, pathname } = new URL(address)
  visitors += 1
  const from = { 'x-forwarded-for': `198.18.2.${visitors}`, accept: 'text/html' }
  return request(origin, 'GET', `${pathname}${path}`, { headers: { ...from, ...headers } })
}

const makeLink = async (server: TestServer, body: object) => {
  const reply = await server.post('/proofLinks', body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.proofLink
}

test('a sender with a link reads the proofs of its tasks, with photos and as PDF, and nothing else', async (t) => {
  const server = await startServer(t, environment)
  const shown = await addTask(server, 'S-1', {
    details: '<script>alert(1)</script>',
    customer: { name: 'Ana "A" Pop' },
  })
  await addTask(server, 'S-2', { isOpen: true, details: 'Not for senders yet' })
  const hidden = await addTask(server, 'S-3')
  await server.put('/company', { name: 'Curierul Șoim', logo: await uploadPhoto(server) })
  const { link, awbs, expiresAt } = await makeLink(server, { awbs: ['S-1', 'S-2', 'S-1'] })
  assert.match(link, /\/p\/[\w-]{22}$/)
  assert.deepEqual(awbs, ['S-1', 'S-2'])
  assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 30 * 86_400_000) < 3_600_000)

  const page = await visit(link)
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; img-src 'self' data:/)
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.match(page.headers.get('x-robots-tag') ?? '', /noindex/)
  assert.match(page.text, /<html lang="en">[\s\S]*Curierul Șoim[\s\S]*S-1[\s\S]*S-2<\/td><td>Not finished yet/)
  assert.match(page.text, /&lt;script&gt;alert\(1\)[\s\S]*/)
  assert.match(page.text, /Ana &quot;A&quot; Pop/)
  assert.doesNotMatch(page.text, /<script|Not for senders yet|S-3/)
  assert.match((await visit(link, '', { 'accept-language': 'ro' })).text, /lang="ro"[\s\S]*Livrat/)

  const picture = /src="(\/p\/[^"]*)" alt="Photo"/.exec(page.text)?.[1]
  const { origin } = new URL(link)
  assert.equal((await visit(`${origin}${picture}`)).headers.get('content-type'), 'image/jpeg')
  assert.match(String(picture), new RegExp(shown))
  assert.equal((await visit(link, `/files/${hidden}`)).status, 404, 'a picture of another task')
  const answers = JSON.stringify([{ field_key: 'door', answer: `/files/${hidden}` }])
  await server.database.everyone.run(sql`
    update tasks set mobile_task_form = ${answers}
    where organisation_id = ${server.organisationId} and awb = 'S-1'`)
  assert.equal((await visit(link, `/files/${hidden}`)).status, 404, 'not even if an answer has its path')
  const { pages } = { pages: readPdf((await visit(link, '/proof.pdf')).bytes) }
  assert.match(pages[0]?.text ?? '', /S-1\nDelivered[\s\S]*S-2\nNot finished yet/)
  assert.equal(pages.length, 2)
})

test('a link that never was, has expired or was revoked is the same page that is not there', async (t) => {
  const server = await startServer(t, environment)
  await addTask(server, 'L-1')
  const [good, old, revoked] = [
    await makeLink(server, { awbs: ['L-1'] }),
    await makeLink(server, { awbs: ['L-1'], days: 1 }),
    await makeLink(server, { awbs: ['L-1'] }),
  ]
  await server.database.everyone.run(sql`
    update proof_links set expires_at = now() where organisation_id = ${server.organisationId} and id = ${old.id}`)
  assert.equal((await server.delete(`/proofLinks/${revoked.id}`)).status, 200)
  assert.equal((await server.delete(`/proofLinks/${revoked.id}`)).body.error.code, 'PROOF_LINK_NOT_FOUND')
  const never = `${server.url}/p/${'A'.repeat(22)}`
  const pages = await Promise.all([old.link, revoked.link, never].map((link) => visit(link)))
  for (const { status, text } of pages) assert.deepEqual([status, text], [404, pages[0]?.text])
  for (const path of ['/proof.pdf', `/files/${await uploadPhoto(server)}`])
    for (const { link } of [old, revoked]) assert.equal((await visit(link, path)).status, 404)
  assert.equal((await visit(good.link)).status, 200)

  const { proofLinks } = (await server.get('/proofLinks?awb=L-1')).body
  assert.deepEqual(
    proofLinks.map(({ id, revokedAt }: { id: number; revokedAt: string | null }) => [id, revokedAt !== null]),
    [revoked, old, good].map(({ id }) => [id, id === revoked.id]),
  )
  assert.deepEqual((await server.get('/proofLinks?awb=OTHER')).body.proofLinks, [])
  const kept = JSON.stringify(
    await server.database.everyone.many(sql`
      select encode(hash, 'escape') as hash, created_by from proof_links where organisation_id = ${server.organisationId}`),
  )
  assert.ok(!kept.includes(good.link.split('/p/')[1]), 'only a hash is stored')
})

test('only those who may change tasks make links, and only for their own', async (t) => {
  const server = await startServer(t, environment)
  await addTask(server, 'R-1')
  const { secret } = (await server.post('/keys', { name: 'Reader', scopes: ['tasks:read'] })).body.key
  const create = (key: string, body: object) => request(server.url, 'POST', '/api/v1/proofLinks', { key, body })
  assert.equal((await create(secret, { awbs: ['R-1'] })).body.error.code, 'FORBIDDEN')
  const stranger = await server.another()
  const refused = (await create(stranger.key, { awbs: ['R-1'] })).body.error
  assert.deepEqual([refused.code, refused.field], ['TASK_NOT_FOUND', 'awbs'])
  const { id } = await makeLink(server, { awbs: ['R-1'] })
  assert.equal((await stranger.delete(`/proofLinks/${id}`)).body.error.code, 'PROOF_LINK_NOT_FOUND')
  assert.deepEqual((await stranger.get('/proofLinks')).body.proofLinks, [])
  for (const body of [{}, { awbs: [] }, { awbs: ['R-1'], days: 0 }, { awbs: ['R-1'], days: 400 }])
    assert.equal((await server.post('/proofLinks', body)).body.error.code, 'VALIDATION_FAILED')
})

test('a deleted task disappears from its links', async (t) => {
  const server = await startServer(t, environment)
  await addTask(server, 'D-1')
  await server.post('/tasks', aTask({ awb: 'D-2' }))
  const { link } = await makeLink(server, { awbs: ['D-1', 'D-2'] })
  await server.delete('/tasks/awb/D-2')
  const { text } = await visit(link)
  assert.doesNotMatch(text, /D-2/)
  assert.match(text, /<h1>Proof of delivery<\/h1>/)
})

test('the recipient gets a proof with photo, name and time, without the signature', async (t) => {
  const server = await startServer(t, environment)
  const customer = { name: 'Ion Ionescu' }
  const driver = await makeDriver(server, { name: 'Dan Driver' })
  const { id, uuid } = (await server.post('/tasks', aTask({ awb: 'T-1', userId: driver.id, customer }))).body.task
  const tracking = `${server.url}/t/${uuid}`
  assert.equal((await visit(tracking, '/proof.pdf', { accept: '*/*' })).body.error.code, 'TASK_NOT_ENDED')
  const early = await visit(tracking, '/proof.pdf', { 'accept-language': 'ro' })
  assert.equal(early.status, 409)
  assert.match(early.text, /<h1>Nefinalizat încă<\/h1>/)
  const key = await signIn(server, driver)
  const headers = { 'content-type': 'image/jpeg' }
  for (const given of [
    { type: 2, note: 'Behind the bin' },
    { type: 3, note: 'Maria Popa' },
  ]) {
    const fileId = randomUUID()
    await request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key, raw: photo, headers })
    await request(server.url, 'POST', `/api/v1/driver/tasks/${id}/notes`, { key, body: { fileId, ...given } })
  }
  await server.post('/tasks/awb/T-1/notes', { fileId: await uploadPhoto(server), note: 'For the office' })
  await server.put('/tasks/awb/T-1/forceComplete', {})

  const link = /href="([^"]*proof\.pdf[^"]*)"/.exec((await visit(tracking)).text)?.[1]
  const reply = await request(server.url, 'GET', link as string)
  const [page, ...more] = readPdf(reply.bytes)
  assert.deepEqual([page?.pictures, more], [1, []])
  assert.match(page?.text ?? '', /Delivered at[\s\S]*Received by\nMaria Popa/)
  assert.doesNotMatch(page?.text ?? '', /Behind the bin|For the office|Dan Driver|Signature|Lipscani/)
})
