import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { aTask, letDaysPass, makeDriver, signIn } from '../test/factories.ts'
import { readPdf } from '../test/pdf.ts'
import { makePng, photo } from '../test/pictures.ts'
import { request, startServer } from '../test/server.ts'

const signed = makePng(400, 120, { alpha: 7 })
const ana = { name: 'Ana Marin', phone: '0722000111' }
const dan = { name: 'Dan Rusu', phone: '0722000222' }

test('a stop of three parcels: one signature and one photo serve all, everything else stays apart', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  const create = async (awb: string, customer: object, totalPrice: number) =>
    (await server.post('/tasks', aTask({ awb, customer, totalPrice, userId: driver.id }))).body.task
  const tasks = [await create('S-1', ana, 50), await create('S-2', ana, 0), await create('S-3', dan, 30)]
  await letDaysPass(server)
  const [picture, signature] = [randomUUID(), randomUUID()]
  const send = (fileId: string, raw: Uint8Array<ArrayBuffer>) =>
    request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, {
      key: token,
      raw,
      headers: { 'content-type': 'application/octet-stream' },
    })
  const name = 'Ana Marin'
  const each = (op: object) => tasks.map(({ id }) => ({ ...op, taskId: id }))
  const ops = [
    ...each({ type: 'start' }),
    ...each({ type: 'arrive' }),
    ...each({ type: 'photo', fileId: picture }),
    ...each({ type: 'signature', fileId: signature, name }),
    { type: 'payment', taskId: tasks[0].id, amount: 50, method: 'cash' },
    ...each({ type: 'complete' }),
  ].map((op) => ({ opId: randomUUID(), occurredAt: new Date(), ...op }))
  await send(picture, photo)
  const { body } = await request(server.url, 'POST', '/api/v1/driver/sync', {
    key: token,
    body: { deviceTime: new Date(), ops },
  })
  const refused = body.results.filter(({ success }: { success: boolean }) => !success)
  assert.deepEqual(
    refused.map(({ error }: { error: { code: string } }) => error.code),
    ['PAYMENT_REQUIRED'],
    'the third one was not paid, and only it is refused',
  )
  assert.equal((await send(signature, signed)).status, 200)
  const look = async (id: number) => (await server.get(`/tasks/${id}`)).body.task
  const [first, second, third] = [await look(tasks[0].id), await look(tasks[1].id), await look(tasks[2].id)]
  assert.deepEqual([first.statusId, second.statusId, third.statusId], [9, 9, 7])
  assert.deepEqual([first.leftToBePaid, third.leftToBePaid], [0, 30])

  const notes = (task: typeof first) => task.notes.map((one: { note: string; type: number }) => [one.type, one.note])
  assert.deepEqual(notes(first), notes(second))
  assert.ok(JSON.stringify(notes(first)).includes(name))
  assert.ok(!JSON.stringify(third).includes(name), 'nobody of the other customer reads who signed')
  const images = [first, second, third].flatMap(({ notes }) => notes.map(({ image }: { image: string }) => image))
  assert.deepEqual([images.length, new Set(images).size], [6, 6], 'each task has pictures of its own')
  for (const image of images)
    assert.equal((await request(server.url, 'GET', image, { key: server.key })).status, 200, image)

  const complete = { opId: randomUUID(), type: 'complete', taskId: third.id, occurredAt: new Date() }
  const pay = {
    opId: randomUUID(),
    type: 'payment',
    taskId: third.id,
    occurredAt: new Date(),
    amount: 30,
    method: 'card',
  }
  await request(server.url, 'POST', '/api/v1/driver/sync', {
    key: token,
    body: { deviceTime: new Date(), ops: [pay, complete] },
  })
  const proof = await request(server.url, 'GET', `/api/v1/tasks/${third.id}/proof.pdf`, { key: server.key })
  const [page] = readPdf(proof.bytes)
  assert.equal(page?.pictures, 2, 'photo and signature')
  assert.ok(page?.text.includes('Dan Rusu') && !page.text.includes(name))
  const tracking = await request(server.url, 'GET', `/t/${third.uuid}`)
  assert.ok(tracking.text.includes('/files/') && !tracking.text.includes(name))

  await server.post('/erasures', { phone: ana.phone })
  const [gone, ...left] = [await look(first.id), await look(third.id)]
  assert.deepEqual(new Set(gone.notes.map(({ image }: { image: null }) => image)), new Set([null]))
  await server.makeRound('collecting files')
  for (const { notes } of left)
    for (const { image } of notes)
      assert.equal((await request(server.url, 'GET', image, { key: server.key })).status, 200)
})

test('a picture that arrives after all its tasks were told of it is shown on each', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  const ids: number[] = []
  for (const awb of ['L-1', 'L-2'])
    ids.push((await server.post('/tasks', aTask({ awb, userId: driver.id }))).body.task.id)
  await letDaysPass(server)
  const fileId = randomUUID()
  const ops = ids.map((taskId) => ({ opId: randomUUID(), type: 'photo', taskId, fileId, occurredAt: new Date() }))
  const sync = { key: token, body: { deviceTime: new Date(), ops } }
  assert.equal((await request(server.url, 'POST', '/api/v1/driver/sync', sync)).status, 200)
  const images = async () =>
    Promise.all(ids.map(async (id) => (await server.get(`/tasks/${id}`)).body.task.notes[0].image))
  assert.deepEqual(await images(), [null, null])
  const headers = { 'content-type': 'application/octet-stream' }
  const send = () => request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key: token, raw: photo, headers })
  assert.deepEqual([(await send()).status, (await send()).status], [200, 200])
  for (const image of await images())
    assert.equal((await request(server.url, 'GET', image, { key: server.key })).status, 200)
  assert.equal((await server.triggers('L-2')).at(-1), 'TASK_UPDATED')
})
