import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome, Request } from './load.ts'
import { keepResults } from './measure.ts'
import { measureCity } from './memory-city.ts'
import { type Running, readMemory } from './processes.ts'
import { createMany, createOne, get } from './requests.ts'
import { call, key, makeDrivers, type Stage, withStage } from './stage.ts'

/*
 * How much memory the node process uses while it works: with many requests of every kind, with many readers of the live
 * stream that come and go, and with the largest sets. `--minutes=N` is the duration of each part (default 1),
 * `--done=N` ends it as soon as so many are done; `--keep` saves the results. Prints the resident size over time. `city --file=EXTRACT` is
 * with the map of a city imported (memory-city.ts).
 */

const parts = { requests, streams, largest }

export async function run(args: string[]) {
  const wanted = args.filter((arg) => !arg.startsWith('--'))
  const read = (name: string, fallback: number) =>
    Number(new RegExp(`--${name}=([\\d.]+)`).exec(args.join(' '))?.[1] ?? fallback)
  const extent = { minutes: read('minutes', 1), done: read('done', Number.POSITIVE_INFINITY) }
  const results: Record<string, unknown> = {}
  const extract = /--file=(\S+)/.exec(args.join(' '))?.[1]
  if (wanted.includes('city') && !extract)
    throw new Error('Say which: npm run bench -- memory city --file=EXTRACT.osm.pbf')
  if (extract) results['city'] = await measureCity(extract)
  // A separate process for each, so that one part does not affect the next.
  for (const [name, part] of Object.entries(parts))
    if ((wanted.length === 0 && !extract) || wanted.includes(name))
      await withStage('Memory', 1, async (stage) => {
        results[name] = await part(stage, extent)
      })
  if (args.includes('--keep')) await keepResults('memory', results)
}

interface Extent {
  minutes: number
  done: number
}

/** Longer runs are sampled less often: about two hundred samples make a chart. */
const sliceMs = ({ minutes }: Extent) => Math.max(2_000, Math.min(20_000, minutes * 300))

interface Sample {
  done: number
  /** Resident set size. */
  megabytes: number
  /** The used JavaScript heap, including garbage. */
  heap: number
}

/** Does a slice of the work at a time and samples the memory in between. */
async function watch(title: string, api: Running, extent: Extent, slice: () => Promise<number>) {
  const samples: Sample[] = []
  const until = performance.now() + extent.minutes * 60_000
  console.log(`\n### ${title}\n\n| done | MB resident | MB heap |\n|---:|---:|---:|`)
  for (let done = 0; done < extent.done && performance.now() < until; ) {
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

/** About the mix of a usual day: mostly reading, some creating, some assigning. */
async function requests(stage: Stage, extent: Extent) {
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
  return watch('Requests of every kind', stage.api, extent, async () =>
    countOf(await stage.load.ask({ connections: 32, milliseconds: sliceMs(extent), of: stage.work(mix) })),
  )
}

/** Readers of the live stream that disconnect as soon as they receive something. */
async function streams(stage: Stage, extent: Extent) {
  return watch('Streams opened and left', stage.api, extent, async () =>
    countOf(
      await stage.load.ask({ connections: 16, milliseconds: sliceMs(extent), of: { streams: stage.api.url, key } }),
    ),
  )
}

/** Sets of a thousand tasks, created and read one after the other. */
async function largest(stage: Stage, extent: Extent) {
  const mix = [createMany(1_000), get('/tasks?limit=1000')]
  const found = await watch('Sets of a thousand, made and listed', stage.api, extent, async () =>
    countOf(await stage.load.ask({ connections: 4, milliseconds: sliceMs(extent), of: stage.work(mix) })),
  )
  await sleep(2_000)
  console.log(`| and at rest | ${(await readMemory(stage.api)).megabytes.toFixed(0)} | |`)
  return found
}
