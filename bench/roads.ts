import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import type { Point } from '../core/geo.ts'
import type { Transport } from '../core/travel.ts'
import { createLog } from '../server/log.ts'
import type { CurrentMap, Maps } from '../server/map/current.ts'
import { openExtract } from '../server/map/extract/extract.ts'
import { openRoadFile, roadsFile } from '../server/map/roads/file.ts'
import { createRoadMaker } from '../server/map/roads/maker.ts'
import { profiles } from '../server/map/roads/profiles.ts'
import { openRouter, type Router } from '../server/map/roads/router.ts'
import { type Choices, contract } from '../server/map/roads/search/contract.ts'
import { noWay, weightOf } from '../server/map/roads/search/graph.ts'
import { findTable } from '../server/map/roads/search/table.ts'
import { createWorkspace } from '../server/map/roads/search/workspace.ts'
import { snap } from '../server/map/roads/snap/snap.ts'
import { seededRandom } from '../server/test/random.ts'
import { meetPlainly, searchPlainly } from '../server/test/road-graphs.ts'
import { createRoads } from '../server/threads/roads.ts'
import { keepResults, median, printHeader, quantile } from './measure.ts'
import { compareWithValhalla } from './roads-beside.ts'

/*
 * How long roads take: `npm run bench -- roads --file EXTRACT.osm.pbf`. Made from the extract, opened, and asked for tables of
 * 50, 100, 200 and 1,000 places and for one way at a time, all in processor time. `--profile NAME` asks for one only; `--check` also
 * compares with a plain search on the same roads; `--choices JSON` contracts with other choices too (`Choices` in contract.ts); `--beside
 * valhalla --valhalla FOLDER` compares with Valhalla (roads-beside.ts); `--keep` saves the results.
 */

const seed = 7
const sizes = [50, 100, 200, 1_000]
const rounds = 5
const mostWays = 300

