import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { readConfig } from '../config.ts'
import { sql } from '../db/sql.ts'
import { createLog } from '../log.ts'
import { startServer as startProcess } from '../main.ts'
import { aTask, makeDriver } from '../test/factories.ts'
import { answer, type Behaviour, late, type Received, type Receiver, startReceiver, tooMany } from '../test/receiver.ts'
import { quiet, startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import { claimDue } from './queries.ts'

type Address = Record<string, unknown> & { lat: number | null; precision: string; geocodingProblem: string }

const create = async (server: TestServer, awb: string, address: object) =>
  (await server.post('/tasks', aTask({ awb, address }))).body.task
const addressOf = async (server: TestServer, awb: string): Promise<Address> =>
  (await server.get(`/tasks/awb/${awb}`)).body.task.address
const customerOf = async (server: TestServer, awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task.customer

const untilPlaced = (server: TestServer, awb: string) =>
  until(`${awb} to be found`, async () => {
    const address = await addressOf(server, awb)
    return address.lat !== null && address
  })
const untilCustomerPlaced = (server: TestServer, awb: string) =>
  until(`the customer of ${awb} to be found`, async () => {
    const customer = await customerOf(server, awb)
    return customer.lat !== null && customer
  })
const untilProblem = (server: TestServer, awb: string) =>
  until(`${awb} to have a problem`, async () => (await addressOf(server, awb)).geocodingProblem)

const house = { lat: '44.4317', lon: '26.1015', place_rank: 30 }
const json = (body: unknown) => answer(200, { body: JSON.stringify(body) })
const queryOf = ({ url }: Received) => new URL(url, 'http://geocoder.test').searchParams.get('q')

/** By what else their servers were started with. */
const receivers = new Map<string, Promise<Receiver>>()
after(async () => {
  for (const receiver of receivers.values()) await (await receiver).close()
})

/** A server whose addresses are looked up at a Nominatim that does what the test says. */
async function startWithNominatim(t: TestContext, behaviour: Behaviour, environment: Record<string, string> = {}) {
  const nominatim = await receivers.getOrInsertComputed(JSON.stringify(environment), () => startReceiver())
  nominatim.requests.length = 0
  nominatim.always(behaviour)
  const settings = {
    WAYBILL_GEOCODER: 'nominatim',
    WAYBILL_GEOCODER_URL: `http://127.0.0.1:${nominatim.port}`,
    WAYBILL_GEOCODER_RATE: '50',
    ...environment,
  }
  return { nominatim, settings, server: await startServer(t, settings) }
}

interface State {
  geocode_at: Date | null
  geocode_attempts: number
  geocode_problem: string | null
}

const stateOf = ({ database, organisationId }: TestServer, awb: string) =>
  database.everyone.get<State>(sql`
    select a.geocode_at, a.geocode_attempts, a.geocode_problem
    from addresses a join tasks t on t.organisation_id = a.organisation_id and t.id = a.task_id
    where t.organisation_id = ${organisationId} and t.awb = ${awb}`)

/** As if everything that waits were due now, and all workers had been notified. */
async function passTime({ database, organisationId }: TestServer) {
  await database.everyone.run(sql`
    update addresses set geocode_at = now() where organisation_id = ${organisationId} and geocode_at is not null`)
  await database.everyone.run(sql`select pg_notify('waybill_events', 'test ')`)
}

test('a task without coordinates gets those of its city, says so, and fires one event', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'embedded' })
  const created = await create(server, 'A', { address: 'Strada Lipscani 12, București' })
  assert.deepEqual([created.address.lat, created.address.precision], [null, 'none'])

  const address = await untilPlaced(server, 'A')
  assert.deepEqual([address.lat, address['lng'], address.precision], [44.43225, 26.10626, 'approximate'])
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_GEOCODED'])
  const { task } = (await server.get('/tasks/awb/A')).body
  const entry = task.timelines.at(-1)
  assert.deepEqual(entry.actor, { type: 'SYSTEM', id: null, name: 'Waybill' })
  assert.deepEqual(entry.data, {
    previous: { address: { lat: null, lng: null, precision: 'none', precisionDetail: null } },
  })
  assert.ok(task.updatedAt > created.updatedAt)
  const [, event] = (await server.get('/events')).body.events
  const shown = event.data.task.address
  assert.deepEqual([event.triggerId, shown.precision, shown.precisionDetail], [9, 'approximate', 'city'])
})

