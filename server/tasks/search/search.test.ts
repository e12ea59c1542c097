import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSearch } from '../../../core/search.ts'
import type { Db } from '../../db/db.ts'
import { connectAsOwner } from '../../db/migrate.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { aTask, makeDriver } from '../../test/factories.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { listTaskIds } from '../list/queries.ts'
import { matching } from './find.ts'

const awbs = async (server: TestServer, query: Record<string, string | number>) => {
  const { body } = await server.get(`/tasks?${new URLSearchParams(query as Record<string, string>)}`)
  return body.tasks.map((task: { awb: string }) => task.awb)
}

const wordsOf = async ({ database, organisationId }: TestServer, taskId: number) =>
  (
    await database.everyone.many<{ word: string }>(sql`
      select word from task_words where organisation_id = ${organisationId} and task_id = ${taskId} order by word`)
  ).map(({ word }) => word)

const stefan = { name: 'Ștefan Țurcanu', phone: '0712345678' }
const pipera = { address: 'Șos. Pipera nr. 4, București', lat: 44.5, lng: 26.1 }

test('a search finds tasks of any day by number, phone, name and address, and those of no other organisation', async (t) => {
  const server = await startServer(t)
  const other = await startServer(t)
  const driver = await makeDriver(server)
  await server.post(
    '/tasks',
    aTask({ awb: 'LAST-YEAR', customer: stefan, completeBefore: '2025-03-01 12:00', userId: driver.id }),
  )
  await server.put('/tasks/awb/LAST-YEAR/forceComplete', {})
  await server.post('/tasks', aTask({ awb: 'NEXT-YEAR', customer: stefan, completeAfter: '2099-03-01 12:00' }))
  await server.post('/tasks', aTask({ awb: 'AT-PIPERA', address: pipera }))
  await other.post('/tasks', aTask({ awb: 'NOT-OURS', customer: stefan, address: pipera }))

  const both = ['LAST-YEAR', 'NEXT-YEAR']
  for (const q of ['stefan', 'ȘTEFAN turc', '0712345678', '+40 712 345 678', '5678', 'year 5678'])
    assert.deepEqual(await awbs(server, { q }), both, q)
  assert.deepEqual(await awbs(server, { q: 'sos pipera' }), ['AT-PIPERA'])
  assert.deepEqual(await awbs(server, { q: 'next-year' }), ['NEXT-YEAR'])
  assert.deepEqual(await awbs(server, { q: 'stefan', statusId: 9 }), ['LAST-YEAR'], 'with other filters')
  assert.deepEqual(await awbs(server, { q: 'stefan pipera' }), [])
  assert.deepEqual(await awbs(server, { q: 'stefan', order: 'newest' }), both.toReversed())
  assert.deepEqual(await awbs(other, { q: 'stefan' }), ['NOT-OURS'])

  const first = (await server.get('/tasks?q=stefan&order=newest&limit=1')).body
  assert.deepEqual(await awbs(server, { q: 'stefan', order: 'newest', limit: 1, cursor: first.nextCursor }), [
    'LAST-YEAR',
  ])
})

test('the history of a customer and all tasks of an address are lists of their own', async (t) => {
  const server = await startServer(t)
  const { task } = (await server.post('/tasks', aTask({ awb: 'ONE', customer: stefan, address: pipera }))).body
  await server.post('/tasks', aTask({ awb: 'TWO', customer: { ...stefan, name: 'Stefan T.' } }))
  await server.post('/tasks', aTask({ awb: 'THREE', customer: stefan }))
  await server.post('/tasks', aTask({ awb: 'FOUR', address: { ...pipera, address: 'Soseaua Pipera 4 Bucuresti' } }))

  assert.deepEqual(await awbs(server, { customerId: task.customerId }), ['ONE', 'THREE'])
  assert.deepEqual(await awbs(server, { phone: '0712 345 678' }), ['ONE', 'TWO', 'THREE'])
  assert.deepEqual(await awbs(server, { address: pipera.address }), ['ONE', 'FOUR'])
  assert.deepEqual(await awbs(server, { address: pipera.address, phone: '0712345678' }), ['ONE'])
  assert.deepEqual(await awbs(server, { address: '—' }), [])
  const { status, body } = await server.get('/tasks?phone=12')
  assert.deepEqual([status, body.error.field, body.error.code], [400, 'phone', 'INVALID_PHONE'])
})

test('a task is found by what it says now, and not by what it said before', async (t) => {
  const server = await startServer(t)
  const { task } = (await server.post('/tasks', aTask({ awb: 'OLD-1', customer: stefan, address: pipera }))).body
  await server.put('/tasks/awb/OLD-1', { awb: 'NEW-1', customer: { name: 'Maria Pop' } })
  await server.put('/tasks/awb/NEW-1', { address: { address: 'Calea Victoriei 1' } })

  for (const q of ['old-1', 'stefan', 'pipera']) assert.deepEqual(await awbs(server, { q }), [], q)
  assert.deepEqual(await awbs(server, { q: 'new-1 maria victoriei' }), ['NEW-1'])

  await server.delete('/tasks/awb/NEW-1')
  assert.deepEqual(await wordsOf(server, task.id), [], 'and what is deleted leaves nothing behind')
})

