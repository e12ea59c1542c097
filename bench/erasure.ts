import { setTimeout as pause } from 'node:timers/promises'
import { fill } from './fill.ts'
import { compare, keepResults, median } from './measure.ts'
import { startWaybill } from './processes.ts'
import { createOne, get } from './requests.ts'
import { call, key, type Stage, warmUp, withStage } from './stage.ts'

/*
 * Erasing by time among a million tasks: how many a second, and how much slower others get meanwhile. A worker that has
 * started before erases as it does for users, with its pauses, or not at all, as the setting says. `--tasks=N` fills less,
 * `--rounds=N` repeats more often.
 */

const usualTasks = 1_000_000
const usualRounds = 5
const milliseconds = 8_000
/** What a worker does when it starts is not measured. */
const settlingMs = 4_000
const connections = 8

export async function run(args: string[]) {
  const given = (name: string) => Number(new RegExp(`--${name}=(\\d+)`).exec(args.join(' '))?.[1]) || undefined
  const rounds = given('rounds') ?? usualRounds
  const tasks = given('tasks') ?? usualTasks
  const settings = { max_connections: '200', max_wal_size: '16GB', checkpoint_timeout: '30min' }
  const work = async (stage: Stage) => {
    await warmUp(stage)
    const begun = performance.now()
    await fill(stage, tasks)
    console.log(`filled in ${((performance.now() - begun) / 1_000).toFixed(0)} s`)
    const erasedPerSecond: number[] = []
    const results = {
      creating: await measure(stage, `POST /tasks with ${tasks} tasks`, createOne, rounds, erasedPerSecond),
      reading: await measure(
        stage,
        `GET /tasks?limit=20 with ${tasks} tasks`,
        [get('/tasks?limit=20')],
        rounds,
        erasedPerSecond,
      ),
    }
    console.log(`\n${median(erasedPerSecond).toFixed(0)} tasks erased a second`)
    if (args.includes('--keep')) await keepResults('erasure', { ...results, erasedPerSecond })
  }
  await withStage('Erasure', rounds, work, settings)
}

async function countErased({ client }: Stage) {
  const { rows } = await client.query<{ count: number }>(
    `select coalesce(sum(jsonb_array_length(task_ids)), 0)::int as count from erasures`,
  )
  return rows[0]!.count
}

async function measure(
  stage: Stage,
  title: string,
  requests: Parameters<Stage['work']>[0],
  rounds: number,
  erasedPerSecond: number[],
) {
  const ask = async (hours: number) => {
    const settings = { hoursToSaveCustomerDataAfterDone: hours }
    await call(stage, 'PUT', '/company', JSON.stringify({ settings }))
    const worker = await startWaybill('worker', stage.databaseUrl, key)
    await pause(settlingMs)
    const [before, begun] = [await countErased(stage), performance.now()]
    const { perSecond } = await stage.load.ask({ connections, milliseconds, of: stage.work(requests) })
    const rate = ((await countErased(stage)) - before) / ((performance.now() - begun) / 1_000)
    await worker.stop()
    return { perSecond, rate }
  }
  const askWhileErasing = async () => {
    const { perSecond, rate } = await ask(1)
    if (rate === 0) throw new Error('Nothing was erased')
    erasedPerSecond.push(rate)
    return perSecond
  }
  return compare(title, 'requests/s', 'without', rounds, {
    without: async () => (await ask(0)).perSecond,
    'while old ones are erased': askWhileErasing,
  })
}