test('a task that came with coordinates keeps them, and nothing happens', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'embedded' })
  const { address } = await create(server, 'A', { address: 'Cluj-Napoca', lat: 44.5, lng: 26.1 })
  assert.equal(address.precision, 'exact')
  await server.makeRound('geocoding without key')
  assert.deepEqual([(await addressOf(server, 'A')).lat, await server.triggers('A')], [44.5, ['TASK_CREATED']])
})

test('coordinates that are wrong are found again from the same text', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'embedded' })
  await create(server, 'A', { address: 'Strada Lipscani 12, București', lat: 46, lng: 25 })
  await server.put('/tasks/awb/A', { address: { findAgain: true } })
  assert.deepEqual(
    [(await untilPlaced(server, 'A')).lat, await server.triggers('A')],
    [44.43225, ['TASK_CREATED', 'TASK_UPDATED', 'TASK_GEOCODED']],
  )
})

test('an address without a known city says why it has no coordinates, until it is corrected', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'embedded' })
  await create(server, 'A', { address: 'Calea Victoriei 1' })
  assert.match(await untilProblem(server, 'A'), /No known city/)
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED'])

  const { task } = (await server.put('/tasks/awb/A', { address: { city: 'Cluj-Napoca' } })).body
  assert.equal(task.address.geocodingProblem, '')
  assert.equal((await untilPlaced(server, 'A')).lat, 46.76667)
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_UPDATED', 'TASK_GEOCODED'])
})

test('a point set by hand is exact, and one that is only sent back is not', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'embedded' })
  await create(server, 'A', { address: 'Strada Lipscani 12, București' })
  const { lat, lng } = (await untilPlaced(server, 'A')) as unknown as { lat: number; lng: number }
  const edit = async (address: object) => (await server.put('/tasks/awb/A', { address })).body.task.address

  assert.equal((await edit({ lat, lng })).precision, 'approximate')
  assert.equal((await edit({ addressSecondLine: 'Floor 3' })).precision, 'approximate')
  assert.equal((await edit({ lat: 44.4317, lng: 26.1015 })).precision, 'exact')
  const events = ['TASK_CREATED', 'TASK_GEOCODED', 'TASK_UPDATED', 'TASK_UPDATED']
  assert.deepEqual(await server.triggers('A'), events)

  assert.equal((await edit({ address: 'Strada Memorandumului 1, Cluj-Napoca' })).precision, 'none')
  assert.equal((await untilPlaced(server, 'A')).lat, 46.76667)
  assert.deepEqual(await server.triggers('A'), [...events, 'TASK_UPDATED', 'TASK_GEOCODED'])
})

test('a thousand tasks created at once are all placed, each with one event', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'embedded' })
  const towns = ['București', 'Cluj-Napoca', 'Iași', 'Timișoara', 'Nicăieri']
  const tasks = Array.from({ length: 1_000 }, (_, index) => ({
    awb: `B-${index}`,
    address: { streetName: 'Strada Mare', streetNumber: String(index), city: towns[index % 5] },
  }))
  const { body } = await server.post('/tasks/bulkCreate', { tasks })
  assert.equal(body.results.filter(({ success }: { success: boolean }) => success).length, 1_000)
  const begun = performance.now()
  const count = () =>
    server.database.everyone.get<{ placed: number; unknown: number; events: number }>(sql`
      select count(lat)::int as placed, count(geocode_problem)::int as unknown,
        (select count(*)::int from events where organisation_id = ${server.organisationId} and trigger_id = 9) as events
      from addresses where organisation_id = ${server.organisationId}`)
  await until('all to be looked up', async () => (await count()).placed + (await count()).unknown === 1_000)
  t.diagnostic(`${Math.round(performance.now() - begun)} ms for 1,000 addresses`)
  assert.deepEqual(await count(), { placed: 800, unknown: 200, events: 800 })
})

