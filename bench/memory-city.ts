import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { transports } from '../core/travel.ts'
import type { EmbeddedDatabase } from '../server/db/embedded.ts'
import { aTask } from '../server/test/factories.ts'
import { seededRandom } from '../server/test/random.ts'
import { onDatabase, printHeader, withClient, withServer } from './measure.ts'
import { type Running, readMemory, startLoad, startWaybill } from './processes.ts'
import { createOne, get } from './requests.ts'
import { call, key, workOf } from './stage.ts'

/*
 * How much memory the node process uses with the map of a city imported: after planning, estimates and routes by all six means of
 * transport, and some thousand other requests meanwhile. The thread with the roads is part of the process.
 */

const seed = 11
const driversOfEach = 5
const tasks = 600
const estimates = 120
const others = { rounds: 6, milliseconds: 5_000, connections: 8 }

export interface Step {
  step: string
  megabytes: number
  heap: number
}

export async function measureCity(file: string): Promise<Step[]> {
  const steps: Step[] = []
  const folder = await mkdtemp(join(os.tmpdir(), 'waybill-bench-city-'))
  printHeader('Memory with a city', 1)
  try {
    await withServer(async (database) => {
      const load = startLoad()
      const api = await startWaybill('all', database.url, key, { WAYBILL_DATA: folder })
      console.log('| after | MB resident | MB heap |\n|---|---:|---:|')
      const look = async (step: string) => {
        const { megabytes, heap } = await readMemory(api)
        steps.push({ step, megabytes, heap })
        console.log(`| ${step} | ${megabytes.toFixed(0)} | ${heap.toFixed(0)} |`)
      }
      try {
        await look('the start')
        const area = await importCity(file, database, folder)
        await look('an import beside it')
        await work(api, area, load, look)
      } finally {
        await load.stop()
        await api.stop()
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return steps
}

interface Area {
  west: number
  south: number
  east: number
  north: number
}

/** By the command, in a process of its own, as an operator does it. Answers where the city is. */
async function importCity(file: string, { url, adminUrl }: EmbeddedDatabase, folder: string): Promise<Area> {
  const program = join(import.meta.dirname, '../cli/waybill.ts')
  const env = { ...process.env, DATABASE_URL: url, WAYBILL_DATA: folder }
  await promisify(execFile)(process.execPath, [program, 'map', 'import', file, '--name', 'City'], {
    env,
    maxBuffer: 1e8,
  })
  return withClient(onDatabase(adminUrl, new URL(url).pathname.slice(1)), async (client) => {
    const { rows } = await client.query<Area>(
      'select west, south, east, north from map_imports order by id desc limit 1',
    )
    return rows[0] as Area
  })
}

type Look = (step: string) => Promise<void>

async function work(api: Running, area: Area, load: ReturnType<typeof startLoad>, look: Look) {
  const random = seededRandom(seed)
  // The middle of the area, where the streets are.
  const between = (low: number, high: number) => low + (high - low) * (0.3 + 0.4 * random())
  const place = () => ({
    address: 'Undeva',
    lat: between(area.south, area.north),
    lng: between(area.west, area.east),
  })
  const stage = { api }
  const post = (path: string, body: object) => call(stage, 'POST', path, JSON.stringify(body))
  const { hub } = await post('/hubs', { name: 'Hub', ...place() })
  const { team } = await post('/teams', { name: 'Everybody', hubId: hub.id })
  const drivers: number[] = []
  for (const [at, transport] of Object.keys(transports).entries())
    for (let n = 0; n < driversOfEach; n += 1) {
      const phone = `07120${10_000 + at * driversOfEach + n}`
      const driver = { name: `Driver ${at} ${n}`, phone, teams: [team.id], driverTransportationId: Number(transport) }
      drivers.push((await post('/drivers', driver)).user.id)
    }
  const made = Array.from({ length: tasks }, () => aTask({ address: place(), teamId: team.id }))
  await post('/tasks/bulkCreate', { tasks: made })
  await look(`${drivers.length} drivers of all kinds and ${tasks} tasks`)

  const { plan } = await post('/planning/assign', {})
  await look(`assigning all (travel: ${plan.travel.source})`)
  await post('/planning/optimise', {})
  await look('optimising all routes')
  for (let n = 0; n < estimates; n += 1) await post('/planning/estimate', { address: place() })
  await look(`${estimates} estimates`)
  const routes = drivers.map((id) => get(`/drivers/${id}/route`))
  for (const { path } of routes) await fetch(api.url + path, { headers: { authorization: key } })
  await look('the routes of all drivers')

  const mix = [...routes, ...createOne, get('/tasks?limit=20'), get('/drivers'), get('/events?limit=20')]
  let done = 0
  for (let round = 1; round <= others.rounds; round += 1) {
    const { connections, milliseconds } = others
    const { statuses } = await load.ask({ connections, milliseconds, of: workOf(api.url)(mix) })
    done += Object.values(statuses).reduce((sum, count) => sum + count, 0)
    await look(`${done} requests`)
  }
  await post('/planning/optimise', {})
  await look('optimising once more')
  await sleep(20_000)
  await look('20 s at rest')
}
