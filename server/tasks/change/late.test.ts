import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask, letDaysPass, makeDriver, signIn } from '../../test/factories.ts'
import { request, startServer, type TestServer } from '../../test/server.ts'

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** As if that much time had passed since the task was created. */
const letTimePass = (server: TestServer, awb: string, minutes: number) =>
  server.database.everyone.run(sql`
    update tasks set complete_before = complete_before - ${minutes} * interval '1 minute'
    where organisation_id = ${server.organisationId} and awb = ${awb}`)

const eventsOf = async (server: TestServer, awb: string) =>
  (await server.get('/events?limit=1000')).body.events.filter((event: { awb: string }) => event.awb === awb)
const isLate = async (server: TestServer, awb: string) => (await server.get(`/tasks/awb/${awb}`)).body.task.taskDelayed

test('a task becomes late when its window ends, and fires once, however often the worker looks', async (t) => {
  const server = await startServer(t)
  for (const awb of ['LATE', 'SOON']) await server.post('/tasks', aTask({ awb, completeBefore: inMinutes(10) }))
  await server.post('/tasks', aTask({ awb: 'OPEN' }))
  await letTimePass(server, 'LATE', 20)
  await server.makeRound('late tasks')
  await server.makeRound('late tasks')

  assert.equal(await isLate(server, 'LATE'), true)
  const [, late, ...more] = await eventsOf(server, 'LATE')
  assert.deepEqual([late.triggerId, late.data.previous, late.data.task.taskDelayed], [5, { taskDelayed: false }, true])
  assert.deepEqual([late.actionContext.type, more], ['SYSTEM', []])
  for (const awb of ['SOON', 'OPEN']) assert.equal((await eventsOf(server, awb)).length, 1)
})

test('a window that has ended already, or is moved, decides at once, without a second event', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'PAST', completeBefore: inMinutes(-10) }))
  assert.equal(await isLate(server, 'PAST'), true)
  await server.put('/tasks/awb/PAST', { completeBefore: inMinutes(10) })
  assert.equal(await isLate(server, 'PAST'), false)
  await server.put('/tasks/awb/PAST', { completeBefore: inMinutes(-5) })
  await server.makeRound('late tasks')
  const [created, moved, back, ...more] = await eventsOf(server, 'PAST')
  assert.equal(created.data.task.taskDelayed, true)
  assert.deepEqual([moved.data.previous.taskDelayed, back.data.previous.taskDelayed, more], [true, false, []])
})

test('work done in time and sent late is not late', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const key = await signIn(server, driver)
  const drive = (taskId: number, verb: string, occurredAt: string) =>
    request(server.url, 'POST', `/api/v1/driver/tasks/${taskId}/${verb}`, { key, body: { occurredAt } })
  for (const [awb, doneAt, wanted] of [
    ['IN-TIME', -30, false],
    ['TOO-LATE', -5, true],
  ] as const) {
    const { task } = (await server.post('/tasks', aTask({ awb, userId: driver.id, completeBefore: inMinutes(10) })))
      .body
    await letDaysPass(server)
    await letTimePass(server, awb, 30)
    await server.makeRound('late tasks')
    assert.equal(await isLate(server, awb), true)
    await drive(task.id, 'start', inMinutes(-40))
    await drive(task.id, 'complete', inMinutes(doneAt))
    assert.equal(await isLate(server, awb), wanted)
  }
})
