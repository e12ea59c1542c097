import { readFile } from 'node:fs/promises'
import { taskGroups } from '../contract/report.ts'
import { Succeeded } from '../core/task-status.ts'
import type { Db } from '../server/db/db.ts'
import type { Sql } from '../server/db/sql.ts'
import { sumEnded } from '../server/tasks/reports/sums.ts'
import { fill } from './fill.ts'
import { keepResults, median } from './measure.ts'
import { key, type Stage, warmUp, withStage } from './stage.ts'

/*
 * Reports of an organisation with a million tasks in a year, 2,880 a day: how long they take, and how much processor time the database
 * spends on one, which says more where others use the machine. `--tasks=N` fills less, `--rounds=N` repeats more often.
 */

const usualTasks = 1_000_000
const usualRounds = 5

export async function run(args: string[]) {
  const given = (name: string) => Number(new RegExp(`--${name}=(\\d+)`).exec(args.join(' '))?.[1]) || undefined
  const rounds = given('rounds') ?? usualRounds
  const work = async (stage: Stage) => {
    await warmUp(stage)
    const begun = performance.now()
    await fill(stage, given('tasks') ?? usualTasks)
    await fillCash(stage)
    console.log(`filled in ${((performance.now() - begun) / 1_000).toFixed(0)} s\n`)
    const results: Record<string, Spent> = {}
    console.log('| report | wall time | processor time of the database |\n|---|---:|---:|')
    for (const [title, path] of Object.entries(reports())) {
      results[title] = await measure(stage, path, rounds)
      console.log(`| ${title} | ${results[title].wallMs} ms | ${results[title].processorMs} ms |`)
    }
    await explainMonth(stage)
    if (args.includes('--keep')) await keepResults('reports', results)
  }
  await withStage('Reports', rounds, work, {
    max_connections: '200',
    max_wal_size: '16GB',
    checkpoint_timeout: '30min',
  })
}

/** Of three tasks in five the driver took money, mostly in cash. */
async function fillCash({ client }: Stage) {
  await client.query(`
    insert into cash_lines (organisation_id, user_id, day, kind, method, hundredths, payment_id, task_id, occurred_at)
    select organisation_id, user_id, to_char(completed_at at time zone 'Europe/Bucharest', 'YYYY-MM-DD'), 'payment',
      case when id % 5 = 0 then 'card' else 'cash' end, 4999, id, id, completed_at
    from tasks where status_id = ${Succeeded} and id % 5 < 3`)
  await client.query('vacuum analyze cash_lines')
}

function reports() {
  const today = Temporal.Now.plainDateISO('Europe/Bucharest')
  const since = (days: number) => `from=${today.subtract({ days })}&to=${today}`
  const every = `by=${taskGroups}`
  return {
    'a day': `/reports/tasks?${since(0)}`,
    'a month': `/reports/tasks?${since(30)}`,
    'a month, by everything': `/reports/tasks?${since(30)}&${every}`,
    'a year': `/reports/tasks?${since(365)}`,
    'a year, by everything': `/reports/tasks?${since(365)}&${every}`,
    'a year, days as CSV': `/reports/tasks?${since(365)}&by=day&format=csv`,
    'feedback of a year': `/reports/feedback?from=${today.subtract({ days: 365 })} 00:00`,
  }
}

interface Spent {
  wallMs: number
  processorMs: number
}

async function measure(stage: Stage, path: string, rounds: number): Promise<Spent> {
  const spent: Spent[] = []
  // One more than counted: the first reads from the disk.
  for (let round = 0; round <= rounds; round += 1) {
    const [begun, before] = [performance.now(), await processorMs(stage)]
    const { status, text } = await get(stage, path)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    spent.push({ wallMs: performance.now() - begun, processorMs: (await processorMs(stage)) - before })
  }
  const middle = (which: keyof Spent) => Math.round(median(spent.slice(1).map((one) => one[which])))
  return { wallMs: middle('wallMs'), processorMs: middle('processorMs') }
}

async function get({ api }: Stage, path: string) {
  const response = await fetch(`${api.url}/api/v1${path}`, { headers: { authorization: key } })
  return { status: response.status, text: await response.text() }
}

/** Of all its connections, as Linux counts it, in ticks of 10 ms. */
async function processorMs({ client }: Stage): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type in ('client backend', 'parallel worker') and pid <> pg_backend_pid()`,
  )
  let ticks = 0
  for (const { pid } of rows) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  }
  return ticks * 10
}

/** How the database goes about a month of a year. */
async function explainMonth({ client, organisationId }: Stage) {
  const asked: Sql[] = []
  const many = async (query: Sql) => {
    asked.push(query)
    return []
  }
  const [end, timezone] = [new Date(), 'Europe/Bucharest']
  const span = { start: new Date(end.getTime() - 31 * 86_400_000), end }
  const days = { ...span, todayEnd: undefined, now: end, timezone }
  const by = taskGroups.filter((group) => group !== 'month')
  await sumEnded({ many } as unknown as Db, organisationId, days, span, { by, customerIds: [] })
  const [query] = asked as [Sql]
  const { rows } = await client.query<Record<string, string>>(
    `explain (analyze, buffers) ${query.text}`,
    query.values as unknown[],
  )
  console.log(`\n${rows.map((row) => row['QUERY PLAN']).join('\n')}`)
}
