import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask } from '../../test/factories.ts'
import { startServer } from '../../test/server.ts'
import { lockDrivers } from './drivers.ts'
import { lockTasks, lockTasksByAwb } from './lock.ts'
import { listAllEvents, listWithTimelines } from './timeline.ts'
import { viewTasks } from './view.ts'

test('what reads or locks one task is planned once for a connection, not for every call', async (t) => {
  const server = await startServer(t)
  const tasks = Array.from({ length: 300 }, (_, n) => aTask({ awb: `A-${n}` }))
  const { body } = await server.post('/tasks/bulkCreate', { tasks })
  const [first] = body.results
  const { id: taskId, ownerId: id } = first.data

  const plans = await server.database.everyone.transaction(async (db) => {
    // The databases of tests keep every plan.
    await db.run(sql`set local plan_cache_mode = auto`)
    for (let n = 0; n < 20; n += 1) {
      await viewTasks(db, id, [taskId + n])
      await listWithTimelines(db, id, 'awb', [`A-${n}`])
      await listAllEvents(db, id, [taskId + n])
      await lockTasks(db, id, [taskId + n])
      await lockTasksByAwb(db, id, [`A-${n}`])
      await lockDrivers(db, id, [n])
    }
    return db.many<{ statement: string; custom: number; generic: number }>(sql`
      select statement, custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements
      where custom_plans + generic_plans >= 20`)
  })

  const planned = (part: string) => plans.filter(({ statement }) => statement.includes(part))
  for (const part of ['row_to_json(a)', 'from events', 'awb = any', 'id = any', 'from users', 'u.in_shift'])
    assert.ok(planned(part).length > 0, part)
  // With the first five PostgreSQL finds out what planning for the values is worth.
  assert.deepEqual(
    plans.filter(({ custom }) => custom > 5),
    [],
  )
})
