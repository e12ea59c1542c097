import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { raw, sql } from '../../db/sql.ts'
import { aTask } from '../../test/factories.ts'
import { aDriverOf, agree, give, type Party, taskOf } from '../../test/partners.ts'
import { makeNoise } from '../../test/pictures.ts'
import { request, startServer } from '../../test/server.ts'
import { followCustomer } from '../customers/customers.ts'

/* What partners know of the customers of shared tasks, and that it is all they know. */

const ana = { name: 'Ana Quint', phone: '0712345678', email: 'ana@home.example', address: 'Strada Secreta 5' }

async function partners(t: TestContext) {
  const server = await startServer(t)
  const [shop, courier]: [Party, Party] = [server, await server.another()]
  await agree(shop, courier)
  return { server, shop, courier }
}

const customerOf = async (party: Party, awb: string) => {
  const { name, phone, email, address } = (await taskOf(party, awb)).customer
  return { name, phone, email, address }
}
const edit = async (party: Party, awb: string, customer: object) => {
  const { status, text } = await party.put(`/tasks/awb/${awb}`, { customer })
  assert.equal(status, 200, text)
}
const countCustomers = async ({ database, organisationId }: Party) =>
  (
    await database.everyone.get<{ count: number }>(sql`
      select count(*)::int as count from customers where organisation_id = ${organisationId}`)
  ).count

test('what one organisation knows of somebody is neither changed nor read by a partner who knows the name and number', async (t) => {
  const { server, shop, courier } = await partners(t)
  const colleague: Party = await server.another()
  await agree(courier, colleague)
  for (const party of [shop, courier, colleague]) await party.post('/tasks', aTask({ awb: 'OWN', customer: ana }))
  const known = await customerOf(shop, 'OWN')

  const told = { name: ana.name, phone: ana.phone, email: 'other@shop.example' }
  await shop.post('/tasks', aTask({ awb: 'S', customer: { name: ana.name, phone: '0712345679' } }))
  await give(shop, courier, 'S')
  await give(courier, colleague, 'S')
  const everywhere = async (expected: object) => {
    for (const party of [shop, courier, colleague]) {
      assert.deepEqual(await customerOf(party, 'S'), expected)
      assert.deepEqual(await customerOf(party, 'OWN'), known)
    }
  }
  const number = '+40712345678'
  await edit(colleague, 'S', { phone: ana.phone })
  await everywhere({ name: ana.name, phone: number, email: null, address: null })
  await edit(courier, 'S', { email: told.email })
  await everywhere({ name: ana.name, phone: number, email: told.email, address: null })
  await edit(shop, 'S', { address: 'Strada Nouă 1' })
  await everywhere({ name: ana.name, phone: number, email: told.email, address: 'Strada Nouă 1' })
  await edit(colleague, 'S', { email: null })
  await everywhere({ name: ana.name, phone: number, email: null, address: 'Strada Nouă 1' })
  for (const party of [shop, courier, colleague]) assert.equal(await countCustomers(party), 2)
})

test('what the owner learns of a customer from other tasks stays when the partner changes something else', async (t) => {
  const { shop, courier } = await partners(t)
  await shop.post('/tasks', aTask({ awb: 'S', customer: { name: ana.name, phone: ana.phone } }))
  await give(shop, courier, 'S')
  await shop.post('/tasks', aTask({ awb: 'LATER', customer: { name: ana.name, phone: ana.phone, email: ana.email } }))
  await edit(courier, 'S', { address: 'Strada Nouă 1' })
  const [theirs, ours, later] = [
    await customerOf(courier, 'S'),
    await customerOf(shop, 'S'),
    await customerOf(shop, 'LATER'),
  ]
  assert.deepEqual([theirs.email, theirs.address], [null, 'Strada Nouă 1'])
  assert.deepEqual([ours.email, ours.address], [ana.email, 'Strada Nouă 1'])
  assert.deepEqual([later.email, later.address], [ana.email, null])
})

test('the customer of a shared task is found by the phone, gets no messages after an opt-out, and is erased', async (t) => {
  const { shop, courier } = await partners(t)
  await courier.put('/company', { settings: { messageOnItsWay: true } })
  await shop.post('/tasks', aTask({ awb: 'S', customer: ana }))
  await give(shop, courier, 'S')
  const awbsOf = async (query: string) =>
    (await courier.get(`/tasks?${query}`)).body.tasks.map(({ awb }: { awb: string }) => awb)
  assert.deepEqual(await awbsOf('phone=0712%20345%20678'), ['S'])
  assert.deepEqual(await awbsOf('q=0712345678'), ['S'])
  const { uuid } = await taskOf(courier, 'S')
  assert.equal((await request(courier.url, 'POST', `/t/${uuid}/optOut`, { body: {} })).status, 200)
  const hashes = await courier.database.everyone.many(sql`
    select from message_opt_outs where organisation_id = ${courier.organisationId}`)
  assert.equal(hashes.length, 2, 'the number and the e-mail')
  const driver = await aDriverOf(courier)
  await driver.take('S')
  await courier.put('/tasks/awb/S/forceComplete', { success: true })
  const { counts } = (await courier.post('/erasures', { phone: '0712 345 678' })).body
  assert.deepEqual([counts.tasks, counts.customers, await countCustomers(courier)], [1, 1, 0])
  assert.equal((await customerOf(shop, 'S')).email, ana.email)
})

