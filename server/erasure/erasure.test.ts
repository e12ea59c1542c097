import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Succeeded } from '../../core/task-status.ts'
import { connectAsOwner } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import { aTask, beginDuty, makeDriver, signIn } from '../test/factories.ts'
import { anOffice } from '../test/messages.ts'
import { makeNoise } from '../test/pictures.ts'
import { s3Credentials, startS3 } from '../test/s3.ts'
import { request, startServer, type TestServer } from '../test/server.ts'

const customer = { name: 'Zamfira Quintescu', phone: '0712345678', email: 'zamfira@quintescu.example' }

async function makeEnded(server: TestServer, given: object = {}) {
  const driver = await makeDriver(server)
  const task = (await server.post('/tasks', aTask({ customer, details: 'Third floor', userId: driver.id, ...given })))
    .body.task
  await server.put(`/tasks/awb/${task.awb}/forceComplete`, { success: true })
  return { ...task, driver } as {
    id: number
    awb: string
    uuid: string
    driver: { id: number; name: string; phone: string }
  }
}

const letHoursPass = ({ database }: TestServer, taskId: number, hours: number) =>
  database.everyone.run(sql`
    update tasks set completed_at = completed_at - make_interval(hours => ${hours}) where id = ${taskId}`)

test('a customer is erased by phone: same shape, empty texts, and a receipt without anything personal', async (t) => {
  const server = await startServer(t)
  const task = await makeEnded(server, { totalPrice: 50, inventory: [{ sku: 'secret' }] })
  const open = (await server.post('/tasks', aTask({ customer, awb: `OPEN-${task.id}` }))).body.task

  const preview = (await server.post('/erasures', { phone: '+40 712 345 678', dryRun: true })).body
  assert.deepEqual([preview.erasures, preview.counts.tasks], [[], 1])
  assert.equal((await server.get(`/tasks/${task.id}`)).body.task.details, 'Third floor')

  const { erasures, left, counts } = (await server.post('/erasures', { phone: '+40 712 345 678' })).body
  assert.deepEqual(left, [{ taskId: open.id, awb: open.awb, because: 'open' }])
  assert.deepEqual([counts.tasks, counts.customers], [1, 0])
  assert.deepEqual(erasures[0].taskIds, [task.id])
  assert.ok(erasures[0].finishedAt)
  assert.doesNotMatch(JSON.stringify(erasures), /Zamfira|712345678|quintescu/)
  assert.deepEqual((await server.get('/erasures')).body.erasures, erasures)

  const erased = (await server.get(`/tasks/${task.id}`)).body.task
  assert.deepEqual(
    [erased.details, erased.customer, erased.inventory, erased.address.address, erased.address.lat],
    ['', null, null, '', null],
  )
  assert.equal(erased.totalPrice, 50)
  assert.ok(erased.erasedAt)
  assert.equal((await server.get(`/tasks/${open.id}`)).body.task.customer.name, customer.name)
  const { events } = (await server.get('/events')).body
  const own = events.filter((event: { taskId: number }) => event.taskId === task.id)
  assert.doesNotMatch(JSON.stringify(own), /Zamfira|712345678|quintescu|Lipscani|Third floor|secret/)
  assert.ok(own.every((event: { data: { task: { erasedAt?: string } } }) => event.data.task.erasedAt))
})

test('what shows a customer’s data is gone with it: tracking page, proof, proof link, pictures', async (t) => {
  const server = await startServer(t)
  const task = await makeEnded(server)
  const headers = { 'content-type': 'image/png' }
  const { file } = (
    await request(server.url, 'POST', '/api/v1/files', { key: server.key, raw: makeNoise(40, 30), headers })
  ).body
  await server.post(`/tasks/awb/${task.awb}/notes`, { fileId: file.id })
  const { proofLink } = (await server.post('/proofLinks', { awbs: [task.awb] })).body
  const page = new URL(proofLink.link).pathname
  const statuses = async () => [
    (await request(server.url, 'GET', `/t/${task.uuid}`)).status,
    (await request(server.url, 'GET', page)).status,
    (await server.get(`/tasks/${task.id}/proof.pdf`)).status,
    (await request(server.url, 'GET', file.path, { key: server.key })).status,
  ]
  assert.deepEqual(await statuses(), [200, 200, 200, 200])

  await server.post('/erasures', { awb: task.awb })
  assert.deepEqual(await statuses(), [404, 404, 404, 404])
  assert.equal((await server.put(`/tasks/awb/${task.awb}`, { details: 'again' })).body.error.code, 'TASK_ERASED')
})

