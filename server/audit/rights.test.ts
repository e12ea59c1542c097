import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, openDatabase } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { keepPartitions } from '../db/partitions.ts'
import { raw, sql } from '../db/sql.ts'
import { makeDatabase } from '../test/database.ts'
import { startServer } from '../test/server.ts'
import { itself, recordAudit } from './record.ts'

const inMonths = (days: number) =>
  ({ name: 'audit_log', column: 'at', days, per: 'month', isAppendOnly: true }) as const

/** Everything the server could try, on the table and on each partition. */
async function assertAppendOnly(database: Database, organisationId: number) {
  const db = database.everyone
  await recordAudit(itself, db, organisationId, [{ kind: 'key.revoked', subjectId: 7 }])
  const places = await db.many<{ name: string }>(
    sql`select relid::regclass::text as name from pg_partition_tree('audit_log')`,
  )
  assert.ok(places.length >= 3, 'the table, its default partition and this month')
  for (const { name } of places)
    for (const statement of [`update ${name} set kind = 'x'`, `delete from ${name}`, `truncate ${name}`])
      await assert.rejects(db.run(raw(statement)), { code: '42501' }, statement)
  const lines = await db.many(
    sql`select kind from audit_log where organisation_id = ${organisationId} and subject_id = 7`,
  )
  assert.deepEqual(lines, [{ kind: 'key.revoked' }])
}

test('the server can add to the audit log and read it, and has no right to change it', async (t) => {
  const server = await startServer(t)
  await assertAppendOnly(server.database, server.organisationId)
})

test('so it is if it connects as superuser, and after the next start', async (t) => {
  const { url, drop } = await makeDatabase()
  const superUrl = new URL(process.env['WAYBILL_TEST_ADMIN'] as string)
  superUrl.pathname = new URL(url).pathname
  for (let start = 1; start <= 2; start += 1) {
    const role = await migrate(superUrl.href, () => {})
    assert.equal(role, 'waybill_server')
    await keepPartitions(superUrl.href, [inMonths(365)])
    const database = openDatabase({ url: superUrl.href, role, connections: 1, onIdleError: () => {} })
    await assertAppendOnly(database, start).finally(database.close)
  }
  await drop()
  t.diagnostic('two starts')
})

test('the audit log gets a partition a month, and ageing drops whole months', async (t) => {
  const server = await startServer(t)
  const url = server.config.databaseUrl as string
  const db = server.database.everyone
  const write = (at: string) =>
    db.run(sql`
      insert into audit_log (organisation_id, at, kind, actor_type, subject_type, changes, count)
      values (${server.organisationId}, ${at}, 'key.revoked', 'SYSTEM', 'key', '[]', 1)`)
  const months = async () =>
    (
      await db.many<{ place: string }>(sql`
        select distinct tableoid::regclass::text as place from audit_log
        where organisation_id = ${server.organisationId} and at < '2022-01-01' order by 1`)
    ).map(({ place }) => place)

  // No process made partitions for them: they are found in the default one, and move.
  for (const at of ['2021-01-31 23:59Z', '2021-02-01 00:00Z', '2021-12-31 23:59Z']) await write(at)
  assert.deepEqual(await months(), ['audit_log_default'])
  await keepPartitions(url, [inMonths(365)], new Date('2021-12-30T12:00:00Z'))
  assert.deepEqual(await months(), ['audit_log_202101', 'audit_log_202102', 'audit_log_202112'])

  // A month stays as long as one of its days is young enough.
  await keepPartitions(url, [inMonths(365)], new Date('2022-01-31T12:00:00Z'))
  assert.deepEqual(await months(), ['audit_log_202101', 'audit_log_202102', 'audit_log_202112'])
  await keepPartitions(url, [inMonths(365)], new Date('2022-02-01T12:00:00Z'))
  assert.deepEqual(await months(), ['audit_log_202102', 'audit_log_202112'])
  await keepPartitions(url, [inMonths(365)])
  assert.deepEqual(await months(), [])
  await assertAppendOnly(server.database, server.organisationId)
})
