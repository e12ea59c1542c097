import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver, makeTeam, signIn } from '../../test/factories.ts'
import { startReceiver } from '../../test/receiver.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** A driver whose hub is 8 km west of the task A-1. */
async function aPlan(t: TestContext, given: object = {}) {
  const server = await startServer(t)
  const { id: hubId } = (await server.post('/hubs', { name: 'Hub', lat: 44.4323, lng: 26.0 })).body.hub
  const team = await makeTeam(server, { hubId })
  const driver = await makeDriver(server, { teams: [team.id] })
  const receiver = await startReceiver(t)
  await server.post('/tasks', aTask({ awb: 'A-1', userId: driver.id, ...given }))
  await server.post('/webHooks', { url: receiver.url, trigger: 5 })
  const optimise = () => server.post(`/drivers/${driver.id}/tasks/optimizeTodayTasks`)
  return { server, driver, receiver, optimise }
}

const taskOf = async (server: TestServer) => (await server.get('/tasks/awb/A-1')).body.task

/** Makes the saved plan that much older. */
const ageThePlan = (server: TestServer, seconds: number) =>
  server.database.everyone.run(sql`
    update tasks set eta_at = eta_at - make_interval(secs => ${seconds}), route = jsonb_set(route, '{arrivalTime}', to_jsonb(to_char(
      ((route ->> 'arrivalTime')::timestamptz - make_interval(secs => ${seconds})) at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
    where organisation_id = ${server.organisationId}`)

type Told = { eta: number; etaText: string; etaAt: string }

/** Asserts that this ETA was computed between `from` and now, by a clock that may differ a little from ours. */
function assertCounts({ eta, etaText, etaAt }: Told, from: number) {
  const secondsAt = (moment: number) => Math.max(0, Math.round((Date.parse(etaAt) - moment) / 1000))
  assert.ok(eta <= secondsAt(from) + 1 && eta >= secondsAt(Date.now()) - 1, `${eta} s until ${etaAt}`)
  assert.equal(etaText, `${Math.round(eta / 60)} min`)
}

test('the time until arrival counts down everywhere it is shown', async (t) => {
  const { server, driver, receiver, optimise } = await aPlan(t)
  const { eta, etaText, etaAt } = await taskOf(server)
  assert.deepEqual([eta, etaText, etaAt], [0, null, null], 'without a plan nobody knows')

  const saved = Date.now()
  await optimise()
  const event = (await receiver.next()).body as { data: { task: Told; previous: object } }
  assertCounts(event.data.task, saved)
  assert.deepEqual(Object.keys(event.data.previous), ['route'], 'time passes by itself; that is no change')

  await ageThePlan(server, 300)
  const token = await signIn(server, driver)
  const read = [
    async () => taskOf(server),
    async () => (await server.get('/tasks')).body.tasks[0],
    async () => (await server.get(`/drivers/${driver.id}/tasks`)).body.tasks[0],
    async () => (await request(server.url, 'GET', '/api/v1/driver/tasks', { key: token })).body.tasks[0],
    async () => (await server.put('/tasks/awb/A-1', { details: 'Ring twice' })).body.task,
  ]
  for (const one of read) {
    const from = Date.now()
    const task = await one()
    assert.equal(task.etaAt, task.route.arrivalTime)
    assert.equal(Date.parse(task.etaAt), Date.parse(event.data.task.etaAt) - 300_000)
    assertCounts(task, from)
  }
  const { body } = await server.get('/events')
  const planned = body.events.find(
    (one: { data: { previous?: object } }) => one.data.previous && 'route' in one.data.previous,
  )
  assert.deepEqual(planned.data.task, event.data.task, 'an event tells what was true when it happened')

  await ageThePlan(server, 7_200)
  const late = await taskOf(server)
  assert.deepEqual([late.eta, late.etaText, late.etaAt], [0, '0 min', late.route.arrivalTime], 'past is 0')
})

test('a task has no ETA once the driver has arrived or it has ended', async (t) => {
  const { server, driver, optimise } = await aPlan(t, { completeBefore: inMinutes(1) })
  await optimise()
  const token = await signIn(server, driver)
  const { id } = await taskOf(server)
  const verb = async (name: string) =>
    (await request(server.url, 'POST', `/api/v1/driver/tasks/${id}/${name}`, { key: token })).body.task
  const told = ({ eta, etaText, etaAt, taskWillBeDelayed }: Told & { taskWillBeDelayed: boolean }) => [
    eta > 0,
    etaText !== null,
    etaAt !== null,
    taskWillBeDelayed,
  ]
  assert.deepEqual(told(await verb('start')), [true, true, true, true])
  assert.deepEqual(told(await verb('arrive')), [false, false, false, false])
  assert.deepEqual(told(await verb('complete')), [false, false, false, false])
})

test('a task that will be late by the plan says so, until its window or driver changes', async (t) => {
  const { server, receiver, optimise } = await aPlan(t, { completeBefore: inMinutes(5) })
  const { route } = (await optimise()).body
  assert.deepEqual(route.late, ['A-1'])
  const next = async () => {
    const { data } = (await receiver.next()).body as {
      data: { task: { taskWillBeDelayed: boolean }; previous: { taskWillBeDelayed?: boolean } }
    }
    return [data.previous.taskWillBeDelayed, data.task.taskWillBeDelayed]
  }
  assert.deepEqual(await next(), [false, true])
  assert.equal((await taskOf(server)).taskWillBeDelayed, true)

  await server.put('/tasks/awb/A-1', { completeBefore: inMinutes(120) })
  assert.deepEqual(await next(), [true, false], 'there is time enough now')
  await server.put('/tasks/awb/A-1', { completeBefore: inMinutes(5) })
  assert.deepEqual(await next(), [false, true])
  await server.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  assert.deepEqual(await next(), [true, false], 'without a driver there is no plan')
})

test('a plan that moves by seconds is reported if it crosses the end of the window', async (t) => {
  const { server, optimise } = await aPlan(t)
  await optimise()
  const { etaAt } = await taskOf(server)
  // The window ends at the planned arrival, so the next plan, made moments later, is after it.
  await server.put('/tasks/awb/A-1', { completeBefore: etaAt })
  await ageThePlan(server, 30)
  const before = (await server.triggers('A-1')).length
  await optimise()
  const task = await taskOf(server)
  assert.ok(Date.parse(task.etaAt) > Date.parse(etaAt), 'time has passed')
  assert.equal(task.taskWillBeDelayed, true)
  assert.equal((await server.triggers('A-1')).length, before + 1)
})