test('the house is exact, and the same address is not asked for twice', async (t) => {
  const { server, nominatim } = await startWithNominatim(t, json([house]))
  await create(server, 'A', { address: 'Strada Lipscani 12, București' })
  assert.deepEqual((await untilPlaced(server, 'A')).precision, 'exact')
  await create(server, 'B', { address: 'strada  Lipscani 12, Bucuresti' })
  assert.equal((await untilPlaced(server, 'B')).lat, 44.4317)
  assert.equal(nominatim.requests.length, 1)

  const another = { ...server, ...(await server.another()) }
  await create(another, 'A', { address: 'Strada Lipscani 12, București' })
  await untilPlaced(another, 'A')
  assert.equal(nominatim.requests.length, 2, 'what one organisation knows is nothing to another')
})

test('a customer who lives where the task is found is there, too, and nobody is asked again', async (t) => {
  const { server, nominatim } = await startWithNominatim(t, json([house]))
  const address = 'Strada Lipscani 12, București'
  const add = (awb: string, customer: object) => server.post('/tasks', { awb, address: { address }, customer })
  await add('A', { name: 'Ana', phone: '0712345678', address: 'strada lipscani 12, bucuresti' })
  await add('C', { name: 'Ion', phone: '0712345670', address, lat: 45, lng: 25 })
  for (const awb of ['A', 'C']) await untilPlaced(server, awb)
  await server.makeRound('geocoding without key')
  assert.deepEqual([(await customerOf(server, 'A')).lat, (await customerOf(server, 'C')).lat], [44.4317, 45])
  assert.equal(nominatim.requests.length, 1)
  const events: { awb: string; triggerId: number; data: { task: { customer: { lat: number } } } }[] = (
    await server.get('/events')
  ).body.events
  const placed = events.find(({ awb, triggerId }) => awb === 'A' && triggerId === 9)
  assert.equal(placed?.data.task.customer.lat, 44.4317, 'the event tells it')
})

test('a customer who lives elsewhere is found at their own address, told by the next event of the task', async (t) => {
  const { server, nominatim } = await startWithNominatim(t, json([house]))
  const address = 'Strada Nouă 5, București'
  const add = (awb: string, customer: object) => server.post('/tasks', aTask({ awb, customer }))
  const { task } = (await add('A', { name: 'Ana', phone: '0712345678', address })).body
  assert.equal(task.customer.lat, null)
  const { lat, lng } = await untilCustomerPlaced(server, 'A')
  assert.deepEqual([lat, lng], [44.4317, 26.1015])
  assert.deepEqual(nominatim.requests.map(queryOf), [address])
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED'], 'nothing has happened to the task')
  await server.put('/tasks/awb/A', { details: 'Ring twice' })
  const [, event] = (await server.get('/events')).body.events
  assert.deepEqual([event.triggerName, event.data.task.customer.lat], ['TASK_UPDATED', 44.4317])

  await add('B', { name: 'Dan', address: 'strada noua 5,  bucuresti' })
  await untilCustomerPlaced(server, 'B')
  assert.equal(nominatim.requests.length, 1, 'what was answered before is not asked again')
})

