import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../db/sql.ts'
import { aTask, makeDriver } from '../test/factories.ts'
import { startServer, type TestServer } from '../test/server.ts'

const zone = 'Europe/Bucharest'
/** The last day that is counted: one that has been over for an hour. */
const yesterday = Temporal.Now.zonedDateTimeISO(zone).subtract({ hours: 1 }).toPlainDate().subtract({ days: 1 })
/** Then, by the organisation's clock. */
const at = (time: string) => yesterday.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant().toString()

/** Ends a task of a driver yesterday. */
async function end(server: TestServer, awb: string, userId: number, address: object, arrived: string, ended: string) {
  await server.post('/tasks', aTask({ awb, userId, address }))
  await server.database.everyone.run(sql`
    update tasks set status_id = 9, arrived_at = ${at(arrived)}, completed_at = ${at(ended)}
    where organisation_id = ${server.organisationId} and awb = ${awb}`)
}

const report = async (server: TestServer) => (await server.get(`/reports/tasks?from=${yesterday}&to=${yesterday}`)).body

test('when a day is over, how long stops took and how far drivers drove is counted, and once more for what came late', async (t) => {
  const server = await startServer(t)
  const [vlad, ana] = [await makeDriver(server, { name: 'Vlad' }), await makeDriver(server, { name: 'Ana' })]
  const house = { address: 'Strada Lipscani 1', lat: 44.43, lng: 26.1 }
  await end(server, 'A', vlad.id, house, '09:00', '09:02')
  await end(server, 'B', vlad.id, house, '09:00', '09:06')
  await end(server, 'C', vlad.id, { address: 'Strada Lungă 7', lat: 44.44, lng: 26.1 }, '10:00', '10:03')
  const seen = (driverId: number, time: string, lat: number) =>
    server.database.everyone.run(sql`
      insert into locations (organisation_id, driver_id, occurred_at, lat, lng)
      values (${server.organisationId}, ${driverId}, ${at(time)}, ${lat}, 26.1)`)
  await seen(vlad.id, '09:10', 44.43)
  await seen(vlad.id, '09:40', 44.44)

  assert.deepEqual(
    [(await report(server)).stops, (await report(server)).minutesPerStop],
    [0, null],
    'not before somebody counted',
  )
  await server.makeRound('counting days')
  const counted = await report(server)
  // Two parcels at one door are one stop of six minutes.
  assert.deepEqual([counted.stops, counted.minutesPerStop, counted.drivenMetres], [2, 4.5, 1112])
  assert.deepEqual([counted.days[0].stops, counted.months[0].stops, counted.drivers[0].stops], [2, 2, 2])

  // A day later: a phone that had no network has sent the rest.
  await end(server, 'D', ana.id, house, '12:00', '12:10')
  await seen(vlad.id, '09:50', 44.45)
  await server.makeRound('counting days')
  assert.equal((await report(server)).stops, 2, 'a day is not counted again and again')
  await server.database.everyone.run(sql`
    update counted_days set last_day = ${yesterday.subtract({ days: 1 }).toString()}
    where organisation_id = ${server.organisationId}`)
  await server.makeRound('counting days')
  const again = await report(server)
  assert.deepEqual([again.stops, again.minutesPerStop, again.drivenMetres], [3, 6.3, 2224])

  const other = await server.another()
  const theirs = await report({ ...server, ...other })
  assert.deepEqual([theirs.stops, theirs.drivenMetres], [0, null], 'nobody else sees it')
})
