import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { triggers } from '../../../core/triggers.ts'
import { connectAsOwner } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import { aTask } from '../../test/factories.ts'
import { startReceiver } from '../../test/receiver.ts'
import { startServer } from '../../test/server.ts'
import { createStore } from './store.ts'

test('a plan made while the queue was empty still uses the index when it is full', async (t) => {
  const { database, config, organisationId, post } = await startServer(t, { WAYBILL_ROLE: 'api' })
  const { hasty, everyone } = database
  const store = createStore(hasty)
  await post('/tasks/bulkCreate', { tasks: Array.from({ length: 300 }, () => aTask()) })
  // Without this PostgreSQL does not know that the table is empty; for an empty table it prefers a sequential scan.
  const owner = await connectAsOwner(config.databaseUrl as string, 'test')
  await owner.query('vacuum analyze deliveries')
  await owner.end()
  assert.deepEqual(await store.claim(randomUUID(), 100, new Map(), []), [])
  await everyone.run(sql`
    with receiver as (
      insert into receivers (organisation_id, url, secret) values (${organisationId}, 'http://127.0.0.1:1/', 'none')
      returning id
    ), listening as (
      insert into webhooks (organisation_id, receiver_id, trigger_id, verification)
      select ${organisationId}, id, 4, 'off' from receiver
      returning id, receiver_id
    )
    insert into deliveries (organisation_id, webhook_id, event_id, receiver_id, task_id, sequence)
    select e.organisation_id, l.id, e.id, l.receiver_id, e.task_id, e.sequence
    from events e, listening l where e.organisation_id = ${organisationId}`)
  const readsOfAll = async () => {
    await hasty.run(sql`select pg_stat_force_next_flush()`)
    const stats = sql`select seq_scan as times from pg_stat_user_tables where relname = 'deliveries'`
    return (await everyone.get<{ times: number }>(stats)).times
  }
  const before = await readsOfAll()

  const claimed = await store.claim(randomUUID(), 100, new Map([[1, 32]]), [])
  await store.renew(claimed)
  await store.release(claimed)

  assert.ok(claimed.length > 0)
  assert.equal(await readsOfAll(), before)
})

test('a process that was too late to renew does not take from itself, but another one takes it over', async (t) => {
  const { database, organisationId, post } = await startServer(t, { WAYBILL_ROLE: 'api' })
  const store = createStore(database.hasty)
  const receiver = await startReceiver(t)
  await post('/webHooks', { url: receiver.url, trigger: triggers.TASK_CREATED.id })
  await post('/tasks', aTask())
  const claim = async (ours: string[]) =>
    (await store.claim(randomUUID(), 100, new Map(), ours)).filter((one) => one.organisation_id === organisationId)
  const [first] = await claim([])
  assert.ok(first)
  await database.everyone.run(sql`
    update deliveries set due_at = now() - interval '1 second' where organisation_id = ${organisationId}`)

  assert.deepEqual(await claim([randomUUID(), first.claim]), [])
  assert.deepEqual(
    (await claim([randomUUID()])).map(({ event_id }) => event_id),
    [first.event_id],
  )
})
