import { randomUUID } from 'node:crypto'
import { Succeeded } from '../core/task-status.ts'
import { raw, sql } from '../server/db/sql.ts'
import { columnList, unnest } from '../server/db/table.ts'
import { type EventRow, events } from '../server/events/record.ts'
import { type OpRow, ops } from '../server/field/sync/queries.ts'
import type { Request, Statement } from './load.ts'
import { compare, keepResults, quantile } from './measure.ts'
import { processorTimes } from './processes.ts'
import { createMany, createOne } from './requests.ts'
import { call, key, makePhones, type Phone, type Stage, withStage } from './stage.ts'

/*
 * Phones that come back to the network, all at once: each sends what it has collected. The limit is the same rows as SQL, in
 * sets of one batch: for each batch one statement, which is one transaction, that writes the rows the API writes (the tasks,
 * the events with their snapshots and numbers, the remembered ops, the notes) and neither reads nor decides.
 *
 * And what those notice who have little to send, while two hundred phones come back after an hour.
 */

const rounds = 4
const phones = 64
const opsInBatch = 20
const visit = ['accept', 'start', 'arrive', 'note', 'complete'] as const
const tasksOfBatch = opsInBatch / visit.length
/** Of the hour without a network. */
const returning = { phones: 200, ops: 100 }

export async function run(args: string[]) {
  const results: Record<string, unknown> = {}
  await withStage('Sync', rounds, async (stage) => {
    const drivers = await makePhones(stage, returning.phones + 4)
    const some = drivers.slice(0, phones)
    const title = `POST /driver/sync, ${phones} phones, ${opsInBatch} ops a batch`
    // The rows of the API are the sample for SQL.
    await viaApi(stage, some)
    if (!args.includes('return'))
      results['sets'] = await compare(title, 'ops/s', 'sets of one batch', rounds, {
        'sets of one batch': () => viaSql(stage, some),
        waybill: () => viaApi(stage, some),
      })
    results['return'] = await comeBack(stage, drivers)
  })
  if (args.includes('--keep')) await keepResults('sync', results)
}

let made = 0

