import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOfDay, startOfDay } from '../../../core/time.ts'
import type { Db } from '../../db/db.ts'
import { connectAsOwner } from '../../db/migrate.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { aTask, makeDriver, makeTeam } from '../../test/factories.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { listTaskIds } from './queries.ts'

const awbs = async (server: TestServer, query = '') => {
  const { body } = await server.get(`/tasks${query}`)
  return body.tasks.map((task: { awb: string }) => task.awb)
}

test('pages follow each other without a gap or a repetition', async (t) => {
  const server = await startServer(t)
  const names = Array.from({ length: 7 }, (_, index) => `P-${index}`)
  await server.post('/tasks/bulkCreate', { tasks: names.map((awb) => aTask({ awb })) })

  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await server.get(`/tasks?limit=3${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.tasks.map((task: { awb: string }) => task.awb))
    cursor = body.nextCursor
  } while (cursor)
  assert.deepEqual(seen, names)
  assert.deepEqual(await awbs(server), names)
})

test('tasks in several states are listed in one order across pages', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  for (const [index, awb] of ['A', 'B', 'C', 'D', 'E', 'F'].entries())
    await server.post('/tasks', aTask({ awb, ...(index % 2 === 0 && { userId: driver.id }) }))
  await server.put('/tasks/awb/E/forceComplete', {})

  assert.deepEqual(await awbs(server, '?statusId=6,1,6'), ['A', 'B', 'C', 'D', 'F'])
  const first = (await server.get('/tasks?statusId=9,1&limit=2')).body
  const rest = await awbs(server, `?statusId=9,1&limit=2&cursor=${first.nextCursor}`)
  assert.deepEqual([...first.tasks.map(({ awb }: { awb: string }) => awb), ...rest], ['B', 'D', 'E', 'F'])
})

test("a driver's tasks are listed across pages, open ones first", async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const names = ['A', 'B', 'C', 'D', 'E']
  await server.post(`/drivers/${driver.id}/tasks/bulkCreate`, { tasks: names.map((awb) => aTask({ awb })) })
  for (const awb of ['A', 'C']) await server.put(`/tasks/awb/${awb}/forceComplete`, {})

  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await server.get(`/drivers/${driver.id}/tasks?limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.tasks.map((task: { awb: string }) => task.awb))
    cursor = body.nextCursor
  } while (cursor)
  assert.deepEqual(seen, ['B', 'D', 'E', 'A', 'C'])
})

test('filters narrow a list down', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const team = await makeTeam(server)
  await server.post('/tasks', aTask({ awb: 'ONE', userId: driver.id, completeAfter: '2026-03-01 09:00' }))
  await server.post(
    '/tasks',
    aTask({ awb: 'TWO', teamId: team.id, completeAfter: '2026-03-02 09:00', details: '100% silk' }),
  )
  await server.post('/tasks', aTask({ awb: 'THREE', customer: { name: 'Maria' }, completeBefore: '2026-03-03 09:00' }))

  assert.deepEqual(await awbs(server, '?statusId=6'), ['ONE'])
  assert.deepEqual(await awbs(server, '?statusId=1,6'), ['ONE', 'TWO', 'THREE'])
  assert.deepEqual(await awbs(server, `?userId=${driver.id}`), ['ONE'])
  assert.deepEqual(await awbs(server, `?teamId=${team.id}`), ['TWO'])
  assert.deepEqual(await awbs(server, '?awb=THREE'), ['THREE'])
  assert.deepEqual(await awbs(server, '?q=maria'), ['THREE'])
  assert.deepEqual(await awbs(server, '?q=100%25%20s'), ['TWO'])
  assert.deepEqual(await awbs(server, '?q=_'), [])
  assert.deepEqual(await awbs(server, '?from=2026-03-02&to=2026-03-02%2023:59'), ['TWO'])
  assert.deepEqual(await awbs(server, '?updatedAfter=2999-01-01'), [])
})

/** A day relative to today, in the organisation's time zone, and its noon. */
function dayOf(days: number) {
  const day = Temporal.Now.plainDateISO('Europe/Bucharest').add({ days }).toString()
  return { day, noon: `${day} 12:00`, evening: `${day} 20:00` }
}

