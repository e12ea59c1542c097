import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer, type TestServer } from '../test/server.ts'
import { keepPartitions } from './partitions.ts'
import { sql } from './sql.ts'

const attempts = (days: number) => ({ name: 'attempts', column: 'attempted_at', days })

const partitions = async ({ database }: TestServer) =>
  (
    await database.everyone.many<{ name: string }>(sql`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'attempts'::regclass and c.relname <> 'attempts_default' order by 1`)
  ).map(({ name }) => name)

test('every day gets its partition in advance, and loses it when it expires', async (t) => {
  const server = await startServer(t)
  const url = server.config.databaseUrl as string
  const today = await partitions(server)
  assert.equal(today.length, 3, 'made when the server started: today and two days ahead')

  await keepPartitions(url, [attempts(30)], new Date('2020-02-28T23:00:00Z'))
  const leap = ['attempts_20200228', 'attempts_20200229', 'attempts_20200301']
  assert.deepEqual(await partitions(server), [...leap, ...today])
  await server.database.everyone.run(sql`
    insert into attempts (organisation_id, webhook_id, event_id, number, outcome, duration_ms, attempted_at)
    values (${server.organisationId}, 1, 1, 1, 'delivered', 5, '2020-02-29 12:00Z')`)
  const [{ place } = { place: '' }] = await server.database.everyone.many<{ place: string }>(
    sql`select tableoid::regclass::text as place from attempts where organisation_id = ${server.organisationId}`,
  )
  assert.equal(place, 'attempts_20200229')

  await keepPartitions(url, [attempts(30)])
  assert.deepEqual(await partitions(server), today)
})

test('rows in the default partition move to their day when it gets its partition', async (t) => {
  const server = await startServer(t)
  const db = server.database.everyone
  await db.run(sql`
    insert into attempts (organisation_id, webhook_id, event_id, number, outcome, duration_ms, attempted_at)
    select ${server.organisationId}, 1, number, 1, 'delivered', 5, day::timestamptz
    from (values (1, '2021-05-01 00:00Z'), (2, '2021-05-01 23:59Z'), (3, '2021-05-09 00:00Z')) v (number, day)`)
  await keepPartitions(server.config.databaseUrl as string, [attempts(300)], new Date('2021-05-01T12:00:00Z'))
  const found = await db.many<{ event: number; place: string }>(sql`
    select event_id as event, tableoid::regclass::text as place from attempts
    where organisation_id = ${server.organisationId} order by 1`)
  assert.deepEqual(
    found.map(({ event, place }) => [event, place]),
    [
      [1, 'attempts_20210501'],
      [2, 'attempts_20210501'],
      [3, 'attempts_default'],
    ],
  )
  await keepPartitions(server.config.databaseUrl as string, [attempts(30)])
})
