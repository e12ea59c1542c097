import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { migrate } from '../server/db/migrate.ts'
import type { Maker, OsmNode, OsmRelation, OsmWay } from '../server/map/extract/elements.ts'
import { openExtract } from '../server/map/extract/extract.ts'
import { openExtractFile } from '../server/test/extract.ts'
import { keepResults, printHeader, withServer } from './measure.ts'

/*
 * How long `waybill map import` takes, and how large the process gets: `npm run bench -- map --file=EXTRACT --copies=N`. With copies the
 * extract is put side by side so many times first, each with ids of its own: a country can be tried with the extract of a city.
 */

export async function run(args: string[]) {
  const { values } = parseArgs({ args, options: { file: { type: 'string' }, copies: { type: 'string' } } })
  const { file } = values
  const copies = Number(values.copies ?? 1)
  if (!file || !(Number.isInteger(copies) && copies > 0))
    throw new Error('Say which extract, and how often: --file=EXTRACT --copies=N')
  printHeader('Importing a map', 1)
  const folder = await mkdtemp(join(os.tmpdir(), 'waybill-bench-map-'))
  try {
    const path = copies === 1 ? file : await writeCopies(file, copies, join(folder, 'copies.osm.pbf'))
    const megabytes = (await stat(path)).size / 1e6
    await withServer(async ({ url }) => {
      await migrate(url, () => {})
      const result = { megabytes, ...(await importIt(path, url, join(folder, 'data'))) }
      console.log(
        `\n${megabytes.toFixed(0)} MB: ${result.seconds.toFixed(0)} s by the clock, ${result.processorSeconds.toFixed(0)} s of ` +
          `processor time in our process, at most ${result.residentMegabytes.toFixed(0)} MB resident\n\n${result.said}`,
      )
      await keepResults('map', { [`${copies} × ${file.split('/').at(-1)}`]: result })
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function importIt(path: string, databaseUrl: string, dataFolder: string) {
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../cli/waybill.ts'), 'map', 'import', path, '--name', 'Copies'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, DATABASE_URL: databaseUrl, WAYBILL_DATA: dataFolder },
    },
  )
  const ended = once(child, 'exit')
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  let [processorSeconds, residentMegabytes] = [0, 0]
  for (let isOver = false; !isOver; isOver = await Promise.race([ended.then(() => true), pause(250, false)])) {
    const used = await lookAt(child.pid as number).catch(() => undefined)
    processorSeconds = used?.processorSeconds || processorSeconds
    residentMegabytes = used?.residentMegabytes || residentMegabytes
  }
  if (child.exitCode !== 0) throw new Error(`The import ended with ${child.exitCode ?? child.signalCode}`)
  return { seconds: (performance.now() - begun) / 1_000, processorSeconds, residentMegabytes, said: said.trim() }
}

/** What a process has used so far. Linux counts processor time in hundredths of a second. */
async function lookAt(pid: number) {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  const most = /^VmHWM:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return { processorSeconds: (Number(fields[11]) + Number(fields[12])) / 100, residentMegabytes: Number(most) / 1_024 }
}

/** The extract so many times, side by side in a square. */
async function writeCopies(from: string, copies: number, path: string): Promise<string> {
  const { nodes, ways, relations, width, height } = await readAll(from)
  const highest = Math.max(
    ...[nodes, ways, relations].map((list) => list.reduce((most, { id }) => Math.max(most, id), 0)),
  )
  const side = Math.ceil(Math.sqrt(copies))
  const extract = await openExtractFile(path)
  const each = async (write: (moved: (id: number) => number, north: number, east: number) => Promise<void>) => {
    for (let copy = 0; copy < copies; copy += 1)
      await write((id) => id + copy * (highest + 1), Math.floor(copy / side) * height, (copy % side) * width)
  }
  await each((moved, north, east) =>
    extract.nodes(nodes.map((node) => ({ ...node, id: moved(node.id), lat: node.lat - north, lng: node.lng + east }))),
  )
  await each((moved) =>
    extract.ways(ways.map(({ id, nodeIds, tags }) => ({ id: moved(id), nodeIds: nodeIds.map(moved), tags }))),
  )
  await each((moved) =>
    extract.relations(
      relations.map(({ id, tags, members }) => ({
        id: moved(id),
        tags,
        members: members.map((member) => ({ ...member, id: moved(member.id) })),
      })),
    ),
  )
  await extract.close()
  return path
}

async function readAll(path: string) {
  const nodes = new Map<number, OsmNode>()
  const ways: OsmWay[] = []
  const relations: OsmRelation[] = []
  const [lats, lngs] = [createSpan(), createSpan()]
  const reader: Maker<void> = {
    node: (node) => void nodes.set(node.id, node),
    way(way) {
      ways.push(way)
      for (const [index, id] of way.nodeIds.entries()) {
        const [lng = 0, lat = 0] = way.points.subarray(index * 2)
        if (!nodes.has(id)) nodes.set(id, { id, tags: {}, lat, lng })
        lats.add(lat)
        lngs.add(lng)
      }
    },
    relation: (relation) => void relations.push(relation),
    finish: async () => {},
    dispose: async () => {},
  }
  const extract = await openExtract(path)
  const folder = await mkdtemp(join(os.tmpdir(), 'waybill-bench-read-'))
  try {
    await extract.read([reader], { folder })
  } finally {
    await extract.close()
    await rm(folder, { recursive: true })
  }
  const all = [...nodes.values()].sort((one, other) => one.id - other.id)
  return { nodes: all, ways, relations, width: lngs.size(), height: lats.size() }
}

function createSpan() {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  return {
    add(value: number) {
      least = Math.min(least, value)
      most = Math.max(most, value)
    },
    size: () => most - least,
  }
}