test('the board of today shows open tasks, except those for later days, and tasks that ended today', async (t) => {
  const server = await startServer(t)
  const [yesterday, today, tomorrow] = [dayOf(-1), dayOf(0), dayOf(1)]
  const driver = await makeDriver(server)
  const tasks: Record<string, object> = {
    ANYTIME: {},
    TODAY: { completeAfter: today.noon, completeBefore: today.evening },
    OVERDUE: { completeAfter: yesterday.noon },
    'BY-TOMORROW': { completeBefore: tomorrow.noon },
    TOMORROW: { completeAfter: tomorrow.noon, completeBefore: tomorrow.evening },
    LONG: { completeAfter: yesterday.noon, completeBefore: tomorrow.noon },
    'DONE-TODAY': { userId: driver.id, completeAfter: tomorrow.noon },
    'FAILED-TODAY': { userId: driver.id },
    'DONE-YESTERDAY': { userId: driver.id, completeAfter: today.noon },
  }
  for (const [awb, task] of Object.entries(tasks)) await server.post('/tasks', aTask({ awb, ...task }))
  for (const awb of ['DONE-TODAY', 'DONE-YESTERDAY']) await server.put(`/tasks/awb/${awb}/forceComplete`, {})
  await server.put('/tasks/awb/FAILED-TODAY/forceComplete', { success: false })
  await server.database.everyone.run(sql`
    update tasks set completed_at = completed_at - interval '1 day'
    where organisation_id = ${server.organisationId} and awb = 'DONE-YESTERDAY'`)

  const open = ['ANYTIME', 'TODAY', 'OVERDUE', 'BY-TOMORROW', 'LONG']
  assert.deepEqual(await awbs(server, `?day=${today.day}`), [...open, 'DONE-TODAY', 'FAILED-TODAY'])
  assert.deepEqual(await awbs(server, `?day=${tomorrow.day}`), ['BY-TOMORROW', 'TOMORROW', 'LONG'])
  assert.deepEqual(await awbs(server, `?day=${yesterday.day}`), ['OVERDUE', 'LONG', 'DONE-YESTERDAY'])
  assert.deepEqual(await awbs(server, `?day=${today.day}&statusId=1,10`), [...open, 'FAILED-TODAY'])
  assert.deepEqual(await awbs(server, `?day=${today.day}&statusId=9`), ['DONE-TODAY'])
  assert.deepEqual(await awbs(server, `?day=${today.day}&q=overdue`), ['OVERDUE'])

  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await server.get(`/tasks?day=${today.day}&limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.tasks.map((task: { awb: string }) => task.awb))
    cursor = body.nextCursor
  } while (cursor)
  assert.deepEqual(seen, [...open, 'DONE-TODAY', 'FAILED-TODAY'])
})

test('the board of a day is read without scanning the tasks that ended on other days', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const tasks = Array.from({ length: 1_000 }, () => aTask())
  for (let bulk = 0; bulk < 3; bulk += 1) await server.post(`/drivers/${driver.id}/tasks/bulkCreate`, { tasks })
  await server.database.everyone.run(sql`
    update tasks set status_id = 9, completed_at = now() - (id % 300) * interval '1 day'
    where organisation_id = ${server.organisationId} and id % 10 <> 0`)
  const owner = await connectAsOwner(server.config.databaseUrl as string, 'test')
  await owner.query('vacuum analyze tasks')
  await owner.end()
  const { everyone } = server.database
  const plan: string[] = []
  const explaining = {
    ...everyone,
    async many(statement: Sql) {
      const lines = await everyone.many<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
      plan.push(...lines.map((line) => line['QUERY PLAN']))
      return []
    },
  } as unknown as Db
  const [start, end] = [startOfDay(new Date(), 'Europe/Bucharest'), endOfDay(new Date(), 'Europe/Bucharest')]
  for (const isToday of [true, false])
    await listTaskIds(
      explaining,
      server.organisationId,
      { day: { start, end, isToday } },
      { id: 0, isNewestFirst: false },
      2,
    )

  const text = plan.join('\n')
  assert.ok(!/Seq Scan on tasks/.test(text), text)
  assert.equal(text.match(/using tasks_status|on tasks_status/g)?.length, 2, text)
  assert.equal(text.match(/using tasks_ended|on tasks_ended/g)?.length, 2, text)
})

test('an invalid filter is refused', async (t) => {
  const server = await startServer(t)
  const cases: [query: string, field: string][] = [
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['statusId=open', 'statusId'],
    ['from=yesterday', 'from'],
    ['userId=x', 'userId'],
    ['day=today', 'day'],
    ['day=2026-02-30', 'day'],
  ]
  for (const [query, field] of cases) {
    const { status, body } = await server.get(`/tasks?${query}`)
    assert.deepEqual([status, body.error.field], [400, field], query)
  }
})

test('a task is found by its id and by its awb, even with unusual characters', async (t) => {
  const server = await startServer(t)
  for (const awb of ['a b', '100%', 'q?x#y', '"quoted"', "o'neill", '📦-1', '1+1=2']) {
    const { task } = (await server.post('/tasks', aTask({ awb }))).body
    assert.deepEqual((await server.get(`/tasks/awb/${encodeURIComponent(awb)}`)).body.task, task)
    assert.deepEqual((await server.get(`/tasks/${task.id}`)).body.task, task)
  }
})
