import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { filePath } from '../../../contract/file.ts'
import { sql } from '../../db/sql.ts'
import { followDrivers } from '../../test/arrivals.ts'
import { aTask, beginDuty, makeDriver, signIn } from '../../test/factories.ts'
import { aDriverOf, agree, aPair, give, type Party, taskOf } from '../../test/partners.ts'
import { makeNoise } from '../../test/pictures.ts'
import { request } from '../../test/server.ts'

/* What the other side has of a shared task besides its fields: pictures, arrivals, the driver, and nothing once it is over. */

/** A parcel of a shop on its way with a driver of the courier. */
async function onItsWay(t: TestContext) {
  const world = await aPair(t)
  const { server, courier, awb, delegate } = world
  await courier.put('/company', { settings: { allowPartialPayments: true } })
  await delegate()
  const copy = await taskOf(courier, awb)
  const driver = await makeDriver(courier, { name: 'Dan Pop', phone: '+40733000222' })
  const key = await signIn(courier, driver)
  await courier.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [copy.id] })
  const asDriver = (path: string, body: object = {}) =>
    request(server.url, 'POST', `/api/v1/driver/${path}`, { key, body })
  assert.equal((await asDriver(`tasks/${copy.id}/start`)).status, 200)
  const send = (fileId: string, bytes: Uint8Array<ArrayBuffer>) =>
    request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, {
      key,
      raw: bytes,
      headers: { 'content-type': 'image/png' },
    })
  const readFile = (party: Party, fileId: string) => request(server.url, 'GET', filePath(fileId), { key: party.key })
  return { ...world, copy, driver, key, asDriver, send, readFile }
}

const picturesOf = (task: { notes: { image: string | null }[] }) => task.notes.flatMap(({ image }) => image ?? [])

test('pictures are seen by both sides, whether they come before or after the note', async (t) => {
  const { shop, courier, awb, copy, asDriver, send, readFile } = await onItsWay(t)
  const early = randomUUID()
  assert.equal((await send(early, makeNoise(40, 30))).status, 200)
  await asDriver(`tasks/${copy.id}/notes`, { fileId: early })
  const late = randomUUID()
  const deviceTime = new Date().toISOString()
  const photo = { opId: randomUUID(), type: 'photo', taskId: copy.id, occurredAt: deviceTime, fileId: late }
  await asDriver('sync', { deviceTime, ops: [photo] })
  assert.equal(picturesOf(await taskOf(shop, awb)).length, 1)
  assert.equal((await send(late, makeNoise(50, 40))).status, 200)
  for (const party of [shop, courier]) {
    assert.equal(picturesOf(await taskOf(party, awb)).length, 2)
    for (const id of [early, late]) assert.equal((await readFile(party, id)).status, 200)
  }
})

test('what the shop has added before is seen by the courier', async (t) => {
  const { server, shop, courier, awb, delegate } = await aPair(t)
  const headers = { 'content-type': 'image/png' }
  const { file } = (
    await request(server.url, 'POST', '/api/v1/files', { key: shop.key, raw: makeNoise(40, 30), headers })
  ).body
  await shop.post(`/tasks/awb/${awb}/notes`, { note: 'Fragile', fileId: file.id })
  await delegate()
  const copy = await taskOf(courier, awb)
  assert.deepEqual([copy.notes.map(({ note }: { note: string }) => note), picturesOf(copy).length], [['Fragile'], 1])
  assert.equal((await request(server.url, 'GET', filePath(file.id), { key: courier.key })).status, 200)
})

test('the owner sees when the driver will come, who it is, and the phone only if the partner shows it', async (t) => {
  const { server, shop, courier, awb, copy, driver, key, asDriver } = await onItsWay(t)
  await beginDuty(server.url, key)
  await asDriver('locations', { locations: [{ lat: 44.4, lng: 26.0 }] })
  await followDrivers({ ...server, organisationId: courier.organisationId })
  const [own, theirs] = [await taskOf(shop, awb), await taskOf(courier, awb)]
  assert.ok(theirs.etaAt)
  assert.equal(own.etaAt, theirs.etaAt)
  assert.deepEqual(own.fulfillerDriver, { name: 'Dan Pop' })

  await courier.put('/company', { settings: { showDriverPhoneToPartners: true } })
  await courier.put(`/tasks/awb/${awb}`, { details: 'Ring twice' })
  assert.deepEqual((await taskOf(shop, awb)).fulfillerDriver, { name: 'Dan Pop', phone: driver.phone })
  await asDriver(`tasks/${copy.id}/complete`)
  const ended = await taskOf(shop, awb)
  const there = await taskOf(courier, awb)
  assert.deepEqual([ended.lastLocationLat, ended.lastLocationLng], [there.lastLocationLat, there.lastLocationLng])
  assert.equal(ended.lastLocationLat, 44.4)
  const page = await request(server.url, 'GET', `/t/${ended.uuid}`, {})
  assert.equal(page.status, 200)
})