test('who signs once for two parcels of a partner’s customer is named on both', async (t) => {
  const { shop, courier } = await partners(t)
  const driver = await aDriverOf(courier)
  for (const awb of ['A', 'B', 'C']) {
    await shop.post('/tasks', aTask({ awb, customer: awb === 'C' ? { ...ana, name: 'Dan' } : ana }))
    await give(shop, courier, awb)
    await driver.take(awb)
    await driver.act('start', awb)
  }
  const fileId = randomUUID()
  const deviceTime = new Date().toISOString()
  const ops: object[] = []
  for (const awb of ['A', 'B', 'C'])
    ops.push({
      opId: randomUUID(),
      type: 'signature',
      taskId: (await taskOf(courier, awb)).id,
      occurredAt: deviceTime,
      fileId,
      name: 'Ana',
    })
  const { body } = await request(courier.url, 'POST', '/api/v1/driver/sync', {
    key: driver.key,
    body: { deviceTime, ops },
  })
  assert.deepEqual(
    body.results.map(({ success }: { success: boolean }) => success),
    [true, true, true],
  )
  const names = []
  for (const awb of ['A', 'B', 'C']) names.push((await taskOf(courier, awb)).notes[0].note)
  assert.deepEqual(names, ['Ana', 'Ana', null])
})

test('the customer’s page and the office of the owner know which notes are of a driver, along the chain', async (t) => {
  const { server, shop, courier } = await partners(t)
  const colleague: Party = await server.another()
  await agree(courier, colleague)
  await shop.post('/tasks', aTask({ awb: 'S', customer: ana }))
  await give(shop, courier, 'S')
  await give(courier, colleague, 'S')
  const headers = { 'content-type': 'image/png' }
  const raw = makeNoise(40, 30)
  const { file } = (await request(colleague.url, 'POST', '/api/v1/files', { key: colleague.key, raw, headers })).body
  await colleague.post('/tasks/awb/S/notes', { fileId: file.id })
  const driver = await aDriverOf(colleague)
  await driver.take('S')
  await driver.act('start', 'S')
  const fileId = randomUUID()
  await request(colleague.url, 'PUT', `/api/v1/driver/files/${fileId}`, { key: driver.key, raw, headers })
  await driver.act('notes', 'S', { fileId })
  await driver.act('notes', 'S', { note: 'At the gate' })
  await driver.act('complete', 'S')
  for (const party of [shop, courier, colleague]) {
    const { uuid, notes } = await taskOf(party, 'S')
    assert.deepEqual(
      notes.map(({ byDriver }: { byDriver: boolean }) => byDriver),
      [false, true, true],
    )
    const { photos } = (await request(party.url, 'GET', `/t/${uuid}/task`)).body.tracking
    assert.deepEqual(photos, [`/t/${uuid}/files/${fileId}`])
    const picture = await request(party.url, 'GET', photos[0] as string)
    assert.equal(picture.status, 200)
  }
  const unseen = async () => (await shop.get('/notes/unseen')).body.notes.map(({ note }: { note: string }) => note)
  assert.deepEqual(await unseen(), ['At the gate'])
  const { id, notes } = await taskOf(shop, 'S')
  const noteIds = notes.map((one: { id: number }) => one.id)
  await shop.put(`/tasks/${id}/notes/seen`, { notes: noteIds })
  assert.deepEqual(await unseen(), [])
})

test('tasks of partners that shared a record with others, as before, get one of their own', async (t) => {
  const { shop, courier } = await partners(t)
  await shop.post('/tasks', aTask({ awb: 'S', customer: ana }))
  await give(shop, courier, 'S')
  await courier.post('/tasks', aTask({ awb: 'OWN', customer: ana }))
  const { database, organisationId } = courier
  await database.everyone.run(sql`
    update tasks set customer_id = (
      select customer_id from tasks where organisation_id = ${organisationId} and awb = 'OWN')
    where organisation_id = ${organisationId} and awb = 'S'`)
  const before = await taskOf(courier, 'S')
  const file = await readFile(new URL('../../db/migrations/0112_told_before.sql', import.meta.url), 'utf8')
  for (const statement of file.split(/;\n/).filter((text) => text.trim())) await database.everyone.run(raw(statement))
  const [own, told] = [await taskOf(courier, 'OWN'), await taskOf(courier, 'S')]
  assert.deepEqual([own.customerId, told.customerId === before.customerId], [before.customerId, false])
  assert.deepEqual({ ...told.customer, id: 0 }, { ...before.customer, id: 0 })
  await edit(courier, 'S', { email: 'new@shop.example' })
  assert.equal((await taskOf(courier, 'S')).customerId, told.customerId, 'changed in its place')
  assert.equal((await customerOf(courier, 'OWN')).email, ana.email)
})

test('where a customer of other tasks is, both find for themselves', () => {
  const row = {
    organisation_id: 1,
    id: 1,
    name: 'Ana',
    phone: '+40712345678',
    email: null,
    address: 'Strada 1',
    address_second_line: null,
    lat: null,
    lng: null,
    created_at: '',
    updated_at: '',
    typed_phone: null,
    geocode_at: null,
    geocode_attempts: 0,
    geocode_problem: null,
  }
  const alone = { ...row, phone: null, typed_phone: row.phone }
  const found = { ...alone, lat: 44.4, lng: 26.1 }
  assert.equal(followCustomer(row, alone, found), undefined)
  const followed = followCustomer(alone, alone, found)
  assert.deepEqual([followed?.lat, followed?.lng], [44.4, 26.1])
  const moved = followCustomer({ ...row, lat: 44.4, lng: 26.1 }, alone, { ...alone, address: 'Strada 2' })
  assert.deepEqual([moved?.address, moved?.lat, moved?.lng], ['Strada 2', null, null])
})
