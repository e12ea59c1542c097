import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask, makeDriver, makeTeam, signIn } from '../test/factories.ts'
import { request, startServer } from '../test/server.ts'

test('a new driver is active and off duty, and the response has every documented field', async (t) => {
  const server = await startServer(t)
  const team = await makeTeam(server)
  const { user } = (
    await server.post('/drivers', {
      name: 'Ion Popescu',
      phone: '0712 345 678',
      teams: [String(team.id)],
      startShiftTime: '8:00',
      endShiftTime: '16:30:00',
      lunchBreakStart: '12:00',
      lunchBreakEnd: '13:00',
      lunchBreakDuration: '30',
      driverTransportationId: 5,
    })
  ).body
  assert.deepEqual(
    [user.driver, user.admin, user.active, user.inShift, user.status, user.password],
    [true, false, true, false, 0, ''],
  )
  assert.deepEqual(
    [user.phone, user.startShiftTime, user.endShiftTime, user.lunchBreakDuration],
    ['+40712345678', '08:00', '16:30', 30],
  )
  assert.deepEqual(user.company.country, { id: 'RO', name: 'Romania' })
  const [listed] = (await server.get('/drivers')).body.users
  assert.equal(listed.lunchBreakDuration, '30')
  assert.deepEqual(listed.driverTeams, [{ id: team.id, name: team.name }])
  assert.deepEqual(listed.driverTransportation, { id: 5, name: 'Van' })
})

test('an invalid driver is refused with the field and the reason', async (t) => {
  const server = await startServer(t)
  const { id } = await makeTeam(server)
  const good = { name: 'Ion', phone: '0712345678', teams: [id] }
  const cases: [given: object, code: string, field: string][] = [
    [{ name: undefined }, 'VALIDATION_FAILED', 'name'],
    [{ name: '  ' }, 'VALIDATION_FAILED', 'name'],
    [{ phone: '12' }, 'INVALID_PHONE', 'phone'],
    [{ phone: undefined }, 'VALIDATION_FAILED', 'phone'],
    [{ teams: [] }, 'VALIDATION_FAILED', 'teams'],
    [{ teams: [999_999] }, 'TEAM_NOT_FOUND', 'teams'],
    [{ startShiftTime: '25:00', endShiftTime: '10:00' }, 'INVALID_TIME', 'startShiftTime'],
    [{ startShiftTime: '08:00', lunchBreakStart: '07:00' }, 'INVALID_TIME', 'lunchBreakStart'],
    [{ lunchBreakDuration: 481 }, 'VALIDATION_FAILED', 'lunchBreakDuration'],
    [{ driverTransportationId: 7 }, 'VALIDATION_FAILED', 'driverTransportationId'],
  ]
  for (const [given, code, field] of cases) {
    const { status, body } = await server.post('/drivers', { ...good, ...given })
    assert.deepEqual([status, body.error?.code, body.error?.field], [400, code, field], JSON.stringify(given))
  }
  const { body } = await server.post('/drivers', { ...good, phone: '12' })
  assert.match(body.error.message, /0712 034 567/)
  assert.deepEqual((await server.get('/drivers')).body.users, [])
})

test('an update keeps what it does not name, and replaces the teams', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server, { startShiftTime: '22:00', endShiftTime: '06:00' })
  const team = await makeTeam(server)
  const { user } = (await server.put(`/drivers/${driver.id}`, { name: 'Renamed', teams: [team.id] })).body
  assert.deepEqual([user.name, user.phone, user.startShiftTime], ['Renamed', driver.phone, '22:00'])
  const [listed] = (await server.get(`/drivers?teamId=${team.id}`)).body.users
  assert.deepEqual(listed.driverTeams, [{ id: team.id, name: team.name }])
})

