import type { Client } from 'pg'
import { InTransit, Succeeded } from '../core/task-status.ts'
import { triggers } from '../core/triggers.ts'
import { columnList } from '../server/db/table.ts'
import { events } from '../server/events/record.ts'
import { addresses, customers, tasks } from '../server/tasks/tables.ts'
import { makeDrivers, type Stage } from './stage.ts'

/*
 * Years of work in minutes: rows copied by SQL from one that the API has written. The last tasks are open, all others
 * ended; there is one task every 30 seconds, the last one now.
 */

const drivers = 100
export const openTasks = 500
const secondsApart = 30

/** What differs from the sample, by column; `n` counts the tasks from 1. */
type Differences = Record<string, string>

const likeSample = (columns: object, differences: Differences) => {
  const names = Object.keys(columns).filter((name) => differences[name] !== 'default')
  return { names: columnList(names).text, values: names.map((name) => differences[name] ?? `s.${name}`).join(', ') }
}

export async function fill(stage: Stage, count: number) {
  const { client, organisationId } = stage
  const driverIds = await makeDrivers(stage, drivers)
  const { rows } = await client.query<{ id: string }>('select max(id) as id from tasks')
  const sampleId = Number(rows[0]!.id)
  // Foreign keys hold because of how the rows are made; checking a million of them takes longer than writing them.
  await client.query('set session_replication_role = replica')
  await client.query('set synchronous_commit = off')

  const isOpen = `n > ${count - openTasks}`
  const createdAt = `now() - make_interval(secs => ${secondsApart}::float8 * (${count} - n))`
  const driverId = `(array[${driverIds}])[n % ${drivers} + 1]`
  const status = `case when not ${isOpen} then ${Succeeded} + (n % 33 = 0)::int
    when n % 50 = 0 then ${InTransit} when n % 5 > 1 then 1 else 6 end`
  const hasDriver = `not (${isOpen} and n % 5 > 1 and n % 50 > 0)`
  const id = `${sampleId} + n`

  await insertLike(client, 'customers', customers.columns, {
    differences: { id: `1000000 + n`, name: `'Customer ' || n`, phone: `'+407' || (10000000 + n)` },
    count: Math.ceil(count / 10),
  })
  await insertLike(client, 'tasks', tasks.columns, {
    differences: {
      id,
      awb: `'G-' || n`,
      uuid: `replace(gen_random_uuid()::text, '-', '')`,
      status_id: status,
      user_id: `case when ${hasDriver} then ${driverId} end`,
      customer_id: `1000000 + (n % ${Math.ceil(count / 10)}) + 1`,
      route_position: `case when ${hasDriver} then n / ${drivers} + 1 end`,
      last_sequence: `case when ${isOpen} then 1 else 3 end`,
      created_at: createdAt,
      updated_at: `least(now() - interval '2 hours', ${createdAt} + interval '1 hour')`,
      completed_at: `case when not ${isOpen} then ${createdAt} + interval '1 hour' end`,
      planned_at: 'default',
    },
    count,
  })
  await insertLike(client, 'addresses', addresses.columns, { differences: { id, task_id: id }, count })

  // Created for a driver and completed: three events, two snapshots. An open one was only created.
  const { rows: counters } = await client.query<{ last: string }>(
    'select last_event_id as last from event_counters where organisation_id = $1',
    [organisationId],
  )
  const last = Number(counters[0]!.last)
  const eventOf = (sequence: number, snapshot: number, trigger: keyof typeof triggers, condition: string) =>
    insertLike(client, 'events', events.columns, {
      differences: {
        id: `${last} + n * 3 - 3 + ${sequence}`,
        task_id: id,
        sequence: String(sequence),
        trigger_id: String(triggers[trigger].id),
        snapshot_id: `${last} + n * 3 - 3 + ${snapshot}`,
        task: sequence === snapshot ? 's.task' : 'null',
        awb: `'G-' || n`,
        user_id: driverId,
        occurred_at: createdAt,
        recorded_at: createdAt,
      },
      count,
      condition,
    })
  await eventOf(1, 1, 'TASK_CREATED', 'true')
  await eventOf(2, 1, 'TASK_ASSIGNED', `not ${isOpen}`)
  await eventOf(3, 3, 'TASK_COMPLETE', `not ${isOpen}`)

  // The tasks the samples were taken from become the oldest.
  await client.query(
    `update tasks set created_at = created_at - make_interval(secs => $1), updated_at = updated_at - make_interval(secs => $1)
     where awb not like 'G-%'`,
    [secondsApart * count],
  )
  await client.query(`select setval('tasks_id_seq', $1)`, [sampleId + count])
  await client.query(`select setval('customers_id_seq', 3000000)`)
  await client.query('update event_counters set last_event_id = $2 where organisation_id = $1', [
    organisationId,
    last + 3 * count,
  ])
  await client.query('reset session_replication_role')
  await client.query('vacuum analyze')
}

interface Rows {
  differences: Differences
  count: number
  condition?: string
}

async function insertLike(
  client: Client,
  table: string,
  columns: object,
  { differences, count, condition = 'true' }: Rows,
) {
  const { names, values } = likeSample(columns, differences)
  await client.query(
    `insert into ${table} (${names}) overriding system value
     select ${values}
     from (select * from ${table} order by ${table === 'addresses' ? 'task_id' : 'id'} desc limit 1) s, generate_series(1, ${count}) n
     where ${condition}`,
  )
}