test('a place given for a customer stays, and another address is looked up again', async (t) => {
  const { server, nominatim } = await startWithNominatim(t, json([house]))
  const edit = async (awb: string, customer: object) =>
    (await server.put(`/tasks/awb/${awb}`, { customer })).body.task.customer
  // A record that other tasks may share, and one of the task alone.
  for (const [index, phone] of ['0712345678', 'ask the porter'].entries()) {
    const awb = `A-${index}`
    const given = { name: 'Ana', phone, address: `Strada Veche ${index}`, lat: 45, lng: 25 }
    await server.post('/tasks', aTask({ awb, customer: given }))
    await server.makeRound('geocoding without key')
    assert.equal((await customerOf(server, awb)).lat, 45)
    assert.equal(nominatim.requests.length, 2 * index)

    assert.equal((await edit(awb, { address: `Strada Nouă ${index}` })).lat, null)
    assert.equal((await untilCustomerPlaced(server, awb)).lat, 44.4317)
    assert.equal(
      (await edit(awb, { address: `Aleea Lungă ${index}` })).lat,
      null,
      'what was found was for another address',
    )
    assert.equal((await untilCustomerPlaced(server, awb)).lat, 44.4317)
    assert.equal((await edit(awb, { email: 'ana@example.org' })).lat, 44.4317)
    assert.equal((await edit(awb, { address: null })).lat, null)
    await server.makeRound('geocoding without key')
    assert.equal((await customerOf(server, awb)).lat, null)
  }
  assert.deepEqual(nominatim.requests.map(queryOf), [
    'Strada Nouă 0',
    'Aleea Lungă 0',
    'Strada Nouă 1',
    'Aleea Lungă 1',
  ])
})

test('a customer who moves during the lookup is found where they live now', async (t) => {
  const { server, nominatim } = await startWithNominatim(t, json([{ ...house, lat: '46' }]))
  const edits: Promise<unknown>[] = []
  nominatim.queue((request, response) => {
    const edited = server.put('/tasks/awb/A', { customer: { address: 'Strada Nouă 1' } })
    edits.push(edited.then(() => json([house])(request, response)))
  })
  await server.post('/tasks', aTask({ awb: 'A', customer: { name: 'Ana', address: 'Strada Veche 1' } }))
  assert.equal((await untilCustomerPlaced(server, 'A')).lat, 46)
  assert.deepEqual([edits.length, nominatim.requests.map(queryOf)], [1, ['Strada Veche 1', 'Strada Nouă 1']])
})

test('an address of a customer that nobody knows is given up until it is another one', async (t) => {
  const { server, nominatim } = await startWithNominatim(t, json([]))
  const customer = { name: 'Ana', phone: '0712345678', address: 'Strada Inexistentă 7' }
  await server.post('/tasks', aTask({ awb: 'A', customer }))
  const ofCustomers = () =>
    server.database.everyone.get<State>(sql`
      select geocode_at, geocode_attempts, geocode_problem from customers
      where organisation_id = ${server.organisationId}`)
  await until('it to be given up', async () => (await ofCustomers()).geocode_problem)
  await server.post('/tasks', aTask({ awb: 'B', customer }))
  await server.makeRound('geocoding without key')
  assert.deepEqual([(await ofCustomers()).geocode_at, nominatim.requests.length], [null, 1])
  await server.put('/tasks/awb/B', { customer: { address: 'Cluj-Napoca' } })
  assert.equal((await untilCustomerPlaced(server, 'A')).lat, 46.76667, 'then its city is used')
})

test('customers are looked up for open tasks, and again when there is one', async (t) => {
  const { server } = await startWithNominatim(t, json([house]), { WAYBILL_ROLE: 'api' })
  const { everyone } = server.database
  const claim = async () =>
    (await claimDue(everyone, 'customers', 'without key', 100, 60))
      .filter(({ organisation_id }) => organisation_id === server.organisationId)
      .map(({ address, country }) => [address, country])
  const customer = { name: 'Ana', phone: '0712345678', address: 'Strada Nouă 5' }
  const nobody = { name: 'Dan', phone: '0712345679', address: '  ' }
  await server.post('/tasks', aTask({ awb: 'A', customer }))
  await server.post('/tasks', aTask({ awb: 'C', customer: nobody }))
  await server.delete('/tasks/awb/A')
  assert.deepEqual(await claim(), [])
  await server.post('/tasks', aTask({ awb: 'B', customer: { name: 'Ana', phone: '0712345678' } }))
  assert.deepEqual(await claim(), [['Strada Nouă 5', 'RO']])
  assert.deepEqual(await claim(), [], 'somebody is at it')

  await create(server, 'D', { address: 'Strada Mare 1' })
  await server.put('/tasks/awb/D', { customer: { name: 'Ion', address: 'strada mare 1' } })
  assert.deepEqual(await claim(), [], 'they are where their task is, which is looked up')
  await server.delete('/tasks/awb/D')
})

