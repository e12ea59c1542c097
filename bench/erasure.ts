import { fill } from './fill.ts'
import { compare, keepResults, median } from './measure.ts'
import { startWaybill } from './processes.ts'
import { createOne, get } from './requests.ts'
import { call, key, type Stage, warmUp, withStage } from './stage.ts'

/*
 * Erasing by time among a million tasks: how many a second, and how much slower others get meanwhile. The worker erases as it
 * does for users, with its pauses; without it, nothing is erased. `--tasks=N` fills less, `--rounds=N` repeats more often.
 */

const usualTasks = 1_000_000
const usualRounds = 5
const milliseconds = 4_000
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
    await call(stage, 'PUT', '/company', JSON.stringify({ settings: { hoursToSaveCustomerDataAfterDone: 1 } }))
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

async function measure(
  { load, work, client, databaseUrl }: Stage,
  title: string,
  requests: Parameters<Stage['work']>[0],
  rounds: number,
  erasedPerSecond: number[],
) {
  const ask = async () => (await load.ask({ connections, milliseconds, of: work(requests) })).perSecond
  const countErased = async () => {
    const { rows } = await client.query<{ count: number }>(
      `select coalesce(sum(jsonb_array_length(task_ids)), 0)::int as count from erasures`,
    )
    return rows[0]!.count
  }
  const askWhileErasing = async () => {
    const worker = await startWaybill('worker', databaseUrl, key)
    const [before, begun] = [await countErased(), performance.now()]
    const rate = await ask()
    erasedPerSecond.push(((await countErased()) - before) / ((performance.now() - begun) / 1_000))
    await worker.stop()
    return rate
  }
  return compare(title, 'requests/s', 'without', rounds, {
    without: ask,
    'while old ones are erased': askWhileErasing,
  })
}
