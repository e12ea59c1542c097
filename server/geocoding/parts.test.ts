import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Task } from '../../contract/task.ts'
import { type Context, nowhere, system } from '../context.ts'
import { type FoundParts, locate } from '../outside/geocoders/geocoder.ts'
import { aTask } from '../test/factories.ts'
import { startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import { placeTasks } from './actions.ts'
import { claimDue } from './queries.ts'

const taskOf = async (server: TestServer, awb: string): Promise<Task> =>
  (await server.get(`/tasks/awb/${awb}`)).body.task

/** What waits of this organisation is found, with these parts. */
async function find({ database, organisationId }: TestServer, parts: FoundParts) {
  const context = {
    db: database.of(organisationId),
    actor: system,
    origin: nowhere,
    clock: { now: () => new Date() },
    announceEvents() {},
    announceToo() {},
    announceChanges() {},
  } as unknown as Context
  // The process knows the time of the database, by which an address is due, only to a few milliseconds.
  const ours = await until('an address to be due', async () => {
    const claimed = await claimDue(database.everyone, 'addresses', 'without key', 100, 60)
    const found = claimed.filter((one) => one.organisation_id === organisationId)
    return found.length > 0 && found
  })
  const located = locate({ lat: 45.7537, lng: 21.2257 }, 'house', parts)
  for (const one of ours) await placeTasks(context, one.organisation, [{ claimed: one, located }])
}

const parts = { streetName: 'Strada Alba Iulia', streetNumber: '3', postalCode: '300077', city: 'Timișoara' }
const partsIn = ({ address: { streetName, streetNumber, postalCode, city, area } }: Task) => ({
  streetName,
  streetNumber,
  postalCode,
  city,
  area,
})

test('the parts of an address are filled in where they were found and nobody gave them', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'A', address: { address: 'alba iulia 3 tm' } }))
  await server.post(
    '/tasks',
    aTask({ awb: 'B', address: { address: 'Alba Iulia 3', city: 'Temeswar', postalCode: '' } }),
  )
  await find(server, parts)

  const [a, b] = [await taskOf(server, 'A'), await taskOf(server, 'B')]
  assert.equal(a.address.address, 'alba iulia 3 tm', 'the text stays as it was typed')
  assert.deepEqual(partsIn(a), { ...parts, area: null })
  assert.deepEqual(partsIn(b), { ...parts, city: 'Temeswar', area: null }, 'what was given is not overwritten')
  const told = a.timelines.at(-1)?.data as { previous: { address: object } } | undefined
  assert.deepEqual(told?.previous.address, {
    lat: null,
    lng: null,
    precision: 'none',
    precisionDetail: null,
    streetName: null,
    streetNumber: null,
    postalCode: null,
    city: null,
  })
  assert.deepEqual((await server.get('/tasks?q=300077')).body.tasks.length, 2, 'they are found by them, too')
})

test('who writes back what they read, or leaves the parts out, changes nothing', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'A', address: { address: 'alba iulia 3' } }))
  await find(server, parts)
  const { address } = await taskOf(server, 'A')
  const { precision: _, precisionDetail: __, geocodingProblem: ___, id: ____, ...shown } = address
  for (const again of [
    shown,
    { ...shown, lat: undefined, lng: undefined },
    { address: 'alba iulia 3' },
    { city: null },
  ]) {
    await server.put('/tasks/awb/A', { address: again })
    assert.deepEqual((await taskOf(server, 'A')).address, address, JSON.stringify(again))
  }
})

test('another address has other parts', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'A', address: { streetName: 'Alba Iulia', streetNumber: '3' } }))
  await find(server, parts)
  assert.equal((await taskOf(server, 'A')).address.city, 'Timișoara')

  await server.put('/tasks/awb/A', { address: { streetNumber: '5' } })

  const changed = await taskOf(server, 'A')
  assert.equal(changed.address.address, 'Alba Iulia 5', 'a composed text follows what was given')
  assert.deepEqual([changed.address.city, changed.address.postalCode, changed.address.lat], [null, null, null])
})

test('a part that is too long for a form is left out', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'A', address: { address: 'alba iulia 3' } }))
  await find(server, { ...parts, city: 'T'.repeat(200) })
  assert.deepEqual(
    [(await taskOf(server, 'A')).address.city, (await taskOf(server, 'A')).address.postalCode],
    [null, '300077'],
  )
})