test('of an erased customer nothing is left to look up, nor what was answered', async (t) => {
  const { server } = await startWithNominatim(t, json([house]))
  const driver = await makeDriver(server)
  const person = { phone: '0712345678' }
  const customer = { name: 'Ana', ...person, address: 'Strada Nouă 5' }
  await server.post('/tasks', aTask({ awb: 'A', userId: driver.id, customer }))
  await untilCustomerPlaced(server, 'A')
  // Whoever was corrected leaves a record that no task refers to.
  await server.post('/tasks', aTask({ awb: 'B', customer: { ...customer, name: 'Anna', address: 'Strada Veche 5' } }))
  await untilCustomerPlaced(server, 'B')
  await server.put('/tasks/awb/B', { customer: { name: 'Dan', phone: '0712345679', address: null } })
  const kept = () =>
    server.database.everyone.many(sql`select from geocodings where organisation_id = ${server.organisationId}`)
  assert.equal((await kept()).length, 2)
  await server.put('/tasks/awb/A/forceComplete', {})
  assert.equal((await server.post('/erasures', person)).body.counts.tasks, 1)
  assert.equal((await kept()).length, 0)
  await server.makeRound('geocoding without key')
  assert.equal((await kept()).length, 0)
})

test('an unknown address is placed in its city, and not looked up again today', async (t) => {
  const { server, nominatim } = await startWithNominatim(t, json([]))
  await create(server, 'A', { address: 'Strada Inexistentă 999, Cluj-Napoca' })
  await create(server, 'B', { address: 'Strada Inexistentă 999' })
  const { lat, precision } = await untilPlaced(server, 'A')
  assert.deepEqual([lat, precision], [46.76667, 'approximate'])
  assert.match(await untilProblem(server, 'B'), /Address not found/)
  assert.equal((await stateOf(server, 'B')).geocode_at, null)
  await create(server, 'C', { address: 'Strada Inexistentă 999' })
  await untilProblem(server, 'C')
  assert.equal(nominatim.requests.length, 2)
})

test('a failed geocoder is asked again later, and the problem is shown', async (t) => {
  const { server, nominatim } = await startWithNominatim(t, answer(200, { body: '<html>' }))
  await create(server, 'A', { address: 'Strada Lipscani 12, București' })
  assert.match(await untilProblem(server, 'A'), /Nominatim sent an answer that makes no sense/)
  const { geocode_at, geocode_attempts } = await stateOf(server, 'A')
  assert.ok(geocode_at && geocode_at.getTime() > Date.now() + 5_000)
  assert.equal(geocode_attempts, 1)

  nominatim.always(json([house]))
  await passTime(server)
  assert.deepEqual((await untilPlaced(server, 'A')).precision, 'exact')
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_GEOCODED'])
})

test('after enough failed attempts the city is used; without one, the reason stays', async (t) => {
  const { server, nominatim } = await startWithNominatim(t, answer(500))
  await create(server, 'A', { address: 'Strada Lipscani 12, București' })
  await create(server, 'B', { address: 'Strada Lipscani 12' })
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await until('the next attempt', async () => (await stateOf(server, 'A')).geocode_attempts >= attempt)
    await until('the next attempt', async () => (await stateOf(server, 'B')).geocode_attempts >= attempt)
    await passTime(server)
  }
  assert.equal((await untilPlaced(server, 'A')).precision, 'approximate')
  await until('the next attempt', async () => (await stateOf(server, 'B')).geocode_at === null)
  assert.match((await addressOf(server, 'B')).geocodingProblem, /Nominatim answered 500/)
  assert.ok(nominatim.requests.length <= 10)
})

