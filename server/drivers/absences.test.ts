import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { mostAbsences } from '../../contract/limits.ts'
import { sql } from '../db/sql.ts'
import { aTask, makeDriver, signIn } from '../test/factories.ts'
import { request, startServer, type TestServer } from '../test/server.ts'

const zone = 'Europe/Bucharest'
const dayAt = (days: number) => Temporal.Now.plainDateISO(zone).add({ days }).toString()

const driverOf = async (server: TestServer, id: number) =>
  (await server.get('/drivers')).body.users.find((driver: { id: number }) => driver.id === id)

test('shifts of weekdays are read like other times of day, and replaced as a whole', async (t) => {
  const server = await startServer(t)
  const shiftTimes = [
    { day: 6, start: '9:00', end: '13:00:00' },
    { day: 1, start: '8:00', end: '24:00' },
  ]
  const { id } = await makeDriver(server, { shiftTimes })
  const stored = [
    { day: 1, start: '08:00', end: '00:00' },
    { day: 6, start: '09:00', end: '13:00' },
  ]
  assert.deepEqual((await driverOf(server, id)).shiftTimes, stored)
  await server.put(`/drivers/${id}`, { name: 'Ion' })
  assert.deepEqual((await driverOf(server, id)).shiftTimes, stored, 'an update without them keeps them')
  const { user } = (await server.put(`/drivers/${id}`, { shiftTimes: [] })).body
  assert.deepEqual(user.shiftTimes, [])
})

test('a weekday twice or a time that is none is refused, naming the field', async (t) => {
  const server = await startServer(t)
  const { id } = await makeDriver(server)
  const refuse = async (shiftTimes: object[]) => (await server.put(`/drivers/${id}`, { shiftTimes })).body.error.field
  assert.equal(await refuse([{ day: 1, start: '8:00', end: 'noon' }]), 'shiftTimes.0.end')
  const twice = { day: 2, start: '8:00', end: '9:00' }
  assert.equal(await refuse([twice, twice]), 'shiftTimes.1.day')
  assert.equal(await refuse([{ ...twice, day: 8 }]), 'shiftTimes.0.day')
})

test('absences are added, listed for the days asked for, and deleted', async (t) => {
  const server = await startServer(t)
  const [one, other] = [await makeDriver(server), await makeDriver(server)]
  const add = async (id: number, body: object) => (await server.post(`/drivers/${id}/absences`, body)).body
  const { absence: holiday } = await add(one.id, { from: '2027-07-05', to: '2027-07-16', reason: ' Holiday ' })
  const { absence: single } = await add(one.id, { from: '2027-03-01' })
  await add(other.id, { from: '2027-07-16', to: '2027-07-17' })

  assert.deepEqual([single.to, holiday.reason, holiday.driverId], ['2027-03-01', 'Holiday', one.id])
  const listed = async (path: string) =>
    (await server.get(path)).body.absences.map(({ from }: { from: string }) => from)
  assert.deepEqual(await listed(`/drivers/${one.id}/absences`), ['2027-03-01', '2027-07-05'])
  assert.deepEqual(await listed('/absences?from=2027-07-16&to=2027-07-16'), ['2027-07-05', '2027-07-16'])
  assert.deepEqual(await listed('/absences?from=2027-07-18'), [])

  await server.delete(`/drivers/${one.id}/absences/${single.id}`)
  assert.deepEqual(await listed(`/drivers/${one.id}/absences`), ['2027-07-05'])
  assert.equal(
    (await server.delete(`/drivers/${other.id}/absences/${holiday.id}`)).body.error.code,
    'ABSENCE_NOT_FOUND',
  )
})

test('an absence that ends before it begins, is on no day, or is one too many is refused', async (t) => {
  const server = await startServer(t)
  const { id } = await makeDriver(server)
  const refuse = async (body: object) => (await server.post(`/drivers/${id}/absences`, body)).body.error.code
  assert.equal(await refuse({ from: '2027-07-05', to: '2027-07-04' }), 'INVALID_TIME_WINDOW')
  assert.equal(await refuse({ from: '2027-02-30' }), 'INVALID_TIME')
  await server.database.everyone.run(sql`
    insert into absences (organisation_id, driver_id, from_day, to_day)
    select ${server.organisationId}, ${id}, '2020-01-01', '2020-01-01' from generate_series(1, ${mostAbsences})`)
  assert.equal(await refuse({ from: '2027-07-05' }), 'TOO_MANY_ITEMS')
})

test('the absences of a driver go with the driver', async (t) => {
  const server = await startServer(t)
  const { id } = await makeDriver(server)
  await server.post(`/drivers/${id}/absences`, { from: '2027-07-05' })
  await server.delete(`/drivers/${id}`)
  assert.deepEqual((await server.get('/absences')).body.absences, [])
})