test('after an erasure nothing personal can be searched for, but the number still can', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const { task } = (
    await server.post(
      '/tasks',
      aTask({ awb: 'GONE-1', customer: stefan, address: pipera, details: 'Parfum', userId: driver.id }),
    )
  ).body
  await server.put('/tasks/awb/GONE-1/forceComplete', {})
  assert.equal((await server.post('/erasures', { phone: stefan.phone })).status, 200)

  assert.deepEqual(await wordsOf(server, task.id), ['1', '<1enog', 'gone', 'gone1'])
  assert.deepEqual(await awbs(server, { q: 'gone-1' }), ['GONE-1'])
})

test('tasks of an earlier version are found after the first round', async (t) => {
  const server = await startServer(t)
  const { database, organisationId } = server
  const { task } = (await server.post('/tasks', aTask({ awb: 'EARLY-1', customer: stefan }))).body
  const words = await wordsOf(server, task.id)
  await database.everyone.run(sql`delete from task_words where organisation_id = ${organisationId}`)
  await server.makeRound('search words')
  assert.deepEqual(await wordsOf(server, task.id), [], 'what was just created may still be on its way')

  await database.everyone.run(sql`
    update tasks set created_at = created_at - interval '1 hour' where organisation_id = ${organisationId}`)
  await server.makeRound('search words')
  await server.makeRound('search words')
  assert.deepEqual(await wordsOf(server, task.id), words)
})

test('a search finds the same tasks whether its words are rare or common, together or apart', async (t) => {
  const server = await startServer(t)
  const { organisationId } = server
  const maker = (at: number) =>
    aTask({ awb: `C-${at}`, customer: { name: at % 2 ? 'Ana Pop' : 'Dan Pop' }, details: at === 7 ? 'Fragile' : 'Box' })
  await server.post('/tasks/bulkCreate', { tasks: Array.from({ length: 60 }, (_, at) => maker(at)) })
  const db = server.database.of(organisationId)
  const count = async (q: string, most?: number) => {
    const condition = await matching(db, organisationId, readSearch(q), false, most)
    return db.run(sql`select id from tasks t where t.organisation_id = ${organisationId} and ${condition}`)
  }
  const searches = { pop: 60, 'ana box': 29, 'dan pop box': 30, 'ana fragile': 1, 'dan fragile': 0, 'ana dan': 0 }
  for (const [q, wanted] of Object.entries(searches))
    assert.deepEqual([await count(q), await count(q, 0)], [wanted, wanted], q)
})

test('a search uses its indexes behind row-level security', async (t) => {
  const server = await startServer(t)
  for (let bulk = 0; bulk < 3; bulk += 1) {
    const phoneOf = (at: number) => `0712${String(1_000 * bulk + at).padStart(6, '0')}`
    const tasks = Array.from({ length: 1_000 }, (_, at) => aTask({ customer: { ...stefan, phone: phoneOf(at) } }))
    await server.post('/tasks/bulkCreate', { tasks })
  }
  await server.post('/tasks', aTask({ awb: 'RARE-7', customer: { name: 'Zamfira Ionescu', phone: '0799000111' } }))
  const owner = await connectAsOwner(server.config.databaseUrl as string, 'test')
  await owner.query('vacuum analyze task_words, tasks, customers')
  await owner.end()
  // As a request sees the database: with the rights of one organisation.
  const db = server.database.of(server.organisationId)
  const [{ role }] = (await db.many<{ role: string }>(sql`
    select case when rolbypassrls or rolsuper then 'unbound' else 'bound' end as role from pg_roles where rolname = current_user`)) as [
    { role: string },
  ]
  assert.equal(role, 'bound')
  const planOf = async (q: string, filter: object = {}) => {
    const plan: string[] = []
    const explaining = {
      ...db,
      async many(statement: Sql) {
        const lines = await db.many<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
        plan.push(...lines.map((line) => line['QUERY PLAN']))
        return db.many(statement)
      },
    } as unknown as Db
    const terms = q ? readSearch(q) : undefined
    const ids = await listTaskIds(
      explaining,
      server.organisationId,
      { terms, ...filter },
      { id: 0, isNewestFirst: false },
      51,
    )
    return { text: plan.join('\n'), count: ids.length }
  }

  const rare = await planOf('zamfira')
  assert.equal(rare.count, 1)
  assert.match(rare.text, /task_words_word/)
  assert.doesNotMatch(rare.text, /Seq Scan on (tasks|task_words)/)
  const both = await planOf('stefan turcanu')
  assert.equal(both.count, 51)
  assert.doesNotMatch(both.text, /Seq Scan on task_words/)
  for (const filter of [{ phone: '+40799000111' }, { address: '@strada lipscani 12' }, { customerId: 1 }]) {
    const { text } = await planOf('', filter)
    assert.doesNotMatch(text, /Seq Scan on (task_words|customers)/, JSON.stringify(filter))
  }
})
