import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertIs, driver as driverShape, listedDriver, task as taskShape } from './shapes.ts'
import { aPhone, ok, refused, startWorld } from './world.ts'

const hours = {
  startShiftTime: '08:00',
  endShiftTime: '16:30',
  lunchBreakDuration: 30,
  lunchBreakStart: '12:00',
  lunchBreakEnd: '13:00',
}

test('a driver is created with a name, a phone and a team', async (t) => {
  const world = await startWorld(t)
  const sent = { name: 'Ion Popescu', phone: aPhone(), teams: [world.team.id] }
  const { success, user } = await ok(world.post('/drivers', sent))

  assert.equal(success, true)
  assertIs(driverShape, user, 'user')
  assert.deepEqual([user.name, user.driver, user.admin, user.superAdmin], ['Ion Popescu', true, false, false])
  assert.deepEqual([user.companyId, user.company.id], [world.organisationId, world.organisationId])
  assert.equal(user.password, '')
  for (const field of Object.keys(hours)) assert.equal(user[field], null, field)
})

test('a driver has a shift and a lunch break', async (t) => {
  const world = await startWorld(t)
  const user = await world.makeDriver(hours)
  assertIs(driverShape, user, 'user')
  const { lunchBreakDuration, ...clock } = hours
  assert.partialDeepStrictEqual(user, clock)
  assert.equal(Number(user.lunchBreakDuration), lunchBreakDuration)

  const { users } = await ok(world.get('/drivers'))
  const listed = users.find(({ id }: { id: number }) => id === user.id)
  assert.partialDeepStrictEqual(listed, clock)
  assert.equal(Number(listed.lunchBreakDuration), lunchBreakDuration)
})

test('a driver needs a name, a phone and at least one team', async (t) => {
  const world = await startWorld(t)
  const whole = () => ({ name: 'Ion Popescu', phone: aPhone(), teams: [world.team.id] })
  for (const field of ['name', 'phone', 'teams']) {
    await refused(world.post('/drivers', { ...whole(), [field]: undefined }))
  }
  await refused(world.post('/drivers', { ...whole(), teams: [] }))
})

test('the phone of a driver is valid in the country of the organisation', async (t) => {
  const world = await startWorld(t)
  for (const phone of ['123', 'not a phone', '07221']) {
    await refused(world.post('/drivers', { name: 'Ion Popescu', phone, teams: [world.team.id] }))
  }
})

test('the name, phone and teams of a driver can be changed', async (t) => {
  const world = await startWorld(t)
  await ok(world.post('/teams', { name: 'Sud', hubId: world.hub.id, drivers: [] }))
  const { teams } = await ok(world.get('/teams'))
  const south = teams.find(({ name }: { name: string }) => name === 'Sud')
  const sent = { name: 'Ion Ionescu', phone: aPhone(), teams: [south.id] }
  const { success, user } = await ok(world.put(`/drivers/${world.driver.id}`, sent))

  assert.equal(success, true)
  assertIs(driverShape, user, 'user')
  assert.deepEqual([user.id, user.name], [world.driver.id, 'Ion Ionescu'])
  assert.notEqual(user.phone, world.driver.phone)
  const [listed] = (await ok(world.get('/drivers'))).users.filter(({ id }: { id: number }) => id === user.id)
  assert.deepEqual(
    listed.driverTeams.map(({ id, name }: Record<string, unknown>) => [id, name]),
    [[south.id, 'Sud']],
  )
})

test('the list of drivers shows their teams, and no driver of another organisation', async (t) => {
  const world = await startWorld(t)
  const second = await world.makeDriver({ name: 'Dan Marin' })
  const { success, users } = await ok(world.get('/drivers'))

  assert.equal(success, true)
  for (const user of users) assertIs(listedDriver, user, 'user')
  const drivers = users.filter(({ driver }: { driver: boolean }) => driver)
  assert.deepEqual(drivers.map(({ id }: { id: number }) => id).sort(), [world.driver.id, second.id].sort())
  for (const { driverTeams } of drivers) {
    assert.partialDeepStrictEqual(driverTeams, [{ id: world.team.id, name: 'Nord' }])
  }
  const others = (await ok((await world.another()).get('/drivers'))).users
  assert.ok(!others.some(({ driver }: { driver: boolean }) => driver))
})

test('a deleted driver is no longer in the list', async (t) => {
  const world = await startWorld(t)
  const { success } = await ok(world.delete(`/drivers/${world.driver.id}`))

  assert.equal(success, true)
  const { users } = await ok(world.get('/drivers'))
  assert.ok(!users.some(({ id }: { id: number }) => id === world.driver.id))
  await refused(world.delete(`/drivers/${world.driver.id}`))
})

test('the tasks of a driver are listed completely, each with its notes', async (t) => {
  const world = await startWorld(t)
  const [task] = await world.createAssigned({ awb: 'A-1', customer: { name: 'Ana', phone: '0722123456' } })
  const drive = await world.logIn()
  await drive('start', task)
  await drive('notes', task, { note: 'The gate code is 12' })
  await world.create({ awb: 'NOT HIS' })

  const tasks = await world.tasksOfDriver()
  assert.equal(tasks.length, 1)
  assertIs(taskShape, tasks[0], 'task')
  assert.equal(tasks[0].awb, 'A-1')
  assert.partialDeepStrictEqual(tasks[0].user, { id: world.driver.id, name: 'Ion Popescu', inShift: true })
  const [note] = tasks[0].notes
  assert.deepEqual([tasks[0].notes.length, note.note, note.image], [1, 'The gate code is 12', null])
  assert.deepEqual([note.taskId, note.userId, note.user.id], [task.id, world.driver.id, world.driver.id])
})

test('a driver without tasks has an empty list', async (t) => {
  const world = await startWorld(t)
  assert.deepEqual(await world.tasksOfDriver(), [])
})

test("a driver's tasks of today are put in the best order, with any value of traffic", async (t) => {
  const world = await startWorld(t)
  const at = (lat: number) => ({ address: { address: 'Strada Lipscani 12', lat, lng: 26.1 } })
  await world.createAssigned(at(44.4), at(44.6), at(44.5))

  // The document does not list the values of `traffic`, so any string must work.
  for (const traffic of ['best_guess', 'pessimistic', 'BEST_GUESS', 'true']) {
    const { success } = await ok(world.post(`/drivers/${world.driver.id}/tasks/optimizeTodayTasks`, { traffic }))
    assert.equal(success, true)
  }
  assert.equal((await world.tasksOfDriver()).length, 3)
})

test('requests for a driver who does not exist are refused', async (t) => {
  const world = await startWorld(t)
  const { id: stranger } = world.driver
  const other = await world.another()

  await refused(other.put(`/drivers/${stranger}`, { name: 'Mine' }))
  await refused(other.delete(`/drivers/${stranger}`))
  await refused(other.get(`/drivers/${stranger}/tasks`))
  await refused(other.post(`/drivers/${stranger}/tasks/bulkCreate`, { tasks: [{ address: { address: 'Here' } }] }))
  await refused(other.post(`/drivers/${stranger}/tasks/optimizeTodayTasks`, { traffic: 'best_guess' }))
  await refused(other.put(`/containers/drivers/${stranger}`, { tasks: ['A-1'] }))
  await refused(other.post(`/drivers/${stranger}/tasks/bulkAssign`, { tasks: [1] }))
})
