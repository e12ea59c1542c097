import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver, signIn } from '../../test/factories.ts'
import { agree, give } from '../../test/partners.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { forgetOldPlaces } from './places.ts'

const gazetteer = { WAYBILL_GEOCODER: 'embedded' }
const door = { lat: 45.75581, lng: 21.23223 }

const create = async (server: TestServer, awb: string, address: object, more: object = {}) =>
  (await server.post('/tasks', aTask({ awb, address, ...more }))).body.task
const addressOf = async (server: TestServer, awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task.address
const untilPlaced = (server: TestServer, awb: string) =>
  until(`${awb} to be found`, async () => {
    const address = await addressOf(server, awb)
    return address.lat !== null && address
  })
const correct = async (server: TestServer, awb: string, address: object) =>
  (await server.put(`/tasks/awb/${awb}`, { address })).body.task.address

const placesOf = ({ database, organisationId }: TestServer) =>
  database.everyone.many<Record<string, unknown>>(sql`
    select * from learned_places where organisation_id = ${organisationId}`)

test('a pin that was corrected is where the same address is the next time, and the answer says so', async (t) => {
  const server = await startServer(t, gazetteer)
  await create(server, 'A', { address: 'Strada Nouă nr. 5, ap. 3, Timișoara' })
  assert.equal((await untilPlaced(server, 'A')).precisionDetail, 'city')
  assert.equal((await correct(server, 'A', door)).precisionDetail, null)

  await create(server, 'B', { address: 'str noua 5', city: 'Timisoara' })
  const { lat, lng, precision, precisionDetail } = await untilPlaced(server, 'B')
  assert.deepEqual(
    { lat, lng, precision, precisionDetail },
    { ...door, precision: 'exact', precisionDetail: 'learned' },
  )
  assert.deepEqual(await server.triggers('B'), ['TASK_CREATED', 'TASK_GEOCODED'])

  await create(server, 'C', { address: 'Strada Nouă 7, Timișoara' })
  assert.equal((await untilPlaced(server, 'C')).precisionDetail, 'city', 'its neighbour is another house')
})

test('a later pin counts, for the set of an import as for one', async (t) => {
  const server = await startServer(t, gazetteer)
  const address = { address: 'Aleea Teilor 1, Timișoara' }
  await server.post('/tasks/bulkCreate', { tasks: ['A', 'B'].map((awb) => aTask({ awb, address })) })
  await untilPlaced(server, 'B')
  const tasks = [
    { awb: 'A', address: { lat: 45.7, lng: 21.2 } },
    { awb: 'B', address: door },
  ]
  assert.equal((await server.put('/tasks/bulkUpdate', { tasks })).status, 200)
  await create(server, 'C', address)
  assert.equal((await untilPlaced(server, 'C')).lat, door.lat)
  await correct(server, 'C', { lat: 45.76, lng: 21.24 })
  await create(server, 'D', address)
  assert.equal((await untilPlaced(server, 'D')).lat, 45.76)
})

test('other open tasks of an address that is put right and was found badly are put right with it', async (t) => {
  const server = await startServer(t, gazetteer)
  const other = { ...server, ...(await server.another()) }
  const flat = (number: number) => ({ address: `Str. Nouă nr. 5, ap. ${number}, Timișoara` })
  const driver = await makeDriver(server)
  await create(server, 'A', flat(1))
  await create(server, 'B', flat(2), { userId: driver.id })
  await create(server, 'NOWHERE', { address: 'Nicăieri 7' })
  await create(server, 'LOST', { address: 'Nicăieri 7' })
  await create(server, 'ENDED', flat(3), { userId: driver.id })
  await create(server, 'GIVEN', { ...flat(4), lat: 45.7, lng: 21.2 })
  await create(server, 'CONFIRMED', flat(6))
  await create(server, 'BESIDE', { address: 'Str. Nouă nr. 7, Timișoara' })
  await create(other, 'THEIRS', flat(1))
  for (const awb of ['A', 'B', 'ENDED', 'CONFIRMED', 'BESIDE']) await untilPlaced(server, awb)
  await untilPlaced(other, 'THEIRS')
  for (const awb of ['NOWHERE', 'LOST'])
    await until(`${awb} to be given up`, async () => (await addressOf(server, awb)).geocodingProblem)
  await server.put('/tasks/awb/ENDED/forceComplete', {})
  const spot = { lat: 45.1, lng: 21.1 }
  // As if it had been confirmed before anything was learned.
  await server.database.everyone.run(sql`
    update addresses a set precision = null, precision_detail = null from tasks t
    where t.organisation_id = ${server.organisationId} and t.awb = 'CONFIRMED'
      and a.organisation_id = t.organisation_id and a.task_id = t.id`)

  await correct(server, 'A', door)
  await correct(server, 'NOWHERE', spot)

  const tell = async (awb: string, of = server) => {
    const { lat, precision, precisionDetail } = await addressOf(of, awb)
    return [lat, precision, precisionDetail]
  }
  assert.deepEqual(await tell('B'), [door.lat, 'exact', 'learned'], 'another flat of the house')
  assert.deepEqual(await tell('LOST'), [spot.lat, 'exact', 'learned'])
  const { task } = (await server.get('/tasks/awb/B')).body
  const { actor, data } = task.timelines.at(-1)
  assert.deepEqual([actor.name, data.previous.address.precisionDetail], ['Waybill', 'city'])
  assert.deepEqual(await server.triggers('B'), ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_GEOCODED', 'TASK_GEOCODED'])

  assert.deepEqual(await tell('GIVEN'), [45.7, 'exact', null])
  const city = [45.75372, 'approximate', 'city']
  assert.deepEqual([await tell('ENDED'), await tell('BESIDE'), await tell('THEIRS', other)], [city, city, city])
  assert.deepEqual(await tell('CONFIRMED'), [45.75372, 'exact', null])
  assert.deepEqual(await server.triggers('BESIDE'), ['TASK_CREATED', 'TASK_GEOCODED'])
})

test('a partner who has the other task of that address learns where it is', async (t) => {
  const server = await startServer(t, gazetteer)
  const courier = await server.another()
  await agree(server, courier)
  for (const awb of ['P-A', 'P-B']) {
    await create(server, awb, { address: 'Strada Nouă 5, Timișoara' })
    await untilPlaced(server, awb)
  }
  await give(server, courier, 'P-B')
  await correct(server, 'P-A', door)
  for (const party of [server, courier]) {
    const { task } = (await party.get('/tasks/awb/P-B')).body
    assert.deepEqual([task.address.lat, task.address.lng, task.address.precision], [door.lat, door.lng, 'exact'])
  }
})

test('where addresses are not looked up, a pin that is corrected is that of its task alone', async (t) => {
  const server = await startServer(t)
  const address = { address: 'Strada Nouă 5, Timișoara' }
  for (const awb of ['A', 'B']) await create(server, awb, address)
  await server.database.everyone.run(sql`
    update addresses set lat = 45.7, lng = 21.2, precision = 'approximate', precision_detail = 'city'
    where organisation_id = ${server.organisationId}`)
  await correct(server, 'A', door)
  assert.equal((await addressOf(server, 'B')).precisionDetail, 'city')
})

test('a place that somebody confirmed is learned as one that was moved is, and what is only sent back is not', async (t) => {
  const server = await startServer(t, gazetteer)
  const address = { address: 'Strada Nouă 5, Timișoara' }
  await create(server, 'A', address)
  const { lat, lng } = await untilPlaced(server, 'A')
  await correct(server, 'A', { lat, lng })
  assert.deepEqual(await placesOf(server), [], 'nobody has looked')

  await correct(server, 'A', { lat, lng, confirmed: true })
  await create(server, 'B', address)
  const { precisionDetail, ...next } = await untilPlaced(server, 'B')
  assert.deepEqual([next.lat, next.lng, next.precision, precisionDetail], [lat, lng, 'exact', 'learned'])
})

test('what one organisation learned is nothing to another', async (t) => {
  const [server, other] = [await startServer(t, gazetteer), await startServer(t, gazetteer)]
  await create(server, 'A', { address: 'Strada Nouă 5, Timișoara', ...door })
  await correct(server, 'A', { lat: 45.756, lng: 21.2324 })
  await create(other, 'A', { address: 'Strada Nouă 5, Timișoara' })
  assert.equal((await untilPlaced(other, 'A')).precisionDetail, 'city')
  assert.deepEqual([(await placesOf(server)).length, (await placesOf(other)).length], [1, 0])
})

test('what names no house is not learned: a street is that of many', async (t) => {
  const server = await startServer(t, gazetteer)
  for (const [awb, address] of [
    ['A', 'Timișoara'],
    ['B', 'Calea 13 Septembrie, București'],
    ['C', '45.1, 21.1'],
  ] as const) {
    await create(server, awb, { address })
    await correct(server, awb, door)
  }
  assert.deepEqual(await placesOf(server), [])
})

test('a refused update and a rehearsed one teach nothing', async (t) => {
  const server = await startServer(t, gazetteer)
  await create(server, 'A', { address: 'Strada Nouă 5, Timișoara' })
  const tasks = [{ awb: 'A', address: door }]
  assert.equal((await server.put('/tasks/bulkUpdate', { tasks, dryRun: true })).status, 200)
  assert.equal((await server.put('/tasks/awb/A', { address: door, teamId: 4_711 })).status, 400)
  assert.deepEqual(await placesOf(server), [])
})

/** A driver brings tasks of an address and completes them somewhere. */
async function startDeliveries(server: TestServer) {
  await server.put('/company', { settings: { overwriteTaskLocation: true } })
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  let count = 0
  return async (place: { lat: number; lng: number; accuracyMetres?: number }, address: object) => {
    count += 1
    const task = await create(server, `D-${count}`, address, { userId: driver.id })
    const occurredAt = new Date().toISOString()
    const ops = ['start', 'complete'].map((type) => ({
      opId: randomUUID(),
      type,
      taskId: task.id,
      occurredAt,
      ...place,
    }))
    const body = { deviceTime: new Date().toISOString(), ops }
    const { results } = (await request(server.url, 'POST', '/api/v1/driver/sync', { key, body })).body
    assert.ok(
      results.every(({ success }: { success: boolean }) => success),
      JSON.stringify(results),
    )
    return task
  }
}

test('where drivers completed is learned too, and neither a stray nor a vague point wins', async (t) => {
  const server = await startServer(t, gazetteer)
  const deliver = await startDeliveries(server)
  const address = { address: 'Strada Câmpului 40, Giroc' }
  const near = (metres: number) => ({ lat: door.lat + metres / 111_195, lng: door.lng })

  await deliver({ ...near(4_000), accuracyMetres: 900 }, address)
  assert.deepEqual(await placesOf(server), [], 'it was not known exactly')
  for (const metres of [5, 5_000, -5]) await deliver({ ...near(metres), accuracyMetres: 10 }, address)
  await create(server, 'NEXT', address)
  const next = await untilPlaced(server, 'NEXT')
  assert.equal(next.precisionDetail, 'learned')
  assert.ok(Math.abs(next.lat - door.lat) < 0.0002, `${next.lat}`)

  await correct(server, 'NEXT', { lat: 45.7, lng: 21.2 })
  await deliver({ ...near(0), accuracyMetres: 5 }, address)
  await create(server, 'AFTER', address)
  assert.equal((await untilPlaced(server, 'AFTER')).lat, 45.7, 'a person knows better')
})

test('without the setting nothing is learned from drivers', async (t) => {
  const server = await startServer(t, gazetteer)
  const deliver = await startDeliveries(server)
  await server.put('/company', { settings: { overwriteTaskLocation: false } })
  await deliver(door, { address: 'Strada Câmpului 40, Giroc' })
  assert.deepEqual(await placesOf(server), [])
})

test('what was learned goes with the last task of its address that is erased or deleted', async (t) => {
  const server = await startServer(t, gazetteer)
  const { database, organisationId } = server
  const driver = await makeDriver(server)
  const address = { address: 'Strada Nouă 5, Timișoara' }
  const phones = ['0712345678', '0712345679']
  const make = async (awb: string, phone = phones[0]) => {
    await create(server, awb, address, { userId: driver.id, customer: { name: 'Ana Pop', phone } })
    await untilPlaced(server, awb)
  }
  await make('A')
  await correct(server, 'A', door)
  await make('B', phones[1])
  for (const awb of ['A', 'B']) await server.put(`/tasks/awb/${awb}/forceComplete`, {})

  await server.post('/erasures', { phone: phones[0] })
  assert.equal((await placesOf(server)).length, 1, 'somebody else lives there, and was found by it')
  await server.post('/erasures', { phone: phones[1] })
  assert.deepEqual(await placesOf(server), [])

  await make('C')
  await correct(server, 'C', door)
  assert.equal((await placesOf(server)).length, 1)
  await database.everyone.run(sql`
    update learned_places set updated_at = now() - interval '1 hour' where organisation_id = ${organisationId}`)
  await create(server, 'D', { address: 'Strada Veche 6, Timișoara' })
  await correct(server, 'D', door)
  await forgetOldPlaces(server, new AbortController().signal, 1)
  assert.equal((await placesOf(server)).length, 1, 'beyond a bound those not used for longest go')
})

test('a hub at a place that was learned is there', async (t) => {
  const server = await startServer(t, gazetteer)
  await create(server, 'A', { address: 'Strada Depozitelor 2, Timișoara' })
  await correct(server, 'A', door)
  const { hub } = (await server.post('/hubs', { name: 'Depot', address: 'Str. Depozitelor nr. 2, Timișoara' })).body
  assert.deepEqual([hub.lat, hub.lng, hub.precision], [door.lat, door.lng, 'exact'])
})
