import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { distanceMetres } from '../../../core/geo.ts'
import type { Service } from '../../context.ts'
import { sql } from '../../db/sql.ts'
import { enginePolicy } from '../../outside/addresses.ts'
import { createOutside } from '../../outside/fetch.ts'
import type { Roads } from '../../outside/travel/roads.ts'
import { createTravel } from '../../outside/travel/travel.ts'
import { makeDriver } from '../../test/factories.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { learnSpeeds } from './learn.ts'

/** Roads on which everybody drives this fast, straight ahead. */
const roadsOf = (metresPerSecond: number): Roads => ({
  async table(_, places) {
    const metres = places.flatMap((from) => places.map((to) => distanceMetres(from, to)))
    return { metres, seconds: metres.map((far) => far / metresPerSecond) }
  },
  legs: async () => undefined,
})

const vanId = 5

/** Positions every 15 s in the first twelve minutes of some hours of the last days, eastward at 8 m/s. */
const driveAround = ({ database, organisationId }: TestServer, driverId: number, days: number, metresPerSecond = 8) =>
  database.everyone.run(sql`
    insert into locations (organisation_id, driver_id, occurred_at, lat, lng, accuracy_metres)
    select ${organisationId}, ${driverId},
      (date_trunc('day', now() at time zone 'Europe/Bucharest') - make_interval(days => day, hours => -hour, secs => -15 * step))
        at time zone 'Europe/Bucharest',
      44.43, 26 + ${metresPerSecond} * 15.0 * step / 79400, 10
    from generate_series(1, ${days}::int) day, generate_series(8, 17) hour, generate_series(0, 48) step`)

async function aFleet(t: TestContext, drivers: number, days: number) {
  const server = await startServer(t)
  await server.put('/company', { timezone: 'Europe/Bucharest' })
  const ids: number[] = []
  for (let count = 0; count < drivers; count += 1) {
    const { id } = await makeDriver(server, { driverTransportationId: vanId })
    await driveAround(server, id, days)
    ids.push(id)
  }
  const outside = createOutside(enginePolicy)
  t.after(outside.close)
  const { everyone } = server.database
  /** A round in which this organisation alone is due, with roads on which 10 m/s are driven. */
  const learn = async (roads = roadsOf(10)) => {
    await everyone.run(sql`
      insert into speed_lessons (organisation_id, claimed_at, learned_at)
      select id, now(), now() from organisations where id <> ${server.organisationId}
      on conflict (organisation_id) do update set claimed_at = now(), learned_at = now()`)
    await everyone.run(sql`
      update speed_lessons set learned_at = null, claimed_at = now() - interval '1 day'
      where organisation_id = ${server.organisationId}`)
    const travel = createTravel(outside, { engine: 'roads', url: '', roads })
    const service = { database: server.database, travel } as unknown as Service
    await learnSpeeds(service, new AbortController().signal)
  }
  return { server, ids, learn, speeds: async () => (await server.get('/planning/speeds')).body.speeds }
}

/** 8 m/s where the roads say 10, and 1.3 of that in normal traffic. */
const factor = Math.round((10 / 8 / 1.3) * 1000) / 1000

test('what the drivers of an organisation usually take is learned for each hour of the week', async (t) => {
  const { learn, speeds } = await aFleet(t, 3, 14)
  assert.deepEqual(await speeds(), { learnedAt: null, needs: { drivers: 3, days: 10, count: 100 }, vehicles: [] })
  await learn()
  const { learnedAt, vehicles } = await speeds()
  const [van, ...others] = vehicles
  assert.ok(learnedAt)
  assert.deepEqual([van.transportationId, van.drivers, van.days, others.length], [vanId, 3, 14, 0])
  assert.ok(Math.abs(van.factor - factor) < 0.01, `${van.factor} is not ${factor}`)
  assert.equal(van.hours.length, 168)
  const monday = van.hours[8]
  assert.equal(monday.count, 6, 'two Mondays of three drivers')
})

test('too few drivers teach nothing, and people see what is missing', async (t) => {
  const { learn, speeds } = await aFleet(t, 2, 14)
  await learn()
  const [van] = (await speeds()).vehicles
  assert.deepEqual([van.factor, van.hours, van.drivers, van.days], [null, [], 2, 14])
})

test('without an imported map nothing is learned, and what was learned stays', async (t) => {
  const { learn, speeds } = await aFleet(t, 3, 14)
  const noRoads = { table: async () => undefined, legs: async () => undefined }
  await learn(noRoads)
  assert.deepEqual((await speeds()).vehicles, [])
  await learn()
  await learn(noRoads)
  assert.equal((await speeds()).vehicles.length, 1)
})

test('one driver who crawls changes nothing for the others', async (t) => {
  const { server, learn, speeds } = await aFleet(t, 3, 14)
  const { id } = await makeDriver(server, { driverTransportationId: vanId })
  await driveAround(server, id, 14, 2)
  await learn()
  const [van] = (await speeds()).vehicles
  assert.equal(van.drivers, 4)
  assert.ok(Math.abs(van.factor - factor) < 0.01, `${van.factor} is not ${factor}`)
})

test('a driver who is erased leaves nothing in what was learned', async (t) => {
  const { server, ids, learn, speeds } = await aFleet(t, 3, 14)
  await learn()
  assert.equal((await server.delete(`/drivers/${ids[0]}`)).status, 200)
  const erased = await server.post('/erasures', { driverId: ids[0] })
  assert.equal(erased.status, 200, erased.text)
  assert.deepEqual((await speeds()).vehicles, [])
  await learn()
  const [van] = (await speeds()).vehicles
  assert.deepEqual([van.drivers, van.factor], [2, null])
})
