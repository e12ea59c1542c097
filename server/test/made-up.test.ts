import './made-up.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { causeNames } from '../../core/message-rules/causes.ts'
import { aTask, beginDuty, makeDriver, signIn } from './factories.ts'
import { madeUp } from './made-up.ts'
import { unmarked, unmarkedInPage } from './marked.ts'
import { readPdf } from './pdf.ts'
import { makePng, photo } from './pictures.ts'
import { request, startServer } from './server.ts'

const headers = { 'accept-language': madeUp }

test('what stands in no language is found', () => {
  assert.deepEqual(unmarked('«Made on «today~~» by Ωna~~» 12:00, Ω-Street 5'), [])
  assert.deepEqual(unmarked('«Late~~» by 5 minutes'), ['by', 'minutes'])
  assert.deepEqual(unmarkedInPage('<p title="Call">«Hello~~» <b>Ωna</b></p>'), ['Call'])
})

test('a further language is on every page, proof and message that the server writes', async (t) => {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  await server.put('/company', { name: 'Ωmega', phone: '0211112222' })
  const driver = await makeDriver(server, { name: 'Ωna', driverTransportationId: 5 })
  const token = await signIn(server, driver)
  await beginDuty(server.url, token)
  const drive = (path: string, body: object = {}) =>
    request(server.url, 'POST', `/api/v1/driver/${path}`, { key: token, body })
  const later = new Date(Date.now() + 600_000).toISOString()

  const readPage = async (path: string, status = 200) => {
    const reply = await request(server.url, 'GET', path, {
      headers: { ...headers, accept: 'text/html', 'x-forwarded-for': `203.0.113.${Math.ceil(Math.random() * 250)}` },
    })
    assert.equal(reply.status, status, path)
    assert.match(reply.text, new RegExp(`lang="${madeUp}"`))
    assert.deepEqual(unmarkedInPage(reply.text), [], path)
    return reply.text
  }

  for (const pickupTask of [false, true]) {
    const { task } = (
      await server.post(
        '/tasks',
        aTask({
          awb: `0135-${Number(pickupTask)}`,
          userId: driver.id,
          pickupTask,
          details: 'Ω',
          quantity: 2,
          totalPrice: 20,
          collectPayment: true,
          completeBefore: later,
          customer: { name: 'Ωana', phone: '0722000111' },
          address: { address: 'Ω-Street 12', lat: 44.4323, lng: 26.1003 },
        }),
      )
    ).body
    const page = `/t/${task.uuid}`
    await readPage(page)
    await drive(`tasks/${task.id}/start`)
    await drive('locations', { locations: [{ lat: 44.45, lng: 26.1 }] })
    await readPage(page)
    await drive(`tasks/${task.id}/arrive`)
    await readPage(page)
    await readPage(`${page}/proof.pdf`, 409)

    const files = { photo: randomUUID(), signature: randomUUID() }
    for (const [kind, raw] of Object.entries({ photo, signature: makePng(400, 120, { alpha: 7 }) }))
      await request(server.url, 'PUT', `/api/v1/driver/files/${files[kind as keyof typeof files]}`, {
        key: token,
        raw,
        headers: { 'content-type': 'application/octet-stream' },
      })
    await drive(`tasks/${task.id}/notes`, { fileId: files.photo, type: 2 })
    await drive(`tasks/${task.id}/notes`, { fileId: files.signature, type: 3, note: 'Ωana' })
    const paid = {
      opId: randomUUID(),
      type: 'payment',
      taskId: task.id,
      occurredAt: new Date(),
      amount: 20,
      method: 'cash',
    }
    await drive('sync', { deviceTime: new Date(), ops: [paid] })
    await drive(`tasks/${task.id}/complete`, { lat: 44.433, lng: 26.1003 })
    assert.match(await readPage(page), /proof\.pdf/)

    const paper = await request(server.url, 'GET', `/api/v1/tasks/${task.id}/proof.pdf?language=${madeUp}`, {
      key: server.key,
    })
    assert.equal(paper.status, 200, paper.text.slice(0, 300))
    for (const { text } of readPdf(paper.bytes)) {
      assert.match(text, /«/)
      assert.deepEqual(unmarked(text), [], text)
    }
    const made = await server.post('/proofLinks', { awbs: [task.awb], days: 7 })
    assert.equal(made.status, 200, made.text)
    await readPage(new URL(made.body.proofLink.link).pathname)
  }
  await readPage('/t/no-such-task', 404)
  await readPage('/no-such-page', 404)

  assert.equal((await server.put('/company', { settings: { messageLanguage: madeUp } })).status, 200)
  const { messageTexts: texts } = (await server.get('/messageTexts')).body
  for (const cause of causeNames) {
    const own = texts.find((one: { cause: string; language: string }) => one.cause === cause && one.language === madeUp)
    for (const said of [own.subject, own.text, own.pickup.subject, own.pickup.text])
      assert.deepEqual(unmarked(said), [], said)
    // In the language of the settings, about a task without a time.
    const { subject, text } = (await server.post('/messageTexts/preview', { cause, awb: '0135-0' })).body.preview
    assert.deepEqual([...unmarked(subject), ...unmarked(text.replace(/https?:[^\s~]+/g, ''))], [], text)
  }
})
