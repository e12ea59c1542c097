import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../db/db.ts'
import { migrate } from '../../db/migrate.ts'
import { sql } from '../../db/sql.ts'
import { aTask } from '../../test/factories.ts'
import { startServer } from '../../test/server.ts'
import { lockDrivers } from './drivers.ts'
import { listWithTimelines } from './timeline.ts'
import { viewTasks } from './view.ts'

test('what reads a task with all that belongs to it is planned once for a connection, not for every call', async (t) => {
  const server = await startServer(t)
  const tasks = Array.from({ length: 300 }, (_, n) => aTask({ awb: `A-${n}` }))
  const { body } = await server.post('/tasks/bulkCreate', { tasks })
  const [first] = body.results
  const { id: taskId, ownerId: id } = first.data

  // A connection of its own, on which nothing else was planned.
  const url = server.config.databaseUrl as string
  const database = openDatabase({ url, role: await migrate(url, () => {}), connections: 1, onIdleError: () => {} })
  t.after(database.close)
  const db = database.of(id)
  // The databases of tests keep every plan.
  await db.run(sql`set plan_cache_mode = auto`)
  for (let n = 0; n < 20; n += 1) {
    await viewTasks(db, id, [taskId + n])
    await listWithTimelines(db, id, 'awb', [`A-${n}`])
    await lockDrivers(db, id, [n])
  }

  const plans = await db.many<{ statement: string; custom: number }>(sql`
    select statement, custom_plans::int as custom from pg_prepared_statements
    where statement like '%as wanted%' and custom_plans + generic_plans = 20`)
  assert.equal(plans.length, 3)
  // With the first five PostgreSQL finds out what planning for the values is worth.
  assert.deepEqual(
    plans.filter(({ custom }) => custom > 5),
    [],
  )
})
