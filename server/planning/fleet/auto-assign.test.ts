import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver, makeTeam, signIn } from '../../test/factories.ts'
import { startSecond } from '../../test/second.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

/** An organisation in auto-assign mode with one driver, and a function for going on and off duty. */
async function anAutomat(t: TestContext, environment: Record<string, string> = {}) {
  const server = await startServer(t, environment)
  await server.put('/company', { settings: { enableAutoAssignMode: true } })
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  const duty = (inShift: boolean) =>
    request(server.url, 'PUT', '/api/v1/driver/duty', { key: token, body: { inShift } })
  return { server, driver, duty }
}

const driverOf = async (server: TestServer, awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task.userId

const untilAssigned = (server: TestServer, awb: string) => until(`${awb} to be assigned`, () => driverOf(server, awb))

test('a new task is assigned automatically, as by hand, and the timeline says by whom', async (t) => {
  const { server, driver, duty } = await anAutomat(t)
  await duty(true)
  await server.post('/tasks', aTask({ awb: 'A' }))
  assert.equal(await untilAssigned(server, 'A'), driver.id)
  const { timelines } = (await server.get('/tasks/awb/A')).body.task
  assert.deepEqual(
    timelines.slice(0, 3).map(({ event, actor }: { event: string; actor: { type: string } }) => [event, actor.type]),
    [
      ['TASK_CREATED', 'API'],
      ['TASK_ASSIGNED', 'SYSTEM'],
      ['TASK_UPDATED', 'SYSTEM'],
    ],
  )
})

test('waiting tasks are assigned as soon as a driver comes on duty', async (t) => {
  const { server, driver, duty } = await anAutomat(t)
  await server.post('/tasks', aTask({ awb: 'A' }))
  await server.makeRound('auto-assign')
  assert.equal(await driverOf(server, 'A'), null)
  await duty(true)
  assert.equal(await untilAssigned(server, 'A'), driver.id)
})

test('a task unassigned by hand is not assigned again', async (t) => {
  const { server, duty } = await anAutomat(t)
  await duty(true)
  await server.post('/tasks', aTask({ awb: 'A' }))
  await untilAssigned(server, 'A')
  await server.post('/tasks/bulkUnassign', { tasks: ['A'] })
  await server.post('/tasks', aTask({ awb: 'B' }))
  await untilAssigned(server, 'B')
  assert.equal(await driverOf(server, 'A'), null)
})

test('without the mode, without coordinates, for another day or at an approximate place, tasks wait', async (t) => {
  const { server, duty } = await anAutomat(t)
  await duty(true)
  const later = new Date(Date.now() + 72 * 3_600_000).toISOString()
  await server.post('/tasks', { awb: 'NOWHERE', address: { address: 'Somewhere' } })
  await server.post('/tasks', aTask({ awb: 'LATER', completeAfter: later }))
  await server.put('/company', { settings: { enableAutoAssignMode: false } })
  await server.post('/tasks', aTask({ awb: 'ABOUT' }))
  await server.database.everyone.run(sql`
    update addresses a set precision = 'approximate' from tasks t
    where t.organisation_id = ${server.organisationId} and t.awb = 'ABOUT'
      and a.organisation_id = t.organisation_id and a.task_id = t.id`)
  await server.makeRound('auto-assign')
  assert.equal(await driverOf(server, 'ABOUT'), null)
  await server.put('/company', { settings: { enableAutoAssignMode: true } })
  await server.post('/tasks', aTask({ awb: 'A' }))
  await untilAssigned(server, 'A')
  for (const awb of ['NOWHERE', 'LATER', 'ABOUT']) assert.equal(await driverOf(server, awb), null, awb)
})

test('tasks created while no worker was running are assigned later', async (t) => {
  const api = { WAYBILL_ROLE: 'api' }
  const { server, driver, duty } = await anAutomat(t, api)
  await duty(true)
  await server.post('/tasks', aTask({ awb: 'A' }))
  await assert.rejects(server.makeRound('auto-assign'), /no workers/)
  assert.equal(await driverOf(server, 'A'), null)
  const { stop } = await startSecond(t, server)
  assert.equal(await untilAssigned(server, 'A'), driver.id)
  await stop()
})

test('two processes that try to assign the same task do it once', async (t) => {
  const { server, duty } = await anAutomat(t)
  await startSecond(t, server)
  await duty(true)
  const tasks = Array.from({ length: 30 }, (_, index) => aTask({ awb: `T-${index}` }))
  await server.post('/tasks/bulkCreate', { tasks })
  for (const { awb } of tasks as unknown as { awb: string }[]) {
    await untilAssigned(server, awb)
    assert.equal((await server.triggers(awb)).filter((name) => name === 'TASK_ASSIGNED').length, 1)
  }
})

test('tasks that nobody can take keep no others waiting, and all of them say why', async (t) => {
  const { server, driver, duty } = await anAutomat(t)
  await duty(true)
  const north = await makeTeam(server)
  const theirs = Array.from({ length: 401 }, (_, at) => aTask({ awb: `N-${at}`, teamId: north.id }))
  await server.post('/tasks/bulkCreate', { tasks: theirs })
  await server.post('/tasks', aTask({ awb: 'MINE' }))
  assert.equal(await untilAssigned(server, 'MINE'), driver.id)
  const tries = () =>
    server.database.everyone.many<{ id: number; reason: string; tried_at: Date | null }>(sql`
      select task_id as id, reason, tried_at from left_tasks
      where organisation_id = ${server.organisationId} order by tried_at, task_id`)
  const tried = async () => (await tries()).filter(({ tried_at }) => tried_at !== null)
  await until('all to have been tried', async () => (await tried()).length === 401)
  const before = await tried()
  assert.ok(before.every(({ reason }) => reason === 'TEAM'))
  await server.post('/tasks', aTask({ awb: 'NEXT' }))
  const longest = new Map(before.slice(0, 199).map(({ id, tried_at }) => [id, tried_at?.getTime()]))
  const isAgain = ({ id, tried_at }: { id: number; tried_at: Date | null }) => longest.get(id) !== tried_at?.getTime()
  await until('those whose last try was longest ago to be tried again', async () =>
    (await tries()).every((one) => !longest.has(one.id) || isAgain(one)),
  )
})
