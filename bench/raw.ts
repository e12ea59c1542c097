import type pg from 'pg'
import { type Sql, sql } from '../server/db/sql.ts'
import { columnList, unnest } from '../server/db/table.ts'
import { type EventRow, events } from '../server/events/record.ts'
import { type AddressRow, addresses, type TaskRow, tasks } from '../server/tasks/tables.ts'

/* The limit for creating: the rows that the API writes for a task, written by one statement and nothing else. */

/** The rows of a task created by the API. */
export interface Sample {
  organisationId: number
  task: TaskRow
  address: AddressRow
  event: EventRow
  /** By which it is found. */
  words: string[]
}

export async function readSample(client: pg.Client, organisationId: number): Promise<Sample> {
  const newest = async <Found extends object>(table: string, key: string) =>
    (
      await client.query<Found>(`select * from ${table} where organisation_id = $1 order by ${key} desc limit 1`, [
        organisationId,
      ])
    ).rows[0]!
  const task = await newest<TaskRow>('tasks', 'id')
  const { rows } = await client.query<{ word: string }>(
    'select word from task_words where organisation_id = $1 and task_id = $2',
    [organisationId, task.id],
  )
  return {
    organisationId,
    task,
    words: rows.map(({ word }) => word),
    address: await newest('addresses', 'task_id'),
    event: await newest('events', 'id'),
  }
}

const without = <Name extends string>(columns: Record<Name, unknown>, ...left: Name[]) =>
  (Object.keys(columns) as Name[]).filter((name) => !left.includes(name))

const taskColumns = without(tasks.columns, 'organisation_id', 'id', 'awb', 'uuid', 'planned_at')
const addressColumns = without(addresses.columns, 'organisation_id', 'task_id', 'id')
const eventColumns = without(events.columns, 'organisation_id', 'id', 'task_id', 'snapshot_id', 'awb')

const repeat = <Item>(item: Item, count: number) => Array.from({ length: count }, () => item)

/**
 * Inserts so many rows like these as one set: tasks, addresses, words, events, and the organisation's counter. Without the
 * counter there is no order of events, which the API guarantees, but no transaction waits for another's commit.
 */
export function insertLike({ organisationId, task, address, event, words }: Sample, count: number, counts = true): Sql {
  const numbered = (part: Sql) => sql`select row_number() over () as n, given.* from ${part}`
  const counter = counts
    ? sql`update event_counters set last_event_id = last_event_id + ${count}::int
          where organisation_id = ${organisationId}::bigint
          returning last_event_id - ${count}::int as before`
    : sql`select 1000000000 + currval('tasks_id_seq') - ${count}::int as before from (select max(id) from new_task) done`
  return sql`
    with new_task as materialized (
      select nextval('tasks_id_seq') as id, * from (${numbered(unnest(tasks, taskColumns, repeat(task, count)))}) given
    ), counter as (
      ${counter}
    ), inserted as (
      insert into tasks (organisation_id, id, awb, uuid, ${columnList(taskColumns)})
      overriding system value
      select ${organisationId}::bigint, id, 'R-' || id, gen_random_uuid()::text, ${columnList(taskColumns)} from new_task
    ), placed as (
      insert into addresses (organisation_id, task_id, ${columnList(addressColumns)})
      select ${organisationId}::bigint, t.id, ${columnList(addressColumns, 'given')}
      from new_task t join (${numbered(unnest(addresses, addressColumns, repeat(address, count)))}) given using (n)
    ), worded as (
      insert into task_words (organisation_id, task_id, word)
      select ${organisationId}::bigint, t.id, word from new_task t, unnest(${words}::text[]) as word
    )
    insert into events (organisation_id, id, snapshot_id, task_id, awb, ${columnList(eventColumns)})
    select ${organisationId}::bigint, before + n, before + n, t.id, 'R-' || t.id, ${columnList(eventColumns, 'given')}
    from counter, new_task t join (${numbered(unnest(events, eventColumns, repeat(event, count)))}) given using (n)`
}
