import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../server/db/db.ts'
import { sql } from '../server/db/sql.ts'
import { insertAdmin, insertOrganisation } from '../server/organisations/queries.ts'
import { makeDatabase } from '../server/test/database.ts'
import { runHere } from './test/run-here.ts'

test('waybill check says for every organisation whether money adds up, and ends with 1 if it does not', async (t) => {
  const { url, drop } = await makeDatabase()
  t.after(drop)
  const check = () => runHere({ DATABASE_URL: url }, 'check')
  const database = openDatabase({ url, connections: 1, onIdleError: () => {} })
  const db = database.everyone
  const place = { name: 'Curier', country: 'RO', timezone: 'Europe/Bucharest', currency: 'RON' }
  const { id } = await insertOrganisation(db, place)
  await insertAdmin(db, id, 'Admin')
  const sound = await check()
  assert.deepEqual([sound.code, sound.err], [0, ''])
  assert.match(sound.out, /^Curier: money adds up \(0 payments of drivers, 0 in all; 0 closed days\)$/m)

  await db.run(sql`
    with driver as (
      insert into users (organisation_id, is_driver, name, phone) values (${id}, true, 'Ana', '+40712345678') returning id
    ), line as (
      insert into cash_lines (organisation_id, user_id, day, kind, method, hundredths, counted_by, occurred_at)
      select ${id}, id, '2026-11-16', 'closeOut', 'cash', 500, id, now() from driver returning id, user_id
    )
    insert into cash_close_outs (organisation_id, user_id, day, line_id, cash_hundredths, handed_in_hundredths, closed_at)
    select ${id}, user_id, '2026-11-16', id, 500, 500, now() from line`)
  await database.close()
  const { code, err } = await check()
  assert.equal(code, 1)
  assert.match(err, /Curier: money does not add up: 1 closed days no longer come to what they were closed with/)
})