/** New tasks for every phone, in the order of the phones. */
async function giveTasks(stage: Stage, phones: Phone[], count = tasksOfBatch): Promise<number[][]> {
  const ids: number[][] = []
  for (const { driverId } of phones) {
    const body = createMany(count).body!.replaceAll('{next}', `sync-${++made}`)
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

const syncOf = (taskIds: number[], cursor: string): Request => {
  const body = JSON.stringify({ deviceTime: new Date().toISOString(), cursor, ops: opsOf(taskIds) })
  return { method: 'POST', path: '/api/v1/driver/sync', body }
}

async function viaApi(stage: Stage, phones: Phone[]): Promise<number> {
  const tasks = await giveTasks(stage, phones)
  return send(stage, phones, tasks)
}

/** Every phone sends all it has in one batch. */
async function send(stage: Stage, phones: Phone[], tasks: number[][]): Promise<number> {
  const cursors = await receiveAll(stage, phones)
  const lists = phones.map(({ token }, place) => ({ key: token, requests: [syncOf(tasks[place]!, cursors[place]!)] }))
  const before = processorTimes(stage)
  const { perSecond, statuses } = await stage.load.work({ url: stage.api.url, lists })
  const after = processorTimes(stage)
  if (statuses[200] !== phones.length) throw new Error(`Answers: ${JSON.stringify(statuses)}`)
  await requireDone(stage, tasks)
  const count = tasks.flat().length * visit.length
  const each = (name: 'node' | 'postgres') => ((after[name] - before[name]) / count).toFixed(2)
  console.log(`processor time of an op: node ${each('node')} ms, PostgreSQL ${each('postgres')} ms`)
  return (perSecond * count) / phones.length
}

/** Every phone has its tasks before it loses the network. Returns where each is in the log. */
async function receiveAll(stage: Stage, phones: Phone[]): Promise<string[]> {
  const cursors: string[] = []
  for (const { token } of phones) cursors.push(await sync(stage, token, []))
  return cursors
}

/** Two hundred phones send a hundred ops each, while four others have three to send, and the office reads and creates. */
async function comeBack(stage: Stage, drivers: Phone[]) {
  const many = drivers.slice(0, returning.phones)
  const few = drivers.slice(returning.phones)
  const tasks = await giveTasks(stage, many, returning.ops / visit.length)
  const fewTasks = await giveTasks(stage, few, 400)
  let isOver = false
  const timesOf = async (ask: (turn: number) => Promise<unknown>) => {
    const tookMs: number[] = []
    for (let turn = 0; !isOver; turn += 1) {
      const begun = performance.now()
      await ask(turn)
      tookMs.push(performance.now() - begun)
    }
    return tookMs
  }
  const cursors = await receiveAll(stage, few)
  const few3 = few.map(({ token }, place) =>
    timesOf(async (turn) => {
      const ops = opsOf([fewTasks[place]![turn % 400]!]).slice(0, 3)
      cursors[place] = await sync(stage, token, ops, cursors[place])
    }),
  )
  const read = timesOf((turn) => get(stage, `/tasks/${fewTasks[0]![turn % 400]}`))
  const create = timesOf(() =>
    call(stage, 'POST', '/tasks', createOne[0]!.body!.replaceAll('{next}', `back-${++made}`)),
  )
  const opsPerSecond = await send(stage, many, tasks).finally(() => {
    isOver = true
  })
  const tell = (name: string, tookMs: number[]) => {
    const [p50, p99, most] = [quantile(tookMs, 0.5), quantile(tookMs, 0.99), Math.max(...tookMs)]
    const [half, nearly, all] = [p50, p99, most].map((ms) => `${ms.toFixed(0)} ms`)
    console.log(`| ${name} | ${tookMs.length} | ${half} | ${nearly} | ${all} |`)
    return { count: tookMs.length, p50Ms: p50, p99Ms: p99 }
  }
  console.log(
    `\n### ${returning.phones} phones come back with ${returning.ops} ops each: ${opsPerSecond.toFixed(0)} ops/s`,
  )
  console.log('\n| meanwhile | requests | p50 | p99 | longest |\n|---|---:|---:|---:|---:|')
  return {
    opsPerSecond,
    three: tell('a phone with 3 ops', (await Promise.all(few3)).flat()),
    read: tell('GET /tasks/:taskId', await read),
    create: tell('POST /tasks', await create),
  }
}

/** Returns the new cursor. An answer in parts is received to its end. */
async function sync({ api }: Stage, token: string, ops: object[], cursor: string | null = null): Promise<string> {
  const headers = { authorization: token, 'content-type': 'application/json' }
  const body = JSON.stringify({ deviceTime: new Date().toISOString(), cursor, ops })
  const answer = await fetch(`${api.url}/api/v1/driver/sync`, { method: 'POST', headers, body })
  const { results, changes, ...said } = (await answer.json()) as {
    results?: { success: boolean }[]
    changes: { more?: boolean }
    cursor: string
  }
  if (!results?.every(({ success }) => success)) throw new Error(`/driver/sync answered ${answer.status}`)
  return changes.more ? sync({ api } as Stage, token, [], said.cursor) : said.cursor
}

async function get({ api }: Stage, path: string) {
  const answer = await fetch(`${api.url}/api/v1${path}`, { headers: { authorization: key } })
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  await answer.text()
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
  const lists = phones.map(({ driverId }, place): Statement[] => {
    const { text, values } = writeBatch(stage.organisationId, driverId, tasks[place]!, sample)
    return [{ text, values }]
  })
  const { databaseUrl, organisationId } = stage
  const { perSecond } = await stage.load.work({ databaseUrl, organisationId, lists })
  await requireDone(stage, tasks)
  return perSecond * opsInBatch
}

interface Sample {
  /** Of one visit. */
  events: EventRow[]
  op: OpRow
}

async function readSample({ client }: Stage): Promise<Sample> {
  const many = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows
  const [op] = await many(`select * from ops where type = 'complete' order by recorded_at desc limit 1`)
  const visited = await many('select * from events where task_id = $1 and synced_by is not null order by sequence', [
    op.task_id,
  ])
  return { op, events: visited }
}

const without = <Name extends string>(columns: Record<Name, unknown>, ...left: Name[]) =>
  (Object.keys(columns) as Name[]).filter((name) => !left.includes(name))
const eventColumns = without(events.columns, 'organisation_id', 'recorded_at')
const numbered: readonly string[] = ['id', 'snapshot_id']
const eventValues = raw(eventColumns.map((name) => (numbered.includes(name) ? `before + ${name}` : name)).join(', '))
const opColumns = without(ops.columns, 'organisation_id', 'user_id', 'recorded_at')

function writeBatch(organisationId: number, driverId: number, taskIds: number[], { events: visited, op }: Sample) {
  const rows = taskIds.flatMap((task_id) => visited.map((event) => ({ ...event, task_id })))
  // As many numbers as events; those of one change share the snapshot of its first.
  const numberedRows = rows.map((event, index) => ({
    ...event,
    id: index + 1,
    snapshot_id: event.task === null ? index : index + 1,
  }))
  const done = opsOf(taskIds).map(({ opId, type, taskId }) => ({ ...op, op_id: opId, type, task_id: taskId }))
  return sql`
    with changed as (
      update tasks set status_id = ${Succeeded}::smallint, accepted_at = now(), started_at = now(), arrived_at = now(),
        driver_arrived = true, completed_at = now(), updated_at = now(), last_sequence = last_sequence + ${visited.length}
      where organisation_id = ${organisationId}::bigint and id = any(${taskIds}::bigint[])
      returning id
    ), remembered as (
      insert into ops (organisation_id, user_id, recorded_at, ${columnList(opColumns)})
      select ${organisationId}::bigint, ${driverId}::bigint, now(), given.* from ${unnest(ops, opColumns, done)}
    ), noted as (
      insert into notes (organisation_id, task_id, user_id, type, note)
      select ${organisationId}::bigint, id, ${driverId}::bigint, 1, 'Left with the neighbour' from changed
    ), counter as (
      update event_counters set last_event_id = last_event_id + ${rows.length}
      where organisation_id = ${organisationId}::bigint and (select count(*) from changed) = ${taskIds.length}
      returning last_event_id - ${rows.length} as before
    )
    insert into events (organisation_id, recorded_at, ${columnList(eventColumns)})
    select ${organisationId}::bigint, now(), ${eventValues}
    from counter, ${unnest(events, eventColumns, numberedRows)}`
}
