import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cleanUpOf } from '../test/clean-up.ts'
import { makeDatabase } from '../test/database.ts'
import { type PoolerOptions, startPooler } from '../test/pooler.ts'
import { openDatabase } from './db.ts'
import { migrate } from './migrate.ts'
import { sql } from './sql.ts'

async function start(t: TestContext, options: PoolerOptions, user?: string) {
  const { url, drop } = await makeDatabase()
  cleanUpOf(t).defer(drop)
  const asUser = new URL(url)
  if (user) asUser.username = user
  return startPooler(t, asUser.href, options)
}

const inTransactionMode: Record<string, Omit<PoolerOptions, 'mode'>> = {
  'gives the connection that was used last': {},
  'gives the connection that was used least recently': { takes: 'first' },
  'forgets what was set': { resets: true },
  'forgets what was set, and gives the one used least recently': { resets: true, takes: 'first' },
  'has a single connection': { count: 1 },
  'has a single connection and forgets what was set': { count: 1, resets: true },
}
for (const [what, options] of Object.entries(inTransactionMode))
  test(`a pooler in transaction mode that ${what} is refused at the start, and the sentence says what to set`, async (t) => {
    const url = await start(t, { mode: 'transaction', ...options })
    await assert.rejects(
      migrate(url, () => {}),
      /a pooler in transaction mode, such as PgBouncer .* set pool_mode = session .*, or point to PostgreSQL itself/,
    )
  })

test('through a pooler in session mode everything is set that must be, whatever start-up parameters it refuses', async (t) => {
  const url = await start(t, { mode: 'session' }, 'postgres')
  const role = await migrate(url, () => {})
  const { everyone, of, hasty, close } = openDatabase({ url, role, connections: 2, onIdleError: () => {} })
  cleanUpOf(t).defer(close)
  const set = sql`
    select current_user as role, current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('waybill.organisation') as organisation, current_setting('enable_seqscan') as seqscan`
  const expected = { role: 'waybill_server', statement: '15s', lock: '5s', organisation: '0', seqscan: 'on' }
  assert.deepEqual(await everyone.get(set), expected)
  assert.deepEqual(await of(7).get(set), { ...expected, organisation: '7' })
  assert.deepEqual(await hasty.get(set), { ...expected, statement: '2s', seqscan: 'off' })
})
