import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeDriver } from '../test/factories.ts'
import { startServer } from '../test/server.ts'

const aHub = { name: 'North', lat: 44.5, lng: '26.1', city: 'București' }

test('a team has a hub and drivers, which must exist', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const { hub } = (await server.post('/hubs', aHub)).body
  const { team } = (await server.post('/teams', { name: 'Day', hubId: hub.id, drivers: [driver.id] })).body

  assert.deepEqual(team.hub, hub)
  assert.deepEqual(team.drivers, [{ id: driver.id, name: driver.name }])
  assert.deepEqual((await server.get('/teams')).body.teams.at(-1), team)
  const unknownHub = (await server.post('/teams', { name: 'X', hubId: 999_999 })).body.error
  assert.deepEqual([unknownHub.code, unknownHub.field], ['HUB_NOT_FOUND', 'hubId'])
  const unknownDriver = (await server.post('/teams', { name: 'X', drivers: [999_999] })).body.error
  assert.deepEqual([unknownDriver.code, unknownDriver.field], ['DRIVER_NOT_FOUND', 'drivers'])
  assert.equal((await server.post('/teams', {})).body.error.field, 'name')
})

test('an update keeps what it does not name', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const { hub } = (await server.post('/hubs', aHub)).body
  const { team } = (await server.post('/teams', { name: 'Day', hubId: hub.id, drivers: [driver.id] })).body
  const renamed = (await server.put(`/teams/${team.id}`, { name: 'Night' })).body.team
  assert.deepEqual([renamed.name, renamed.hub.id, renamed.drivers.length], ['Night', hub.id, 1])
  const emptied = (await server.put(`/teams/${team.id}`, { hubId: null, drivers: [] })).body.team
  assert.deepEqual([emptied.name, emptied.hub, emptied.drivers], ['Night', null, []])
})

test('a hub keeps its address, and cannot go while a team uses it', async (t) => {
  const server = await startServer(t)
  const { hub } = (await server.post('/hubs', aHub)).body
  assert.deepEqual([hub.lng, hub.city, hub.state, hub.apartment], [26.1, 'București', '', ''])
  const moved = (await server.put(`/hubs/${hub.id}`, { lat: 44.6, city: null })).body.hub
  assert.deepEqual([moved.lat, moved.city], [44.6, 'București'])

  const { team } = (await server.post('/teams', { name: 'Day', hubId: hub.id })).body
  const inUse = (await server.delete(`/hubs/${hub.id}`)).body.error
  assert.equal(inUse.code, 'HUB_IN_USE')
  await server.delete(`/teams/${team.id}`)
  assert.equal((await server.delete(`/hubs/${hub.id}`)).status, 200)
  assert.equal((await server.delete(`/hubs/${hub.id}`)).body.error.code, 'HUB_NOT_FOUND')
  assert.deepEqual((await server.get('/hubs')).body.hubs, [])
})

test('a hub is found by its address, or is where the coordinates in it say', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'embedded' })
  const found = (await server.post('/hubs', { name: 'Centru', address: 'Strada Lipscani 12, București' })).body.hub
  assert.deepEqual(
    [found.address, found.precision, found.lat.toFixed(1), found.lng.toFixed(1)],
    ['Strada Lipscani 12, București', 'approximate', '44.4', '26.1'],
  )
  const typed = (await server.post('/hubs', { name: 'Vest', address: '44,4319, 26,1010' })).body.hub
  assert.deepEqual([typed.lat, typed.lng, typed.precision], [44.4319, 26.101, 'exact'])
  const byParts = (await server.post('/hubs', { name: 'Nord', streetName: 'Strada Unirii', city: 'Cluj-Napoca' })).body
    .hub
  assert.deepEqual([byParts.lat.toFixed(1), byParts.address], ['46.8', ''])

  const placed = (await server.put(`/hubs/${found.id}`, { lat: 44.4323, lng: 26.1004 })).body.hub
  assert.deepEqual([placed.precision, placed.address], ['exact', found.address], 'its address stays')
  const renamed = (await server.put(`/hubs/${found.id}`, { name: 'Vechi', address: found.address, city: 'Cluj' })).body
    .hub
  assert.deepEqual([renamed.lat, renamed.precision], [44.4323, 'exact'], 'the same address moves nothing')
  const again = (await server.put(`/hubs/${found.id}`, { findAgain: true, city: 'București' })).body.hub
  assert.deepEqual([again.lat, again.address, again.precision], [found.lat, found.address, 'approximate'])
  const moved = (await server.put(`/hubs/${found.id}`, { address: 'Strada Republicii 1, Brașov' })).body.hub
  assert.deepEqual([moved.lat.toFixed(1), moved.precision], ['45.6', 'approximate'])
})

test('a hub that cannot be found is refused with what to do, and needs a place', async (t) => {
  const server = await startServer(t, { WAYBILL_GEOCODER: 'embedded' })
  const nowhere = (await server.post('/hubs', { name: 'X', address: 'Nicăieri 1' })).body.error
  assert.deepEqual([nowhere.code, nowhere.field], ['ADDRESS_NOT_FOUND', 'address'])
  assert.match(nowhere.message, /name the town, or give lat and lng/)
  const nothing = (await server.post('/hubs', { name: 'X' })).body.error
  assert.deepEqual(
    nothing.details.map(({ field }: { field: string }) => field),
    ['lat', 'lng'],
  )
  assert.equal((await server.post('/hubs', { name: 'X', address: 'București', lat: 44 })).body.error.field, 'lng')
  assert.deepEqual((await server.get('/hubs')).body.hubs, [])
})