test('positions at the door go also where a task was started after it had ended', async (t) => {
  const server = await startServer(t)
  const task = await makeEnded(server)
  const token = await signIn(server, task.driver)
  await beginDuty(server.url, token)
  const { lat, lng } = aTask().address
  const occurredAt = new Date(Date.now() - 45 * 60_000).toISOString()
  await request(server.url, 'POST', '/api/v1/driver/locations', {
    key: token,
    body: { locations: [{ lat, lng, occurredAt }] },
  })
  await server.database.everyone.run(sql`
    update tasks set started_at = now(), completed_at = now() - interval '40 minutes' where id = ${task.id}`)
  assert.equal((await server.post('/erasures', { awb: task.awb })).body.counts.positions, 1)
})

test('pictures go from a bucket too, later if it does not answer: what was erased is told all the same', async (t) => {
  const s3 = await startS3()
  t.after(s3.close)
  const server = await startServer(t, {
    WAYBILL_FILES: 's3://pictures/waybill',
    AWS_ENDPOINT_URL: s3.url,
    AWS_ACCESS_KEY_ID: s3Credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
  })
  const task = await makeEnded(server)
  const headers = { 'content-type': 'image/png' }
  const sent = { key: server.key, raw: makeNoise(40, 30), headers }
  const { file } = (await request(server.url, 'POST', '/api/v1/files', sent)).body
  await server.post(`/tasks/awb/${task.awb}/notes`, { fileId: file.id })
  assert.equal(s3.objects.size, 2)

  s3.fail(...Array(3).fill('SlowDown'))
  const { status, body } = await server.post('/erasures', { awb: task.awb })
  assert.deepEqual([status, body.erasures.length, body.counts.pictures, s3.objects.size], [200, 1, 1, 2])
  await server.makeRound('collecting files')
  assert.equal(s3.objects.size, 0)
})