/** A driver on duty with one task in transit, one for today and one for next week. */
async function aBusyDriver(server: TestServer) {
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  const { task } = (await server.post('/tasks', aTask({ awb: 'STARTED', userId: driver.id }))).body
  await request(server.url, 'POST', `/api/v1/driver/tasks/${task.id}/start`, { key: token })
  await server.post('/tasks', aTask({ awb: 'TODAY', userId: driver.id }))
  await server.post('/tasks', aTask({ awb: 'LATER', userId: driver.id, completeAfter: `${dayAt(7)} 09:00` }))
  await server.put(`/drivers/${driver.id}/duty`, { inShift: true })
  return driver.id
}

const awbsOf = (tasks: { awb: string }[]) => tasks.map(({ awb }) => awb)

test('a driver who falls ill keeps what is in transit if the office says so; the rest waits for others', async (t) => {
  const server = await startServer(t)
  const id = await aBusyDriver(server)
  const path = `/drivers/${id}/unavailable`

  const asked = await server.post(path, { absence: true })
  assert.deepEqual([asked.status, asked.body.error.code], [409, 'DRIVER_BUSY'])
  const preview = (await server.post(path, { dryRun: true })).body
  assert.deepEqual([awbsOf(preview.taken), awbsOf(preview.kept)], [['TODAY', 'LATER'], ['STARTED']])
  assert.equal((await driverOf(server, id)).inShift, true, 'until then nothing has changed')

  const through = dayAt(1)
  const done = (await server.post(path, { inTransit: 'keep', through, absence: true, reason: 'Ill' })).body
  assert.deepEqual([awbsOf(done.taken), awbsOf(done.kept)], [['TODAY'], ['STARTED', 'LATER']])
  assert.deepEqual([done.user.inShift, done.absence.from, done.absence.to], [false, dayAt(0), through])
  assert.equal((await server.get('/tasks/awb/TODAY')).body.task.statusId, 1)
  assert.equal((await server.get('/tasks/awb/STARTED')).body.task.statusId, 7)
  assert.ok((await server.triggers('TODAY')).includes('TASK_UNASSIGNED'))
})

test('what is in transit can be taken, too, and without a last day everything is', async (t) => {
  const server = await startServer(t)
  const id = await aBusyDriver(server)
  const { taken, kept, absence } = (await server.post(`/drivers/${id}/unavailable`, { inTransit: 'take' })).body
  assert.deepEqual([awbsOf(taken), kept, absence], [['STARTED', 'TODAY', 'LATER'], [], null])
  assert.ok(taken.every(({ statusId }: { statusId: number }) => statusId === 1))
})

test('a task with an open conflict stays with a driver who falls ill, and the answer says why', async (t) => {
  const server = await startServer(t)
  const id = await aBusyDriver(server)
  const first = await makeDriver(server)
  const key = await signIn(server, first)
  const { task } = (await server.post('/tasks', aTask({ awb: 'DELIVERED', userId: first.id }))).body
  await server.put(`/containers/drivers/${id}`, { tasks: ['DELIVERED'] })
  // Delivered without a network by the driver who had it before.
  const deviceTime = new Date().toISOString()
  const ops = [{ opId: randomUUID(), type: 'complete', taskId: task.id, occurredAt: deviceTime }]
  await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime, ops } })
  const [conflict] = (await server.get('/conflicts?settled=false')).body.conflicts
  assert.equal(conflict.awb, 'DELIVERED')

  const path = `/drivers/${id}/unavailable`
  const whyKept = ({ kept }: { kept: { awb: string; reason: string }[] }) =>
    kept.map(({ awb, reason }) => [awb, reason])
  const preview = (await server.post(path, { dryRun: true, through: dayAt(1) })).body
  assert.deepEqual(awbsOf(preview.taken), ['TODAY'])
  assert.deepEqual(whyKept(preview), [
    ['STARTED', 'IN_TRANSIT'],
    ['LATER', 'LATER_DAY'],
    ['DELIVERED', 'OPEN_CONFLICT'],
  ])
  const done = (await server.post(path, { inTransit: 'take' })).body
  assert.deepEqual(whyKept(done), [['DELIVERED', 'OPEN_CONFLICT']])
  assert.equal((await server.get('/tasks/awb/DELIVERED')).body.task.userId, id)

  await server.post(`/conflicts/${conflict.id}/settle`, { apply: false })
  assert.deepEqual(awbsOf((await server.post(path, {})).body.taken), ['DELIVERED'])
})

test('where the office may not unassign, a driver keeps their tasks and their duty', async (t) => {
  const server = await startServer(t)
  const id = await aBusyDriver(server)
  await server.put('/company', { settings: { disableAdminUnassignToOrg: true } })
  const { body } = await server.post(`/drivers/${id}/unavailable`, { inTransit: 'take' })
  assert.equal(body.error.code, 'FORBIDDEN_BY_SETTING')
  assert.equal((await driverOf(server, id)).inShift, true)
})
