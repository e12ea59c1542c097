import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as rules from '../../../core/arrival.ts'
import { Assigned, Failed, InTransit, isOpen, type StatusId, Succeeded, Unassigned } from '../../../core/task-status.ts'
import { sql } from '../../db/sql.ts'
import { startServer } from '../../test/server.ts'
import { expectedAt, hasArrived, isOverdue } from './conditions.ts'

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const [earlier, soon, later] = [inHours(-1), inHours(1), inHours(2)]

interface Row {
  status_id: StatusId
  user_id: number
  driver_arrived: boolean
  arrived_at: string | null
  eta_at: string | null
  route: { arrivalTime: string } | null
  complete_before: string | null
}
const row = (changes: Partial<Row>): Row => ({
  status_id: Assigned,
  user_id: 1,
  driver_arrived: false,
  arrived_at: null,
  eta_at: null,
  route: null,
  complete_before: null,
  ...changes,
})

const rows: Row[] = [
  row({}),
  ...([Unassigned, Assigned, InTransit, Succeeded, Failed] as const).flatMap((status_id) => [
    row({ status_id, complete_before: earlier }),
    row({ status_id, complete_before: soon }),
  ]),
  row({ status_id: InTransit, driver_arrived: true }),
  row({ status_id: InTransit, arrived_at: earlier }),
  row({ status_id: InTransit, driver_arrived: true, arrived_at: earlier, eta_at: soon }),
  row({ eta_at: soon }),
  row({ route: { arrivalTime: later } }),
  row({ eta_at: soon, route: { arrivalTime: later } }),
]

test('what SQL says about arrivals and late tasks is what core says', async (t) => {
  const { database } = await startServer(t)
  const found = await database.everyone.many<{
    has_arrived: boolean
    expected_at: Date | null
    is_overdue: boolean
  }>(sql`
    select ${hasArrived} as has_arrived, ${expectedAt} as expected_at, coalesce(${isOverdue}, false) as is_overdue
    from jsonb_to_recordset(${JSON.stringify(rows.map((one, at) => ({ ...one, at })))}::jsonb)
      as t(at int, status_id int, driver_arrived boolean, arrived_at timestamptz, eta_at timestamptz, route jsonb,
        complete_before timestamptz)
    order by t.at`)
  assert.equal(found.length, rows.length)
  for (const [at, { has_arrived, expected_at, is_overdue }] of found.entries()) {
    const { status_id, driver_arrived, arrived_at, eta_at, route, complete_before } = rows[at] as Row
    const task = {
      statusId: status_id,
      driverArrived: driver_arrived,
      arrivalTime: arrived_at,
      etaAt: eta_at,
      route,
      completeBefore: complete_before,
      completedAt: null,
    }
    const says = JSON.stringify(rows[at])
    assert.equal(has_arrived, rules.hasArrived(task), says)
    assert.equal(is_overdue, isOpen(task) && rules.isDelayed(task, Date.now()), says)
    // It is asked only while the driver is awaited.
    if (rules.isAwaited(task)) assert.equal(expected_at?.toISOString() ?? null, rules.expectedAt(task), says)
  }
})
