import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { distanceMetres, type Point } from '../../core/geo.ts'
import { decodePolyline } from '../../core/polyline.ts'
import { sql } from '../db/sql.ts'
import { roadsFile } from '../map/roads/file.ts'
import { followDrivers } from '../test/arrivals.ts'
import { aTask, beginDuty, makeDriver, signIn, zoneOfNoon } from '../test/factories.ts'
import { importRoads } from '../test/imported-roads.ts'
import { at } from '../test/river-town.ts'
import { request, startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'

/*
 * A town on a river with one bridge, two streets north of where the driver is. What is near in a straight line may be far by road.
 */

const driverAt = at(2, 0)
const bridge = { west: at(2, 2), east: at(3, 2) }
const acrossTheRiver = at(3, 0)
const upTheStreet = at(2, 3)
const outOfTown = { lat: 45.9, lng: 21.22 }

async function aRoute(t: TestContext, addresses: Record<string, Point>) {
  const server = await startServer(t)
  await server.put('/company', { timezone: zoneOfNoon() })
  const driver = await makeDriver(server, { driverTransportationId: 4 })
  const key = await signIn(server, driver)
  await beginDuty(server.url, key)
  await request(server.url, 'POST', '/api/v1/driver/locations', { key, body: { locations: [driverAt] } })
  for (const [awb, address] of Object.entries(addresses))
    await server.post('/tasks', aTask({ awb, userId: driver.id, address: { address: awb, ...address } }))
  const post = async (path: string, body: object) => (await server.post(path, body)).body
  return {
    server,
    driverId: driver.id,
    see: async () => (await server.get(`/drivers/${driver.id}/route`)).body.route,
    optimise: async (body: object = {}) =>
      (await post(`/drivers/${driver.id}/tasks/optimizeTodayTasks`, { traffic: 'none', ...body })).route,
    etaOf: async (awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task.etaAt,
  }
}

const sourceOf = ({ travel: { source } }: { travel: { source: string } }) => source
const awbsOf = ({ stops }: { stops: { awb: string }[] }) => stops.map(({ awb }) => awb)

/** A server takes over what was imported within a second. */
const seesRoads = (see: () => Promise<Parameters<typeof sourceOf>[0]>) =>
  until('the roads to be taken over', async () => sourceOf(await see()) === 'roads')

/** Not when they are reached, which moves with the clock. */
const linesIn = (stops: { awb: string; line: string; lineBefore: string }[]) =>
  stops.map(({ awb, line, lineBefore }) => ({ awb, line, lineBefore }))

const passes = (line: string, place: Point) => decodePolyline(line).some((point) => distanceMetres(point, place) < 15)

test('a running server plans by the roads of a map as soon as it is imported, and by estimates once it is removed', async (t) => {
  const { server, see, optimise } = await aRoute(t, { ACROSS: acrossTheRiver, UP: upTheStreet })
  assert.equal(sourceOf(await see()), 'estimate')
  assert.deepEqual(awbsOf(await optimise({ dryRun: true })), ['ACROSS', 'UP'], 'nothing is as near as across the river')

  const remove = await importRoads(t, server)
  await seesRoads(see)
  const route = await optimise({ dryRun: true })
  assert.deepEqual([route.travel, route.warnings], [{ source: 'roads', isEstimate: false }, []])
  assert.deepEqual(awbsOf(route), ['UP', 'ACROSS'], 'the bridge is on the way back')

  await remove()
  await until('the roads to be gone', async () => sourceOf(await see()) === 'estimate')
  assert.deepEqual(awbsOf(await optimise({ dryRun: true })), ['ACROSS', 'UP'])
  assert.equal((await see()).stops[0].line, null)
})

test('the way to each stop is drawn along the streets, over the bridge', async (t) => {
  const { server, see, optimise } = await aRoute(t, { ACROSS: acrossTheRiver, UP: upTheStreet })
  await importRoads(t, server)
  await seesRoads(see)
  const [across, up] = (await see()).stops
  for (const stop of [across, up]) for (const end of Object.values(bridge)) assert.ok(passes(stop.line, end))
  assert.ok(distanceMetres(decodePolyline(across.line).at(-1) as Point, acrossTheRiver) < 15)
  assert.ok(across.distanceMetres > 450 && across.distanceMetres < 550, `${across.distanceMetres} m over the bridge`)
  const { stops } = await optimise({ dryRun: true })
  assert.ok(passes(stops[0].line, upTheStreet) && passes(stops[1].line, bridge.east))
  for (const { line } of (await optimise()).stops) assert.equal(line, null, 'what is saved is no preview')
})

test('a preview has the ways of both orders along the streets, and where they begin', async (t) => {
  const { server, see, optimise } = await aRoute(t, { ACROSS: acrossTheRiver, UP: upTheStreet })
  await importRoads(t, server)
  await seesRoads(see)
  const { start, stops } = await optimise({ dryRun: true })
  assert.deepEqual(start, driverAt)
  const [up, across] = stops
  assert.deepEqual([up.awb, up.lat, up.lng], ['UP', upTheStreet.lat, upTheStreet.lng])
  assert.ok(
    !passes(up.line, bridge.east) && passes(across.line, bridge.east),
    'first up the street, then over the bridge',
  )
  assert.ok(passes(across.lineBefore, bridge.east) && passes(up.lineBefore, bridge.east), 'there and back')
  assert.ok(distanceMetres(decodePolyline(across.lineBefore)[0] as Point, driverAt) < 15)

  const all = async (body: object) => (await server.post('/planning/optimise', body)).body.plan.routes[0].route
  assert.deepEqual(linesIn((await all({ dryRun: true })).stops), linesIn(stops))
  for (const { line, lineBefore } of (await all({})).stops) assert.deepEqual([line, lineBefore], [null, null])
})

test('the preview of assigning has the routes of those who get tasks, with and without them', async (t) => {
  const { server, see } = await aRoute(t, { ACROSS: acrossTheRiver })
  await makeDriver(server, { name: 'Gets nothing', driverTransportationId: 4 })
  await importRoads(t, server)
  await seesRoads(see)
  await server.post('/tasks', aTask({ awb: 'NEW', address: { address: 'Strada 3', ...upTheStreet } }))
  const plan = async (body: object) => (await server.post('/planning/assign', body)).body.plan

  const { routes } = await plan({ dryRun: true })
  assert.equal(routes.length, 1)
  assert.deepEqual(routes[0].start, driverAt)
  const [added, across] = routes[0].stops
  assert.deepEqual([added.awb, added.position, added.positionBefore, added.lineBefore], ['NEW', 1, null, null])
  assert.deepEqual([across.awb, across.position, across.positionBefore], ['ACROSS', 2, 1])
  assert.ok(distanceMetres(decodePolyline(across.lineBefore)[0] as Point, driverAt) < 15)
  assert.ok(distanceMetres(decodePolyline(across.line)[0] as Point, upTheStreet) < 15)

  const unordered = (await plan({ dryRun: true, order: false })).routes[0].stops
  assert.deepEqual(awbsOf({ stops: unordered }), ['ACROSS', 'NEW'], 'they would be appended')
  assert.deepEqual((await plan({})).routes, [])
})

test('the route without some of its tasks leads past them', async (t) => {
  const { server, driverId, see } = await aRoute(t, { ACROSS: acrossTheRiver, UP: upTheStreet })
  await importRoads(t, server)
  await seesRoads(see)
  const [, up] = (await see()).stops
  const { stops } = (await server.get(`/drivers/${driverId}/route?tasks=${up.taskIds[0]}`)).body.route
  assert.deepEqual([stops.length, stops[0].awbs], [1, ['UP']])
  assert.ok(!passes(stops[0].line, bridge.east))
  assert.equal((await server.get(`/drivers/${driverId}/route?tasks=UP`)).body.error.field, 'tasks')
})

test('arrivals that follow the driver, and what a new task would mean, are by the roads too', async (t) => {
  const { server, see, etaOf } = await aRoute(t, { ACROSS: acrossTheRiver })
  await followDrivers(server)
  const estimated = Date.parse(await etaOf('ACROSS'))
  await importRoads(t, server)
  await seesRoads(see)
  const { estimate } = (await server.post('/planning/estimate', { address: { address: 'Calea 3', ...at(3, 1) } })).body
  assert.equal(sourceOf(estimate), 'roads')
  await server.post('/tasks', aTask({ awb: 'NEW', address: { address: 'Calea 3', ...at(3, 1) } }))
  const { plan } = (await server.post('/planning/assign', { dryRun: true })).body
  assert.deepEqual([sourceOf(plan), plan.assigned.length], ['roads', 1])
  const [stop] = (await see()).stops
  await until('arrivals to follow by the roads', async () => {
    await followDrivers(server)
    const eta = Date.parse(await etaOf('ACROSS'))
    // An arrival that moves by less than a minute stays as it is.
    return Math.abs(eta - Date.parse(stop.arrivalTime)) < 61_000 && eta >= estimated
  })
})

test('out of town the way is estimated, and the answer says for how many trips', async (t) => {
  const { server, see, optimise } = await aRoute(t, { UP: upTheStreet, ACROSS: acrossTheRiver, FAR: outOfTown })
  await importRoads(t, server)
  await seesRoads(see)
  const { travel, warnings, stops } = await optimise({ dryRun: true })
  assert.deepEqual(travel, { source: 'roads', isEstimate: false })
  assert.match(JSON.stringify(warnings), /6 of 12 trips; these are estimates/)
  assert.equal(stops.find(({ awb }: { awb: string }) => awb === 'FAR').line, null)
})

/** Where the roads of the current import are, as the server reads them. */
async function fileOf({ config }: TestServer): Promise<string> {
  const paths = await readdir(config.dataFolder, { recursive: true })
  return join(config.dataFolder, paths.find((path) => path.endsWith(roadsFile)) as string)
}

test('roads that cannot be read leave planning with estimates, until there is another import', async (t) => {
  const { server, see } = await aRoute(t, { ACROSS: acrossTheRiver })
  await importRoads(t, server)
  await writeFile(await fileOf(server), 'this is no road')
  await server.makeRound('arrivals')
  assert.equal(sourceOf(await see()), 'estimate')
  await importRoads(t, server)
  await seesRoads(see)
})

test('what was learned of the drivers makes plans by roads longer, and estimates not', async (t) => {
  const { server, see, optimise } = await aRoute(t, { ACROSS: acrossTheRiver, UP: upTheStreet })
  const travelSeconds = async () => (await optimise({ dryRun: true })).after.travelSeconds
  const estimated = await travelSeconds()
  await server.database.everyone.run(sql`
    insert into learned_speeds (organisation_id, transportation_id, hour, factor, count)
    select ${server.organisationId}, 4, hour, 1.5, 30 from generate_series(0, 167) hour`)
  assert.equal(await travelSeconds(), estimated)
  await importRoads(t, server)
  await seesRoads(see)
  const slow = await travelSeconds()
  await server.database.everyone.run(sql`
    delete from learned_speeds where organisation_id = ${server.organisationId}`)
  assert.ok(Math.abs(slow - 1.5 * (await travelSeconds())) <= 2, `${slow} s`)
})