test('a busy geocoder is left alone for as long as it says, by everything that waits', async (t) => {
  const { server, nominatim } = await startWithNominatim(t, tooMany('300'), { WAYBILL_GEOCODER_RATE: '1' })
  const tasks = Array.from({ length: 20 }, (_, index) => ({
    awb: `A-${index}`,
    address: { address: `Strada ${index}` },
    customer: { name: 'Ana', address: `Aleea ${index}` },
  }))
  await server.post('/tasks/bulkCreate', { tasks })
  for (const { awb } of tasks) {
    const state = await until('the next attempt', async () => {
      const found = await stateOf(server, awb)
      return found.geocode_attempts === 1 && found
    })
    assert.ok(state.geocode_at && state.geocode_at.getTime() > Date.now() + 250_000, awb)
  }
  await server.makeRound('geocoding without key')
  assert.ok(nominatim.requests.length <= 2, `${nominatim.requests.length} requests`)
  assert.ok(!nominatim.requests.some((request) => queryOf(request)?.startsWith('Aleea')), 'nor for customers')
})

test('the pace is kept, however many addresses and processes there are', async (t) => {
  const { server, nominatim, settings } = await startWithNominatim(t, json([house]), { WAYBILL_GEOCODER_RATE: '5' })
  const config = readConfig({ ...quiet, ...settings, WAYBILL_ROLE: 'worker', DATABASE_URL: server.config.databaseUrl })
  const second = await startProcess(config, createLog('error', process.stderr))
  t.after(second.stop)
  const tasks = Array.from({ length: 10 }, (_, index) => ({
    awb: `A-${index}`,
    address: { address: `Strada ${index}` },
  }))
  const begun = Date.now()
  await server.post('/tasks/bulkCreate', { tasks })
  for (const { awb } of tasks) await untilPlaced(server, awb)
  assert.equal(new Set(nominatim.requests.map(queryOf)).size, 10)
  assert.equal(nominatim.requests.length, 10, 'nobody asks what another asks already')
  // Not since the first request: on a busy machine that one may come late, and the others in time.
  const times = nominatim.requests.map(({ receivedAt }) => receivedAt.getTime() - begun).sort((a, b) => a - b)
  for (const [turn, ms] of times.entries()) assert.ok(ms > turn * 200 - 20, `request ${turn + 1} after ${ms} ms`)
})

test('an edit during a lookup wins', async (t) => {
  const { server, nominatim } = await startWithNominatim(t, json([house]))
  const edits: Promise<unknown>[] = []
  /** Answers only after the task was edited. */
  const whileEditing = (awb: string, address: object): Behaviour => {
    return (request, response) => {
      const edited = server.put(`/tasks/awb/${awb}`, { address })
      edits.push(edited.then(() => json([house])(request, response)))
    }
  }
  nominatim.queue(whileEditing('A', { lat: 45, lng: 25 }))
  await create(server, 'A', { address: 'Strada Lipscani 12, București' })
  await until('the edit', () => edits.length === 1)
  await server.makeRound('geocoding without key')
  assert.deepEqual([(await addressOf(server, 'A')).lat, (await addressOf(server, 'A')).precision], [45, 'exact'])
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_UPDATED'])

  nominatim.queue(whileEditing('B', { address: 'Strada Nouă 1' }), json([{ ...house, lat: '46' }]))
  await create(server, 'B', { address: 'Strada Veche 1' })
  assert.equal((await untilPlaced(server, 'B')).lat, 46)
  assert.deepEqual(await server.triggers('B'), ['TASK_CREATED', 'TASK_UPDATED', 'TASK_GEOCODED'])
  assert.equal(queryOf(nominatim.requests.at(-1) as Received), 'Strada Nouă 1')
})