test('by time: hours after the end, and only what has ended and waits for nobody', async (t) => {
  const server = await startServer(t)
  const [old, fresh] = [await makeEnded(server), await makeEnded(server)]
  const open = (await server.post('/tasks', aTask({ customer }))).body.task
  await letHoursPass(server, old.id, 25)
  const erasedIds = async () => {
    const tasks = await Promise.all([old, fresh, open].map(({ id }) => server.get(`/tasks/${id}`)))
    return tasks.filter(({ body }) => body.task.erasedAt).map(({ body }) => body.task.id)
  }
  await server.makeRound('erasure')
  assert.deepEqual(await erasedIds(), [], '0 keeps everything')

  await server.put('/company', { settings: { hoursToSaveCustomerDataAfterDone: 24 } })
  await server.makeRound('erasure')
  assert.deepEqual(await erasedIds(), [old.id])
  const [receipt] = (await server.get('/erasures')).body.erasures
  assert.deepEqual(
    [receipt.reason, receipt.hours, receipt.taskIds, receipt.actor.type],
    ['time', 24, [old.id], 'SYSTEM'],
  )

  await server.makeRound('receipts')
  const lines = (await readFile(server.config.receipts, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(lines.find((line) => line.receipt === receipt.receipt).taskIds, [old.id])
})

test('taking the setting back stops erasing, also in the middle of a backlog', async (t) => {
  const server = await startServer(t)
  const tasks = Array.from({ length: 60 }, (_, n) => aTask({ awb: `BACKLOG-${n}` }))
  await server.post('/tasks/bulkCreate', { tasks })
  await server.put('/company', { settings: { hoursToSaveCustomerDataAfterDone: 24 } })
  const { id } = (await server.get('/company')).body.company
  await server.database.everyone.run(sql`
    update tasks set status_id = ${Succeeded}, completed_at = now() - interval '25 hours' where organisation_id = ${id}`)
  const owner = await connectAsOwner(server.config.databaseUrl as string, 'test')
  t.after(() => owner.end())
  await owner.query(`
    create function take_back() returns trigger language plpgsql as $$ begin
      update organisations set settings = settings || '{"hoursToSaveCustomerDataAfterDone": 0}' where id = new.organisation_id;
      return new;
    end $$;
    create trigger take_back after insert on erasures for each row when (new.organisation_id = ${id})
      execute function take_back()`)

  await server.makeRound('erasure')
  const { erasures } = (await server.get('/erasures')).body
  assert.deepEqual(
    erasures.map(({ taskIds }: { taskIds: number[] }) => taskIds.length),
    [50],
  )
  await owner.query('drop function take_back cascade')
  await server.put('/company', { settings: { hoursToSaveCustomerDataAfterDone: 24 } })
  await server.makeRound('erasure')
  assert.equal((await server.get('/erasures')).body.erasures.length, 2)
})

test('what a phone still holds goes, and what it sends later leaves no contents', async (t) => {
  const server = await startServer(t)
  const task = await makeEnded(server, { totalPrice: 80 })
  const token = await signIn(server, task.driver)
  const sync = async (cursor: string | null, ops: object[] = []) =>
    (
      await request(server.url, 'POST', '/api/v1/driver/sync', {
        key: token,
        body: { deviceTime: new Date().toISOString(), cursor, ops },
      })
    ).body
  const before = await sync(null)
  assert.deepEqual(
    before.changes.tasks.map(({ id }: { id: number }) => id),
    [task.id],
  )

  await server.post('/erasures', { awb: task.awb })
  const now = new Date().toISOString()
  const fileId = randomUUID()
  const op = (type: string, given: object) => ({ opId: randomUUID(), type, taskId: task.id, occurredAt: now, ...given })
  const after = await sync(before.cursor, [
    op('note', { note: 'Quintescu was not there' }),
    op('photo', { fileId, note: 'Her face' }),
    op('payment', { amount: 80, method: 'cash' }),
  ])
  assert.deepEqual(
    after.results.map(({ success }: { success: boolean }) => success),
    [true, true, true],
  )
  assert.deepEqual([after.changes.tasks, after.changes.removed, after.changes.erased], [[], [task.id], [task.id]])
  const sent = await request(server.url, 'PUT', `/api/v1/driver/files/${fileId}`, {
    key: token,
    raw: makeNoise(40, 30),
    headers: { 'content-type': 'image/png' },
  })
  assert.equal(sent.status, 200)
  assert.equal((await request(server.url, 'GET', `/files/${fileId}`, { key: server.key })).status, 404)
  const { task: shown } = (await server.get(`/tasks/${task.id}`)).body
  assert.deepEqual([shown.notes, shown.leftToBePaid], [[], 0])
  assert.doesNotMatch(JSON.stringify((await server.get('/events')).body), /Quintescu was|Her face/)
})

test('a driver who left becomes a number in the history', async (t) => {
  const server = await startServer(t)
  const task = await makeEnded(server)
  const { driver } = task
  const refused = await server.post('/erasures', { driverId: driver.id })
  assert.equal(refused.body.error.code, 'DRIVER_NOT_DELETED')
  await server.delete(`/drivers/${driver.id}`)

  const { erasures } = (await server.post('/erasures', { driverId: driver.id })).body
  assert.deepEqual([erasures[0].reason, erasures[0].driverId], ['driver', driver.id])
  const { task: shown } = (await server.get(`/tasks/${task.id}`)).body
  assert.equal(shown.user.name, `Former driver ${driver.id}`)
  const text = JSON.stringify((await server.get('/events')).body)
  assert.match(text, new RegExp(`Former driver ${driver.id}`))
  assert.doesNotMatch(text, new RegExp(`"${driver.name}"|${driver.phone.slice(1)}`))
  assert.deepEqual((await server.post('/erasures', { driverId: driver.id })).body.erasures, [])
})

test('a person gets what is kept about them as one file', async (t) => {
  const server = await startServer(t)
  const task = await makeEnded(server)
  const path = `/api/v1/personalData?email=${encodeURIComponent(customer.email.toUpperCase())}`
  const { text, headers } = await request(server.url, 'GET', path, { key: server.key })
  assert.match(headers.get('content-disposition') ?? '', /personal-data\.tar/)
  assert.match(text, /customer\.json[\s\S]*Zamfira Quintescu[\s\S]*tasks-1\.json/)
  assert.ok(text.includes(task.uuid))
  assert.equal((await server.get('/personalData')).body.error.code, 'VALIDATION_FAILED')
})

test('a task that is somebody else’s by now forgets whose it was', async (t) => {
  const server = await startServer(t)
  const task = await makeEnded(server)
  const other = { name: 'Other Person', phone: '0722222222' }
  await server.put(`/tasks/awb/${task.awb}`, { customer: { ...other, email: null } })
  await server.post('/erasures', { phone: customer.phone })
  const shown = (await server.get(`/tasks/${task.id}`)).body.task
  assert.deepEqual([shown.customer.name, shown.erasedAt], [other.name, undefined])
  assert.doesNotMatch(JSON.stringify((await server.get('/events')).body), /Zamfira|712345678/)
})

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
/** A window that has changed is told two minutes later. */
const told = { messageOnItsWay: true, messageWindowChanged: true }

test('a message to somebody goes with them, whose task it may be about by now, and is not sent any more', async (t) => {
  const office = await anOffice(t, { ...told, messageFirstChannel: 'email' })
  const { server } = office
  const completeBefore = inHours(2)
  const task = await office.create({ customer, completeBefore })
  await office.act('start', task)
  await office.ended(1)
  await office.set({ messageFirstChannel: 'sms' })
  const someone = { name: 'Other Person', phone: '0722222222' }
  const other = await office.create({ customer: { ...someone, email: customer.email }, completeBefore })
  for (const { awb } of [task, other]) await server.put(`/tasks/awb/${awb}`, { completeBefore: inHours(3) })
  await server.put(`/tasks/awb/${task.awb}`, { customer: { ...someone, email: null, address: null } })
  const log = async () => (await office.list()).map(({ to, state }) => `${to} ${state}`).sort()
  assert.deepEqual(await log(), ['+40712345678 waiting', '+40722222222 waiting', 'zamfira@quintescu.example sent'])

  const dryRun = (await server.post('/erasures', { phone: customer.phone, dryRun: true })).body
  const { counts } = (await server.post('/erasures', { phone: customer.phone })).body
  assert.deepEqual([counts.messages, dryRun.counts], [2, counts])
  assert.deepEqual(await log(), [' dropped', ' sent', '+40722222222 waiting'], 'who has a task now is still told')
  const again = (await server.post('/erasures', { phone: customer.phone })).body
  assert.deepEqual([again.erasures, again.counts.messages], [[], 0])
  const dropped = (await office.list()).find(({ state }) => state === 'dropped')
  const retried = await server.post(`/messages/${dropped.id}/retry`)
  assert.deepEqual([dropped.canRetry, retried.body.error.code], [false, 'MESSAGE_NOT_RETRYABLE'])
})

test('the log of messages has no text that names a driver who was erased, whoever has the task now', async (t) => {
  const office = await anOffice(t, told)
  const { server, driver } = office
  const texts = ['onItsWay', 'windowChanged'].map((cause) => ({ cause, language: 'ro', text: 'Vine {driver}.' }))
  await server.put('/messageTexts', { texts })
  const task = await office.create({ completeBefore: inHours(2) })
  await office.act('start', task)
  await office.ended(1)
  await server.put(`/tasks/awb/${task.awb}`, { completeBefore: inHours(3) })
  await server.post('/tasks/bulkUnassign', { tasks: [task.awb] })
  const other = await makeDriver(server, { name: 'Vlad Ene' })
  await server.post(`/drivers/${other.id}/tasks/bulkAssign`, { tasks: [task.id] })
  await server.put(`/tasks/awb/${task.awb}`, { completeBefore: inHours(4) })
  const log = async () => (await office.list()).map(({ state, text }) => [state, text])
  assert.deepEqual(await log(), [
    ['waiting', 'Vine Vlad.'],
    ['waiting', 'Vine Andrei.'],
    ['sent', 'Vine Andrei.'],
  ])

  await server.delete(`/drivers/${driver.id}`)
  await server.post('/erasures', { driverId: driver.id })
  assert.deepEqual(await log(), [
    ['waiting', 'Vine Vlad.'],
    ['dropped', ''],
    ['sent', ''],
  ])
})

test('the photo of a driver goes with them, also one that the office has chosen, unless others have the same', async (t) => {
  const server = await startServer(t)
  const headers = { 'content-type': 'image/png' }
  const upload = async () =>
    (await request(server.url, 'POST', '/api/v1/files', { key: server.key, raw: makeNoise(40, 30), headers })).body.file
  const erase = async (given: object[]) => {
    const drivers = await Promise.all(given.map((one) => makeDriver(server, one)))
    const id = drivers[0]?.id
    await server.delete(`/drivers/${id}`)
    const dryRun = (await server.post('/erasures', { driverId: id, dryRun: true })).body
    const { counts } = (await server.post('/erasures', { driverId: id })).body
    assert.equal(dryRun.counts.pictures, counts.pictures)
    return counts.pictures
  }
  const [own, common] = [await upload(), await upload()]
  assert.deepEqual(
    [await erase([{ avatar: own.path }]), await erase([{ avatar: common.path }, { avatar: common.path }])],
    [1, 0],
  )
  const statusOf = async ({ path }: { path: string }) =>
    (await request(server.url, 'GET', path, { key: server.key })).status
  assert.deepEqual([await statusOf(own), await statusOf(common)], [404, 200])
  const kept = await server.database.everyone.many(
    sql`select from files where id = ${own.id} and store_key is not null`,
  )
  assert.equal(kept.length, 0)
})