test('a shift may have only a start or an end, last the whole day, or end at 24:00', async (t) => {
  const server = await startServer(t)
  const { id } = await makeDriver(server)
  const cases: [start: string | null, end: string | null, shown: (string | null)[]][] = [
    ['8:00', null, ['08:00', null]],
    [null, '16:30', [null, '16:30']],
    ['00:00', '00:00', ['00:00', '00:00']],
    ['16:00', '24:00', ['16:00', '00:00']],
    [null, null, [null, null]],
  ]
  for (const [startShiftTime, endShiftTime, shown] of cases) {
    const { user } = (await server.put(`/drivers/${id}`, { startShiftTime, endShiftTime })).body
    assert.deepEqual([user?.startShiftTime, user?.endShiftTime], shown)
  }
})

test('drivers are found by team, duty and text', async (t) => {
  const server = await startServer(t)
  const ana = await makeDriver(server, { name: 'Ana Ionescu', email: 'ana@example.com' })
  await makeDriver(server, { name: 'Dan Pop' })
  const token = await signIn(server, ana)
  await request(server.url, 'PUT', '/api/v1/driver/duty', { key: token, body: { inShift: 'true' } })
  const names = async (query: string) =>
    (await server.get(`/drivers${query}`)).body.users.map((user: { name: string }) => user.name)
  assert.deepEqual(await names('?inShift=true'), ['Ana Ionescu'])
  assert.deepEqual(await names('?inShift=false'), ['Dan Pop'])
  assert.deepEqual(await names('?q=pop'), ['Dan Pop'])
  assert.deepEqual(await names('?q=ANA@'), ['Ana Ionescu'])
  const { body } = await server.get('/drivers?limit=1')
  assert.equal(body.users.length, 1)
  assert.deepEqual(await names(`?cursor=${body.nextCursor}`), ['Dan Pop'])
})

test('the office switches the duty of a driver whose phone only reports positions', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  const report = async () =>
    (
      await request(server.url, 'POST', '/api/v1/driver/locations', {
        key: token,
        body: { locations: [{ lat: 44.43, lng: 26.1 }] },
      })
    ).body
  assert.equal((await report()).kept, 0)

  const on = (await server.put(`/drivers/${driver.id}/duty`, { inShift: true })).body.user
  assert.deepEqual([on.inShift, on.status], [true, 1])
  assert.equal((await report()).kept, 1)

  const off = (await server.put(`/drivers/${driver.id}/duty`, { inShift: false })).body.user
  assert.deepEqual([off.inShift, off.status], [false, 0])
  const missing = await server.put('/drivers/999999/duty', { inShift: true })
  assert.deepEqual([missing.status, missing.body.error.code], [404, 'DRIVER_NOT_FOUND'])
  assert.equal((await server.put(`/drivers/${driver.id}/duty`, {})).body.error.field, 'inShift')
})

test('deleting a driver unassigns their tasks, and needs force if one is in transit', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  const { task } = (await server.post('/tasks', aTask({ awb: 'A', userId: driver.id }))).body
  await server.post('/tasks', aTask({ awb: 'B', userId: driver.id }))
  await request(server.url, 'POST', `/api/v1/driver/tasks/${task.id}/start`, { key: token })

  assert.equal((await server.delete(`/drivers/${driver.id}`)).body.error.code, 'DRIVER_BUSY')
  assert.equal((await server.delete(`/drivers/${driver.id}?force=true`)).status, 200)
  assert.deepEqual((await server.triggers('B')).slice(2), ['TASK_UNASSIGNED', 'TASK_UPDATED'])
  assert.equal((await server.get('/tasks/awb/A')).body.task.statusId, 1)
  assert.equal((await request(server.url, 'GET', '/api/v1/driver/tasks', { key: token })).status, 401)
  assert.equal((await server.delete(`/drivers/${driver.id}`)).status, 404)
  assert.deepEqual((await server.get('/drivers')).body.users, [])
})

test('history keeps the name of a driver who left', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  await server.post('/tasks', aTask({ awb: 'A', userId: driver.id }))
  await server.put('/tasks/awb/A/forceComplete', {})
  await server.delete(`/drivers/${driver.id}`)
  assert.equal((await server.get('/tasks/awb/A')).body.task.user.name, driver.name)
})
