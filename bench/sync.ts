import { randomUUID } from 'node:crypto'
import { Assigned, InTransit, Succeeded } from '../core/task-status.ts'
import { triggers } from '../core/triggers.ts'
import { type Sql, sql } from '../server/db/sql.ts'
import { columnList, unnest } from '../server/db/table.ts'
import { type EventRow, events } from '../server/events/record.ts'
import { type OpRow, ops } from '../server/field/sync/queries.ts'
import type { Request, Statement } from './load.ts'
import { compare, keepResults } from './measure.ts'
import { createMany } from './requests.ts'
import { call, makePhones, type Phone, type Stage, withStage } from './stage.ts'

/*
 * Phones that come back to the network, all at once: each sends what it has collected in batches, one after the other. The
 * limit is the same ops as SQL: for each one statement, which is one transaction, that writes the rows the API writes
 * (the task, the event with its snapshot and its number, the remembered op, a note) and neither reads nor decides.
 */

const rounds = 4
const phones = 64
const opsInBatch = 20
const batches = 1
const visit = ['accept', 'start', 'arrive', 'note', 'complete'] as const
const tasksOfPhone = (batches * opsInBatch) / visit.length

export async function run(args: string[]) {
  const results: Record<string, unknown> = {}
  await withStage('Sync', rounds, async (stage) => {
    const drivers = await makePhones(stage, phones)
    const title = `POST /driver/sync, ${phones} phones, ${opsInBatch} ops a batch`
    // The rows of the API are the sample for SQL.
    await viaApi(stage, drivers)
    results['sync'] = await compare(title, 'ops/s', 'one statement an op', rounds, {
      'one statement an op': () => viaSql(stage, drivers),
      waybill: () => viaApi(stage, drivers),
    })
  })
  if (args.includes('--keep')) await keepResults('sync', results)
}

let made = 0

/** New tasks for every phone, in the order of the phones. */
async function giveTasks(stage: Stage, phones: Phone[]): Promise<number[][]> {
  const ids: number[][] = []
  for (const { driverId } of phones) {
    const body = createMany(tasksOfPhone).body!.replaceAll('{next}', `sync-${++made}`)
    const { results } = await call(stage, 'POST', `/drivers/${driverId}/tasks/bulkCreate`, body)
    ids.push(results.map(({ data }: { data: { id: number } }) => data.id))
  }
  await stage.client.query('vacuum analyze')
  return ids
}

const opsOf = (taskIds: number[]) =>
  taskIds.flatMap((taskId) =>
    visit.map((type) => ({
      opId: randomUUID(),
      type,
      taskId,
      occurredAt: new Date().toISOString(),
      lat: 44.4323,
      lng: 26.1004,
      ...(type === 'note' && { note: 'Left with the neighbour' }),
    })),
  )

async function viaApi(stage: Stage, phones: Phone[]): Promise<number> {
  const tasks = await giveTasks(stage, phones)
  const lists = phones.map(({ token }, place) => {
    const all = opsOf(tasks[place]!)
    const requests = Array.from({ length: batches }, (_, batch): Request => {
      const ops = all.slice(batch * opsInBatch, (batch + 1) * opsInBatch)
      const body = JSON.stringify({ deviceTime: new Date().toISOString(), ops })
      return { method: 'POST', path: '/api/v1/driver/sync', body }
    })
    return { key: token, requests }
  })
  const { perSecond, statuses } = await stage.load.work({ url: stage.api.url, lists })
  if (statuses[200] !== phones.length * batches) throw new Error(`Answers: ${JSON.stringify(statuses)}`)
  await requireDone(stage, tasks)
  return perSecond * opsInBatch
}

/** A number counts only if all of it was done. */
async function requireDone({ client }: Stage, tasks: number[][]) {
  const { rows } = await client.query('select count(*)::int as done from tasks where id = any($1) and status_id = $2', [
    tasks.flat(),
    Succeeded,
  ])
  if (rows[0].done !== tasks.flat().length) throw new Error(`Only ${rows[0].done} tasks are done`)
}

async function viaSql(stage: Stage, phones: Phone[]): Promise<number> {
  const tasks = await giveTasks(stage, phones)
  const sample = await readSample(stage)
  const lists = phones.map(({ driverId }, place) =>
    opsOf(tasks[place]!).map((op): Statement => {
      const { text, values } = writeOp(stage.organisationId, driverId, op, sample)
      return { text, values }
    }),
  )
  const { databaseUrl, organisationId } = stage
  const { perSecond } = await stage.load.work({ databaseUrl, organisationId, lists })
  await requireDone(stage, tasks)
  return perSecond
}

interface Sample {
  event: EventRow
  op: OpRow
}

async function readSample({ client }: Stage): Promise<Sample> {
  const one = async (text: string) => (await client.query(text)).rows[0]
  return {
    event: await one(`select * from events where trigger_id = ${triggers.TASK_START.id} order by id desc limit 1`),
    op: await one('select * from ops order by recorded_at desc limit 1'),
  }
}

const statusAfter = { accept: Assigned, start: InTransit, arrive: InTransit, note: InTransit, complete: Succeeded }

const without = <Name extends string>(columns: Record<Name, unknown>, ...left: Name[]) =>
  (Object.keys(columns) as Name[]).filter((name) => !left.includes(name))
const eventColumns = without(
  events.columns,
  'organisation_id',
  'id',
  'snapshot_id',
  'task_id',
  'sequence',
  'recorded_at',
)
const opColumns = without(ops.columns, 'organisation_id', 'user_id', 'op_id', 'type', 'task_id', 'recorded_at')

function writeOp(
  organisationId: number,
  driverId: number,
  { opId, type, taskId }: ReturnType<typeof opsOf>[number],
  { event, op }: Sample,
): Sql {
  const noted = sql`, noted as (
      insert into notes (organisation_id, task_id, user_id, type, note)
      values (${organisationId}::bigint, ${taskId}::bigint, ${driverId}::bigint, 1, 'Left with the neighbour')
    )`
  return sql`
    with changed as (
      update tasks set status_id = ${statusAfter[type]}::smallint, started_at = now(), updated_at = now(),
        last_sequence = last_sequence + 1
      where organisation_id = ${organisationId}::bigint and id = ${taskId}::bigint
      returning last_sequence
    ), remembered as (
      insert into ops (organisation_id, user_id, op_id, type, task_id, recorded_at, ${columnList(opColumns)})
      select ${organisationId}::bigint, ${driverId}::bigint, ${opId}, ${type}, ${taskId}::bigint, now(), given.*
      from ${unnest(ops, opColumns, [op])}
    )${type === 'note' ? noted : sql``}, counter as (
      update event_counters set last_event_id = last_event_id + 1
      where organisation_id = ${organisationId}::bigint and (select count(*) from changed) = 1
      returning last_event_id as id
    )
    insert into events (
      organisation_id, id, snapshot_id, task_id, sequence, recorded_at, ${columnList(eventColumns)})
    select ${organisationId}::bigint, counter.id, counter.id, ${taskId}::bigint, last_sequence, now(), given.*
    from counter, changed, ${unnest(events, eventColumns, [event])}`
}
