import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Task } from '../../../contract/task.ts'
import { afterFailure } from '../../../core/attempt.ts'
import type { Db } from '../../db/db.ts'
import { connectAsOwner } from '../../db/migrate.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { aTask, makeDriver } from '../../test/factories.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { listTaskIds } from './queries.ts'

const toDecide = async (server: TestServer, more = ''): Promise<string[]> =>
  (await server.get(`/tasks?toDecide=true${more}`)).body.tasks.map(({ awb }: Task) => awb)

test('what failed for the last time and waits for a decision is a list of its own, by the rule of the pages', async (t) => {
  const server = await startServer(t)
  const other = { ...server, ...(await server.another()) }
  const set = (mostAttempts: number, afterLastAttempt: string) =>
    server.put('/company', { settings: { mostAttempts, afterLastAttempt } })
  await server.post('/hubs', { name: 'Hub', lat: 44.43, lng: 26.1 })
  const driver = await makeDriver(server)
  const fails = (awb: string) => server.put(`/tasks/awb/${awb}/forceComplete`, { success: false })
  await set(2, 'ask')
  for (const awb of ['OPEN', 'GOOD', 'ONCE', 'TWICE', 'BACK', 'AGAIN', 'GONE', 'LEFT']) {
    await server.post('/tasks', aTask({ awb, userId: driver.id }))
    if (awb !== 'OPEN') await server.put(`/tasks/awb/${awb}/forceComplete`, { success: awb === 'GOOD' })
  }
  for (const awb of ['TWICE', 'BACK', 'AGAIN', 'GONE', 'LEFT']) {
    await server.post(`/tasks/awb/${awb}/reattempt`, { userId: driver.id })
    if (awb !== 'AGAIN') await fails(`${awb}-2`)
  }
  for (const awb of ['BACK-2', 'GONE-2']) await server.post(`/tasks/awb/${awb}/return`, {})
  const { returnedAs } = (await server.get('/tasks/awb/GONE-2')).body.task
  await server.delete(`/tasks/awb/${returnedAs.awb}`)
  await server.post('/tasks/bulkClose', { tasks: ['LEFT-2', 'GONE-2'] })
  assert.deepEqual(await toDecide(server), ['TWICE-2'], 'what was left as it is waits for nobody')
  await server.post('/tasks/bulkClose', { tasks: ['GONE-2'], closed: false })

  assert.deepEqual(await toDecide(server), ['TWICE-2', 'GONE-2'], 'a return that was deleted is no decision')
  assert.deepEqual(await toDecide(server, '&order=newest&limit=1'), ['GONE-2'])
  assert.deepEqual(await toDecide(server, `&userId=${driver.id + 1}`), [])
  assert.deepEqual(await toDecide(other), [])
  const tasks: Task[] = (await server.get('/tasks?statusId=10')).body.tasks
  for (const settings of [
    { mostAttempts: 2, afterLastAttempt: 'ask' },
    { mostAttempts: 1, afterLastAttempt: 'return' },
    { mostAttempts: 1, afterLastAttempt: 'stay' },
    { mostAttempts: 0, afterLastAttempt: 'ask' },
  ]) {
    await set(settings.mostAttempts, settings.afterLastAttempt)
    const wanted = tasks.filter((task) => {
      const { attempt } = task
      const isReattempted = task.reattemptedAs !== null
      const isReturned = task.returnedAs !== null
      const isReturn = task.returnOf !== null
      const isClosed = task.closedAt !== null
      return afterFailure({ attempt, isReattempted, isReturned, isReturn, isClosed }, settings) === 'decide'
    })
    assert.deepEqual(
      await toDecide(server),
      wanted.map(({ awb }) => awb),
      JSON.stringify(settings),
    )
  }
})

test('the list of what is to be decided is read along its indexes, not through all tasks', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const tasks = Array.from({ length: 1_000 }, () => aTask())
  for (let bulk = 0; bulk < 3; bulk += 1) await server.post(`/drivers/${driver.id}/tasks/bulkCreate`, { tasks })
  await server.database.everyone.run(sql`
    update tasks set status_id = 10, completed_at = now(), reattempted_as = case when id % 100 = 0 then null else id end
    where organisation_id = ${server.organisationId}`)
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
  await listTaskIds(explaining, server.organisationId, { lastTry: 1 }, { id: 0, isNewestFirst: false }, 200)

  const text = plan.join('\n')
  assert.match(text, /tasks_failed/)
  assert.match(text, /tasks_deleted_tries/)
  assert.doesNotMatch(text, /Seq Scan on tasks/)
})
