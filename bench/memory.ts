import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome, Request } from './load.ts'
import { keepResults } from './measure.ts'
import { type Running, readMemory } from './processes.ts'
import { createMany, createOne, get } from './requests.ts'
import { call, key, makeDrivers, type Stage, withStage } from './stage.ts'

/*
 * How much memory the node process has while it works: over many requests of every kind, over many listeners to the
 * live stream that come and go, and over the largest sets there are. `--minutes=N` says how long each part goes on
 * (default 1); `--keep` keeps what was found. Prints the resident size over time.
 */

const parts = { requests, streams, largest }

export async function run(args: string[]) {
  const wanted = args.filter((arg) => !arg.startsWith('--'))
  const minutes = Number(/--minutes=([\d.]+)/.exec(args.join(' '))?.[1] ?? 1)
  const results: Record<string, unknown> = {}
  // A process of its own for each: what one part leaves behind is not the next one's.
  for (const [name, part] of Object.entries(parts))
    if (wanted.length === 0 || wanted.includes(name))
      await withStage('Memory', 1, async (stage) => {
        results[name] = await part(stage, minutes)
      })
  if (args.includes('--keep')) await keepResults('memory', results)
}

interface Sample {
  done: number
  /** Resident. */
  megabytes: number
  /** What is in use of the JavaScript heap, garbage included. */
  heap: number
}

/** Does a slice of the work at a time and looks at the memory in between. */
async function watch(title: string, api: Running, minutes: number, slice: () => Promise<number>) {
  const samples: Sample[] = []
  const until = performance.now() + minutes * 60_000
  console.log(`\n### ${title}\n\n| done | MB resident | MB heap |\n|---:|---:|---:|`)
  for (let done = 0; performance.now() < until; ) {
    done += await slice()
    samples.push({ done, ...(await readMemory(api)) })
    if (samples.length % 5 === 1) print(samples.at(-1)!)
  }
  print(samples.at(-1)!)
  return { title, samples }
}

const print = ({ done, megabytes, heap }: Sample) =>
  console.log(`| ${done} | ${megabytes.toFixed(0)} | ${heap.toFixed(0)} |`)

const countOf = ({ statuses }: Outcome) => Object.values(statuses).reduce((sum, count) => sum + count, 0)

/** What a day is made of, in about its proportions: mostly looking, some creating, some giving to drivers. */
async function requests(stage: Stage, minutes: number) {
  const driverIds = await makeDrivers(stage, 20)
  const { results } = await call(
    stage,
    'POST',
    '/tasks/bulkCreate',
    createMany(500).body!.replaceAll('{next}', 'memory'),
  )
  const made: { id: number; awb: string }[] = results.map(({ data }: { data: object }) => data)
  const assign = made.map(
    ({ id }, n): Request => ({
      method: 'POST',
      path: `/api/v1/drivers/${driverIds[n % driverIds.length]}/tasks/bulkAssign`,
      body: JSON.stringify({ tasks: [id] }),
    }),
  )
  const read = made.flatMap(({ id, awb }) => [get(`/tasks/${id}`), get(`/tasks/awb/${awb}`)])
  const list = [get('/tasks?limit=20'), get('/tasks?statusId=6&limit=20'), get('/drivers'), get('/events?limit=20')]
  const mix = [...read, ...createOne, ...assign, ...Array.from({ length: 25 }, () => list).flat()]
  return watch('Requests of every kind', stage.api, minutes, async () =>
    countOf(await stage.load.ask({ connections: 32, milliseconds: 2_000, of: stage.work(mix) })),
  )
}

/** Listeners to the live stream who leave as soon as they hear something. */
async function streams(stage: Stage, minutes: number) {
  return watch('Streams opened and left', stage.api, minutes, async () =>
    countOf(await stage.load.ask({ connections: 16, milliseconds: 2_000, of: { streams: stage.api.url, key } })),
  )
}

/** Sets of a thousand, made and read one after the other. */
async function largest(stage: Stage, minutes: number) {
  const mix = [createMany(1_000), get('/tasks?limit=1000')]
  const found = await watch('Sets of a thousand, made and listed', stage.api, minutes, async () =>
    countOf(await stage.load.ask({ connections: 4, milliseconds: 2_000, of: stage.work(mix) })),
  )
  await sleep(2_000)
  console.log(`| and at rest | ${(await readMemory(stage.api)).megabytes.toFixed(0)} | |`)
  return found
}