test('ended tasks are not looked up', async (t) => {
  const { server, nominatim } = await startWithNominatim(t, json([house]), { WAYBILL_ROLE: 'api' })
  const driver = await makeDriver(server)
  await server.post('/tasks', { awb: 'DONE', userId: driver.id, address: { address: 'Strada 1' } })
  await server.put('/tasks/awb/DONE/forceComplete', {})
  await create(server, 'GONE', { address: 'Strada 2' })
  await server.delete('/tasks/awb/GONE')
  await create(server, 'OPEN', { address: 'Strada 3' })
  assert.equal((await claimDue(server.database.everyone, 'addresses', 'with key', 10, 60)).length, 0)
  // The process knows the time of the database, by which an address is due, only to a few milliseconds.
  const claimed = await until('an address to be due', async () => {
    const found = await claimDue(server.database.everyone, 'addresses', 'without key', 10, 60)
    return found.length > 0 && found
  })
  assert.deepEqual(
    claimed.map(({ address }) => address),
    ['Strada 3'],
  )
  assert.equal(nominatim.requests.length, 0, 'a process that only answers requests asks nobody')
})

test('an organisation with a thousand addresses leaves room for one with a single one', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'off' })
  const many = Array.from({ length: 50 }, (_, index) => ({ address: { address: `Strada ${index}` } }))
  await server.post('/tasks/bulkCreate', { tasks: many })
  const another = { ...server, ...(await server.another()) }
  await create(another, 'A', { address: 'Strada 51' })
  // The process knows the time of the database, by which an address is due, only to a few milliseconds.
  await until(
    'its address to be due',
    async () =>
      (await server.database.everyone.run(sql`
        select from addresses where organisation_id = ${another.organisationId} and geocode_at <= now()`)) > 0,
  )
  const claimed = await claimDue(server.database.everyone, 'addresses', 'without key', 4, 60)
  assert.equal(claimed.length, 4)
  assert.ok(claimed.some(({ organisation_id }) => organisation_id === another.organisationId))
})

test('a restart in the middle loses no address and looks up none twice', async (t) => {
  const { server, nominatim, settings } = await startWithNominatim(t, late(20, json([house])), { WAYBILL_ROLE: 'api' })
  const config = readConfig({ ...quiet, ...settings, WAYBILL_ROLE: 'worker', DATABASE_URL: server.config.databaseUrl })
  const start = () => startProcess(config, createLog('error', process.stderr))
  const tasks = Array.from({ length: 60 }, (_, index) => ({
    awb: `A-${index}`,
    address: { address: `Bulevardul ${index}` },
  }))
  // Without those of other tests, which come due meanwhile.
  const asked = () => nominatim.requests.filter((request) => queryOf(request)?.startsWith('Bulevardul')).length
  await server.post('/tasks/bulkCreate', { tasks })
  // What a process that died had taken comes due by itself.
  await claimDue(server.database.everyone, 'addresses', 'without key', 5, 1)

  const first = await start()
  await nominatim.waitFor(10)
  await first.stop()
  const before = asked()
  assert.ok(before < 50, `${before} were asked before the restart`)
  const second = await start()
  t.after(second.stop)
  for (const { awb } of tasks) {
    await untilPlaced(server, awb)
    assert.deepEqual(await server.triggers(awb), ['TASK_CREATED', 'TASK_GEOCODED'])
  }
  const inAll = asked()
  assert.ok(inAll <= 61, `only what was cut off is asked again: ${before} before the restart, ${inAll} in all`)
})

test('with geocoding off, nothing is looked up', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'off' })
  await create(server, 'A', { address: 'Strada Lipscani 12, București' })
  await server.put('/tasks/awb/A', { customer: { name: 'Ana', address: 'Cluj-Napoca' } })
  await assert.rejects(server.makeRound('geocoding without key'), /No worker/)
  assert.deepEqual([(await addressOf(server, 'A')).lat, (await customerOf(server, 'A')).lat], [null, null])
  assert.deepEqual(await server.triggers('A'), ['TASK_CREATED', 'TASK_UPDATED'])
})
