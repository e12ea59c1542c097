import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { aTask, beginDuty, makeDriver, signIn, zoneOfNoon } from '../../test/factories.ts'
import { request, startServer } from '../../test/server.ts'

/** A place that many kilometres east of where the driver is. */
const km = (distance: number) => ({ address: `Km ${distance}`, lat: 44.4323, lng: 26 + distance / 79.5 })
const nowhere = { address: 'Strada Fără Număr', city: 'Nicăieri' }

/** A driver on duty at kilometre 0 with tasks at these places. */
async function aRoute(t: TestContext, addresses: Record<string, object>, given: object = {}) {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'off' })
  await server.put('/company', { timezone: zoneOfNoon() })
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  await beginDuty(server.url, key)
  const body = { locations: [{ lat: km(0).lat, lng: km(0).lng }] }
  await request(server.url, 'POST', '/api/v1/driver/locations', { key, body })
  const ids: Record<string, number> = {}
  for (const [awb, address] of Object.entries(addresses)) {
    const reply = await server.post('/tasks', aTask({ awb, userId: driver.id, address, ...given }))
    ids[awb] = reply.body.task.id
  }
  return {
    server,
    driver,
    ids,
    see: async (query = '') => (await server.get(`/drivers/${driver.id}/route${query}`)).body.route,
    seeOwn: (query = '') => request(server.url, 'GET', `/api/v1/driver/route${query}`, { key }),
  }
}

test('the route of a driver is told stop by stop, from where the driver is', async (t) => {
  const { driver, see, seeOwn, ids } = await aRoute(t, { A: km(4), B: km(8) })
  const route = await see()
  assert.deepEqual([route.driverId, route.start], [driver.id, { lat: km(0).lat, lng: km(0).lng }])
  assert.deepEqual(
    route.stops.map(({ position, awbs, taskIds }: { position: number; awbs: string[]; taskIds: number[] }) => [
      position,
      awbs,
      taskIds,
    ]),
    [
      [1, ['A'], [ids['A']]],
      [2, ['B'], [ids['B']]],
    ],
  )
  const [first, second] = route.stops
  assert.deepEqual([first.lat, first.lng, first.line], [km(4).lat, km(4).lng, null], 'no road is known without a map')
  assert.ok(Math.abs(first.distanceMetres - 5_400) < 100 && Math.abs(second.distanceMetres - 5_400) < 100)
  assert.ok(Date.parse(first.arrivalTime) > Date.now() && first.arrivalTime < second.arrivalTime)
  assert.deepEqual([route.travel, route.warnings], [{ source: 'estimate', isEstimate: true }, []])
  const own = (await seeOwn()).body.route
  assert.deepEqual([own.driverId, own.stops.length, own.start], [driver.id, 2, route.start])
})

test('the stops are those of a preview, at the same times', async (t) => {
  const { server, driver, see } = await aRoute(t, { A: km(6), B: km(6.01), C: km(2) }, { serviceTime: 10 })
  const [seen, preview] = [
    await see(),
    (await server.put(`/drivers/${driver.id}/tasks/order`, { tasks: [], dryRun: true })).body.route,
  ]
  assert.deepEqual(
    seen.stops.map(({ awbs }: { awbs: string[] }) => awbs),
    [['A', 'B'], ['C']],
  )
  assert.deepEqual(
    preview.stops.map(({ stop, line }: { stop: number; line: null }) => [stop, line]),
    [
      [1, null],
      [1, null],
      [2, null],
    ],
  )
  assert.equal(seen.stops[1].distanceMetres, preview.stops[2].distanceMetres)
  const apart = Date.parse(seen.stops[1].arrivalTime) - Date.parse(preview.stops[2].arrivalTime)
  assert.ok(Math.abs(apart) < 60_000, 'both are computed from now')
})

test('parcels for one door have one arrival, and take as long as the longest and a minute for each other one', async (t) => {
  const timesWith = async (services: number[]) => {
    const { server, driver } = await aRoute(t, {})
    for (const [index, serviceTime] of services.entries())
      await server.post('/tasks', aTask({ awb: `P-${index}`, userId: driver.id, address: km(6), serviceTime }))
    await server.post('/tasks', aTask({ awb: 'C', userId: driver.id, address: km(2), serviceTime: 0 }))
    const { route } = (await server.put(`/drivers/${driver.id}/tasks/order`, { tasks: [] })).body
    return route.stops.map(({ arrivalTime }: { arrivalTime: string }) => Date.parse(arrivalTime)) as number[]
  }
  const alone = await timesWith([10])
  const [first = 0, second, third, after = 0] = await timesWith([4, 10, 0])
  assert.deepEqual([second, third], [first, first])
  const minutes = Math.round((after - first - ((alone[1] ?? 0) - (alone[0] ?? 0))) / 60_000)
  assert.equal(minutes, 2)
})

test('of a stop nobody knows the place of, nobody says when the driver is there', async (t) => {
  const { see } = await aRoute(t, { A: nowhere, B: km(4) })
  const [unknown, known] = (await see()).stops
  assert.deepEqual(
    [unknown.awbs, unknown.lat, unknown.arrivalTime, unknown.distanceMetres, unknown.line],
    [['A'], null, null, null, null],
  )
  assert.ok(known.distanceMetres > 5_000)
})

test('another day has its own route, from the hub', async (t) => {
  const { server, driver, see } = await aRoute(t, { TODAY: km(4) })
  const zone = zoneOfNoon()
  const day = Temporal.Now.plainDateISO(zone).add({ days: 2 })
  await server.post('/tasks', aTask({ awb: 'THEN', userId: driver.id, address: km(3), completeAfter: `${day} 09:00` }))
  const route = await see(`?day=${day}`)
  assert.deepEqual([route.day, route.start, route.stops.length], [day.toString(), null, 1])
  assert.deepEqual([route.stops[0].awbs, route.stops[0].distanceMetres], [['THEN'], null])
  const yesterday = await server.get(`/drivers/${driver.id}/route?day=2020-01-01`)
  assert.deepEqual([yesterday.status, yesterday.body.error.code], [400, 'INVALID_TIME'])
})

test('a driver without tasks has an empty route, and a driver of others none', async (t) => {
  const { server, see, seeOwn } = await aRoute(t, {})
  assert.deepEqual((await see()).stops, [])
  assert.deepEqual((await seeOwn()).body.route.stops, [])
  assert.equal((await server.get('/drivers/999999999/route')).body.error.code, 'DRIVER_NOT_FOUND')
})

test('seeing a route changes nothing', async (t) => {
  const { server, see } = await aRoute(t, { A: km(4) })
  const events = async () => (await server.get('/events?limit=1000')).body.events.length
  const before = await events()
  await see()
  assert.equal(await events(), before)
})
