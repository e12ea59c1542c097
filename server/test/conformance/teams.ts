import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertIs, team as teamShape } from './shapes.ts'
import { ok, refused, startWorld } from './world.ts'

test('a team is created with a name, a hub and its drivers', async (t) => {
  const world = await startWorld(t)
  const second = await world.makeDriver()
  const sent = { name: 'Sud', hubId: world.hub.id, drivers: [world.driver.id, second.id] }
  const { success } = await ok(world.post('/teams', sent))

  assert.equal(success, true)
  const { users } = await ok(world.get('/drivers'))
  for (const { id, driverTeams } of users) {
    if (id !== world.driver.id && id !== second.id) continue
    assert.deepEqual(driverTeams.map(({ name }: { name: string }) => name).sort(), ['Nord', 'Sud'])
  }
})

test('the list of teams shows each with its hub', async (t) => {
  const world = await startWorld(t)
  const place = {
    name: 'Depozit Sud',
    lat: 44.55,
    lng: 26.07,
    city: 'Otopeni',
    state: 'Ilfov',
    country: 'RO',
    streetNumber: '7',
    streetName: 'Gării',
    postalCode: '077190',
    apartment: 'B',
  }
  const { hub } = await ok(world.post('/hubs', place))
  await ok(world.post('/teams', { name: 'Sud', hubId: hub.id, drivers: [] }))
  const { success, teams } = await ok(world.get('/teams'))

  assert.equal(success, true)
  for (const team of teams) assertIs(teamShape, team, 'team')
  assert.deepEqual(teams.map(({ name }: { name: string }) => name).sort(), ['Nord', 'Sud'])
  const south = teams.find(({ name }: { name: string }) => name === 'Sud')
  assert.partialDeepStrictEqual(south.hub, { id: hub.id, ...place })
  assert.deepEqual((await ok((await world.another()).get('/teams'))).teams, [])
})

test('a deleted team is no longer in the list, and its drivers stay', async (t) => {
  const world = await startWorld(t)
  await ok(world.post('/teams', { name: 'Sud', hubId: world.hub.id, drivers: [world.driver.id] }))
  const { teams } = await ok(world.get('/teams'))
  const south = teams.find(({ name }: { name: string }) => name === 'Sud')
  const { success } = await ok(world.delete(`/teams/${south.id}`))

  assert.equal(success, true)
  const left = (await ok(world.get('/teams'))).teams
  assert.deepEqual(
    left.map(({ name }: { name: string }) => name),
    ['Nord'],
  )
  const { users } = await ok(world.get('/drivers'))
  const driver = users.find(({ id }: { id: number }) => id === world.driver.id)
  assert.deepEqual(
    driver.driverTeams.map(({ name }: { name: string }) => name),
    ['Nord'],
  )
  await refused(world.delete(`/teams/${south.id}`))
})