export async function run(args: string[]) {
  const given = (name: string) =>
    args.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3) ??
    (args.includes(`--${name}`) ? args[args.indexOf(`--${name}`) + 1] : undefined)
  const measured = given('memory-of')
  if (measured) return tellMemory(measured)
  const file = given('file')
  if (!file) throw new Error('Say which extract: npm run bench -- roads --file EXTRACT.osm.pbf')
  printHeader('Roads', rounds)
  const folder = await mkdtemp(join(os.tmpdir(), 'waybill-bench-roads-'))
  try {
    const path = join(folder, roadsFile)
    const made = await makeFile(file, folder)
    const opened = measureOpening(path)
    const profilesOf = given('profile') ? [given('profile') as Transport] : profiles
    const asked = Object.fromEntries(profilesOf.map((profile) => [profile, measureProfile(path, profile)]))
    const memory = measureMemory(path)
    const choices = given('choices')
    if (choices) for (const profile of profilesOf) await contractWith(path, profile, JSON.parse(choices))
    if (args.includes('--check')) for (const profile of profilesOf) check(path, profile)
    const beside = given('beside') ? await compare(path, file, given) : undefined
    if (args.includes('--keep')) await keepResults('roads', { made, opened, asked, memory, ...(beside && { beside }) })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function compare(path: string, file: string, given: (name: string) => string | undefined) {
  const folder = given('valhalla')
  if (given('beside') !== 'valhalla' || !folder) throw new Error('Say: --beside valhalla --valhalla FOLDER')
  const router = openRouter(path)
  const roads = openRoadFile(path)
  // On the street itself: only we walk from there to a place beside it.
  const pick = (count: number) =>
    pickPlaces(router, 'car', count).flatMap((place) => {
      const spot = snap(roads, 'car', place)
      return spot ? [{ lat: spot.lat, lng: spot.lng }] : []
    })
  try {
    return await compareWithValhalla(router, file, folder, pick)
  } finally {
    roads.close()
    router.close()
  }
}

async function makeFile(file: string, folder: string) {
  const extract = await openExtract(file)
  const prepared = prepareLog()
  const maker = createRoadMaker(folder, { progress: prepared.at })
  try {
    await mkdir(join(folder, 'scratch'), { recursive: true })
    const reading = await spend(() => extract.read([maker], { folder: join(folder, 'scratch') }))
    const finishing = await spend(() => maker.finish())
    const { size } = await stat(join(folder, roadsFile))
    console.log(`read in ${reading.ms.toFixed(0)} ms, made in ${finishing.ms.toFixed(0)} ms:`, finishing.result)
    const byProfile = prepared.done()
    console.log('by profile:', byProfile, `file: ${megabytes(size)} MB`)
    return { readMs: reading.ms, madeMs: finishing.ms, byProfile, ...finishing.result }
  } finally {
    await maker.dispose()
    await extract.close()
  }
}

/** When the maker came to the next profile, to a pause between two steps. */
function prepareLog() {
  const spent: Record<string, number> = {}
  let before = cpuMs()
  let index = 0
  const end = () => {
    spent[profiles[index]!] = Math.round(cpuMs() - before)
    before = cpuMs()
  }
  return {
    at(share: number) {
      const now = Math.floor(share * profiles.length)
      if (now === index || now >= profiles.length) return
      end()
      index = now
    },
    done() {
      end()
      return spent
    },
  }
}

function measureOpening(path: string) {
  const times = Array.from({ length: rounds }, () => {
    const began = performance.now()
    const before = cpuMs()
    const roads = openRoadFile(path)
    roads.graphOf('car')
    roads.hierarchyOf('car')
    const took = { cpu: cpuMs() - before, wall: performance.now() - began }
    roads.close()
    return took
  })
  const [cpu, wall] = [median(times.map((one) => one.cpu)), median(times.map((one) => one.wall))]
  console.log(`opened, with one profile, in ${cpu.toFixed(0)} ms (${wall.toFixed(0)} ms of the clock)`)
  return { cpu, wall }
}

function measureProfile(path: string, profile: Transport) {
  const router = openRouter(path)
  const roads = openRoadFile(path)
  try {
    const places = pickPlaces(router, profile, Math.max(...sizes))
    const snapping = spendNow(() => places.map((place) => snap(roads, profile, place)))
    const tables = Object.fromEntries(sizes.map((size) => [size, measureTable(router, profile, places, size)]))
    const ways = Array.from({ length: mostWays }, (_, index) => {
      const pair = [places[index]!, places[places.length - 1 - index]!]
      return spendNow(() => router.legs(profile, pair)).ms
    })
    const way = { p50: median(ways), p99: quantile(ways, 0.99) }
    const said = sizes.map((size) => `${size}²: ${tables[size]!.toFixed(0)} ms`).join(', ')
    console.log(
      `${profile.padEnd(10)} ${said}, one way ${way.p50.toFixed(2)} ms (p99 ${way.p99.toFixed(2)}), a place snapped in ${((1000 * snapping.ms) / places.length).toFixed(0)} µs`,
    )
    return { tables, way, snapMs: snapping.ms / places.length }
  } finally {
    roads.close()
    router.close()
  }
}

function measureTable(router: Router, profile: Transport, places: readonly Point[], size: number) {
  const times = Array.from({ length: size > 500 ? 3 : rounds }, (_, round) => {
    const begin = (round * size) % (places.length - size + 1)
    return spendNow(() => router.table(profile, places.slice(begin, begin + size))).ms
  })
  return median(times)
}

/** Of which one gets from each to the next. */
function pickPlaces({ bounds, legs }: Router, profile: Transport, count: number): Point[] {
  const places: Point[] = []
  for (const place of pickWithin(bounds, seededRandom(seed), count * 50)) {
    const before = places.at(-1)
    if (!before || legs(profile, [before, place])[0]) places.push(place)
    if (places.length === count) break
  }
  return places
}

/** In the middle of the area, where there are roads: half of each side. */
function pickWithin([west, south, east, north]: Router['bounds'], random: () => number, count: number): Point[] {
  const within = (from: number, to: number) => from + (to - from) * (0.25 + random() / 2)
  return Array.from({ length: count }, () => ({ lat: within(south, north), lng: within(west, east) }))
}

async function contractWith(path: string, profile: Transport, choices: Partial<Choices>) {
  const roads = openRoadFile(path)
  const graph = roads.graphOf(profile)
  for (const [what, chosen] of Object.entries({ usual: {}, other: choices })) {
    const { ms, result } = await spend(() => contract(graph, { choices: chosen }))
    const arcs = (result.upHead.length + result.downHead.length) / graph.head.length
    console.log(`${profile}, ${what} choices: ${ms.toFixed(0)} ms, ${arcs.toFixed(2)} times as many arcs`)
  }
  roads.close()
}

/** Times and lengths beside those of a plain search, from a few places to many. */
function check(path: string, profile: Transport) {
  const router = openRouter(path)
  const roads = openRoadFile(path)
  const [graph, hierarchy] = [roads.graphOf(profile), roads.hierarchyOf(profile)]
  const spots = pickPlaces(router, profile, 400).flatMap((place) => snap(roads, profile, place) ?? [])
  const starts = spots.slice(0, 20)
  const weights = findTable(
    hierarchy,
    createWorkspace(hierarchy.rank.length),
    starts.map(({ leaving }) => leaving),
    spots.map(({ arriving }) => arriving),
  )
  const should = starts.flatMap(({ leaving }) => {
    const known = searchPlainly(graph, leaving)
    return spots.map(({ arriving }) => meetPlainly(known, arriving))
  })
  const differing = should.filter((way, at) => (way ? weightOf(way.ms, way.dm) : noWay) !== weights[at])
  console.log(`${profile}: ${differing.length} of ${should.length} pairs differ from a plain search`)
  router.close()
  roads.close()
}

// ---- Memory, of a process that did nothing else ----

function measureMemory(path: string): Record<string, number> {
  const told = execFileSync(process.execPath, [join(import.meta.dirname, 'main.ts'), 'roads', '--memory-of', path])
  const memory = JSON.parse(told.toString())
  console.log('MB of a process:', memory)
  return memory
}

async function tellMemory(path: string) {
  const roads = createRoads({ log: createLog('silent', process.stderr), maps: mapsOf(path) })
  const resident = () => Math.round(process.memoryUsage.rss() / 2 ** 20)
  const memory: Record<string, number> = { before: resident() }
  const { bounds } = openRoadFile(path)
  const places = pickWithin(bounds, seededRandom(seed), 200)
  for (const profile of ['car', ...profiles.filter((one) => one !== 'car')] as const) {
    await roads.table(profile, places)
    memory[`and ${profile}`] = resident()
  }
  await roads.close()
  console.log(JSON.stringify(memory))
}

const mapsOf = (path: string): Pick<Maps, 'current'> => ({
  current: async () => ({ pathOf: () => path }) as unknown as CurrentMap,
})

// ---- Processor time ----

function cpuMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

async function spend<Result>(work: () => Promise<Result>) {
  const before = cpuMs()
  const result = await work()
  return { ms: cpuMs() - before, result }
}

function spendNow<Result>(work: () => Result) {
  const before = cpuMs()
  const result = work()
  return { ms: cpuMs() - before, result }
}

const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