const receiptsOf = async (party: Party) =>
  (await party.get('/erasures')).body.erasures.map((one: { reason: string; taskIds: number[] }) => [
    one.reason,
    one.taskIds,
  ])

test('what is taken back leaves nothing of the customer with the partner', async (t) => {
  const { server, shop, courier, awb, task, delegate } = await aPair(t)
  await delegate()
  const copy = await taskOf(courier, awb)
  await shop.put(`/tasks/${task.id}/undelegate`)
  await server.makeRound('erasure')
  assert.deepEqual(await receiptsOf(courier), [['partner', [copy.id]]])
  const kept = await server.database.everyone.many<{ awb: string }>(sql`
    select name from customers where organisation_id = ${courier.organisationId}`)
  assert.deepEqual(kept, [])
  const { events } = (await courier.get('/events')).body
  assert.doesNotMatch(JSON.stringify(events), /Ana|722000111/)
  assert.equal((await taskOf(shop, awb)).customer.name, 'Ana')
})

test('what the owner erases is erased with every partner, along the chain', async (t) => {
  const { server, shop, courier, awb, delegate } = await aPair(t)
  const colleague: Party = await server.another()
  await agree(courier, colleague)
  await delegate()
  const middle = await taskOf(courier, awb)
  await courier.put(`/tasks/${middle.id}/delegate`, { companyId: colleague.organisationId })
  const last = await taskOf(colleague, awb)
  const driver = await makeDriver(colleague)
  await colleague.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [last.id] })
  await colleague.put(`/tasks/awb/${awb}/forceComplete`, { success: true })
  await shop.post('/erasures', { awb })
  await server.makeRound('erasure')
  await server.makeRound('erasure')
  for (const party of [shop, courier, colleague]) assert.ok((await taskOf(party, awb)).erasedAt)
})

test('what the partner erases by its own setting stays with the owner', async (t) => {
  const { server, shop, courier, awb, copy, asDriver } = await onItsWay(t)
  await asDriver(`tasks/${copy.id}/fail`, { reason: 'Nobody there' })
  await courier.post('/erasures', { awb })
  assert.ok((await taskOf(courier, awb)).erasedAt)
  const own = await taskOf(shop, awb)
  assert.deepEqual([own.erasedAt, own.cancelReason, own.customer.name], [undefined, 'Nobody there', 'Ana'])
  await server.makeRound('erasure')
  assert.equal((await taskOf(shop, awb)).erasedAt, undefined)
})

test('a former partner keeps a task to its end, and its data for a day after that', async (t) => {
  const { server, shop, courier, awb, copy, asDriver } = await onItsWay(t)
  await shop.delete(`/partners/${courier.organisationId}`)
  await server.makeRound('erasure')
  assert.equal((await taskOf(courier, awb)).customer.name, 'Ana')
  assert.equal((await asDriver(`tasks/${copy.id}/complete`)).status, 200)
  assert.equal((await taskOf(shop, awb)).statusId, 9)
  await server.makeRound('erasure')
  assert.equal((await taskOf(courier, awb)).erasedAt, undefined, 'pictures may still be on their way')
  await server.database.everyone.run(sql`
    update tasks set completed_at = completed_at - interval '25 hours' where organisation_id = ${courier.organisationId}`)
  await server.makeRound('erasure')
  assert.ok((await taskOf(courier, awb)).erasedAt)
  assert.equal((await taskOf(shop, awb)).customer.name, 'Ana')
})

test('a picture that one side erases is still with the other', async (t) => {
  const { server, shop, courier, awb, copy, asDriver, send, readFile } = await onItsWay(t)
  const fileId = randomUUID()
  await send(fileId, makeNoise(40, 30))
  await asDriver(`tasks/${copy.id}/notes`, { fileId })
  await asDriver(`tasks/${copy.id}/complete`)
  await courier.post('/erasures', { awb })
  await server.makeRound('collecting files')
  assert.deepEqual([(await readFile(courier, fileId)).status, (await readFile(shop, fileId)).status], [404, 200])
  await shop.post('/erasures', { awb })
  await server.makeRound('collecting files')
  assert.equal((await readFile(shop, fileId)).status, 404)
})

test('a parcel that is given again still has the label of its first try, and whatever the courier called that', async (t) => {
  const { shop, courier, awb, delegate } = await aPair(t)
  const driver = await aDriverOf(courier)
  // The courier has a parcel of its own with this AWB, so its first try has another.
  const mine = (await courier.post('/tasks', aTask({ awb, userId: driver.id }))).body.task
  await courier.put(`/tasks/awb/${awb}/forceComplete`, { success: true })
  await delegate()
  const [label] = (await taskOf(shop, awb)).partnerAwbs
  await driver.take(label)
  assert.equal((await courier.post('/scans', { code: awb, at: 'hub' })).body.scan.awb, label)
  await driver.act('fail', label, { reason: 'Nobody' })
  const next = (await shop.post(`/tasks/awb/${awb}/reattempt`)).body.task
  assert.deepEqual(next.earlierAwbs, [awb, label])
  await give(shop, courier, next.awb)
  const copy = await taskOf(courier, next.awb)
  assert.deepEqual(copy.earlierAwbs, [awb, label])
  await driver.take(next.awb)

  const deviceTime = new Date().toISOString()
  for (const code of [awb, label, label.toLowerCase(), next.awb]) {
    const { scan } = (await courier.post('/scans', { code, at: 'vehicle', userId: driver.id })).body
    assert.deepEqual([code, scan.result, scan.awb], [code, 'expected', next.awb])
    const ops = [{ opId: randomUUID(), type: 'scan', taskId: copy.id, occurredAt: deviceTime, code }]
    const sent = await request(courier.url, 'POST', '/api/v1/driver/sync', {
      key: driver.key,
      body: { deviceTime, ops },
    })
    assert.equal(sent.body.results[0].success, true, sent.text)
  }
  const found = (await courier.get(`/tasks?search=${awb}`)).body.tasks.map(({ id }: { id: number }) => id)
  assert.ok(found.includes(copy.id) && found.includes(mine.id))
})

test('along a chain every label of the first try scans, and once all tries have ended the scan says so', async (t) => {
  const { server, shop, courier, awb, delegate } = await aPair(t)
  const colleague: Party = await server.another()
  await agree(courier, colleague)
  const driver = await aDriverOf(colleague)
  await delegate()
  await give(courier, colleague, awb)
  await driver.take(awb)
  await driver.act('fail', awb, { reason: 'Nobody' })
  const next = (await shop.post(`/tasks/awb/${awb}/reattempt`)).body.task
  await give(shop, courier, next.awb)
  await give(courier, colleague, next.awb)
  await driver.take(next.awb)
  const scan = async () => (await colleague.post('/scans', { code: awb, at: 'hub' })).body.scan
  assert.deepEqual([(await scan()).awb, (await scan()).result], [next.awb, 'expected'])
  await driver.act('fail', next.awb, { reason: 'Nobody' })
  assert.equal((await scan()).result, 'ended')
})

test('an open task is meant before the earlier label of another', async (t) => {
  const { shop, courier, awb, delegate } = await aPair(t)
  const driver = await aDriverOf(courier)
  await delegate()
  await driver.take(awb)
  await driver.act('fail', awb, { reason: 'Nobody' })
  await courier.put(`/tasks/awb/${awb}`, { awb: 'RENAMED' })
  await courier.post('/tasks', aTask({ awb, userId: driver.id }))
  const next = (await shop.post(`/tasks/awb/${awb}/reattempt`)).body.task
  await give(shop, courier, next.awb)
  assert.equal((await courier.post('/scans', { code: awb, at: 'hub' })).body.scan.awb, awb)
})
