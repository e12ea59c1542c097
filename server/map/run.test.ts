import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDatabase } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { sql } from '../db/sql.ts'
import { cleanUpOf } from '../test/clean-up.ts'
import { makeDatabase } from '../test/database.ts'
import { drawTown, writeExtract } from '../test/extract.ts'
import { withTiles } from '../test/map-part.ts'
import { folderOf } from './files.ts'
import { findCurrent } from './queries.ts'
import { type ImportOptions, importMap, MapRefusal, type Place, removeMap, tidyImports } from './run.ts'
import { tilesFile } from './tiles/maker.ts'

const unstopped = new AbortController().signal

async function makeFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-map-test-'))
  cleanUpOf(t).defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function drawExtract(folder: string, name = 'town') {
  const town = drawTown()
  town.street('Strada Morii', [
    [45.1, 21.1],
    [45.2, 21.2],
  ])
  town.house('Strada Morii', '1', [45.11, 21.1])
  return town.write(join(folder, `${name}.osm.pbf`), { date: new Date('2026-11-01T20:00:00Z') })
}

async function makePlace(t: TestContext): Promise<Place & { folder: string }> {
  const { url: databaseUrl, drop } = await makeDatabase()
  cleanUpOf(t).defer(drop)
  const folder = await makeFolder(t)
  return { databaseUrl, dataFolder: join(folder, 'data'), store: undefined, folder }
}

const run = (place: Place, path: string, given: Partial<ImportOptions> = {}) =>
  importMap({ ...place, path, name: 'Town', signal: unstopped, makers: withTiles('tiles'), ...given })

/** What is there: which import, which rows, what is on the disk. */
async function look({ databaseUrl, dataFolder }: Place) {
  const role = await migrate(databaseUrl, () => {})
  const database = openDatabase({ url: databaseUrl, role, connections: 1, onIdleError: () => {} })
  try {
    const rows = await database.everyone.many<{ state: string }>(sql`select state from map_imports order by id`)
    const current = await findCurrent(database.everyone)
    const tiles = current && (await readFile(join(folderOf(dataFolder, current.id), tilesFile), 'utf8'))
    const folders = await readdir(join(dataFolder, 'map')).catch(() => [])
    return { states: rows.map(({ state }) => state), name: current?.name, tiles, folders: folders.length }
  } finally {
    await database.close()
  }
}

const nothing = { states: [], name: undefined, tiles: undefined, folders: 0 }
const first = { states: ['current'], name: 'First', tiles: 'first', folders: 1 }

async function withFirst(t: TestContext) {
  const place = await makePlace(t)
  const path = await drawExtract(place.folder)
  await run(place, path, { name: 'First', makers: withTiles('first') })
  assert.deepEqual(await look(place), first)
  return { place, path }
}

test('an import replaces the one before, and removing it leaves nothing', async (t) => {
  const { place, path } = await withFirst(t)
  const told: string[] = []
  const imported = await run(place, path, { onProgress: ({ does }) => told.push(does) })
  assert.deepEqual(imported.made, { found: { roads: 1, houseNumbers: 1, buildings: 0, areas: 0 }, tiles: { tiles: 7 } })
  assert.deepEqual(
    [imported.source, imported.map_date?.toISOString(), imported.west, imported.south, imported.east, imported.north],
    ['town.osm.pbf', '2026-11-01T20:00:00.000Z', 21.1, 45.1, 21.2, 45.2],
  )
  assert.ok(told.includes('reading'))
  assert.deepEqual(await look(place), { states: ['current'], name: 'Town', tiles: 'tiles', folders: 1 })
  assert.equal((await removeMap(place))?.name, 'Town')
  assert.deepEqual(await look(place), nothing)
  assert.equal(await removeMap(place), undefined)
})

test('what goes wrong leaves what was there, and nothing else', async (t) => {
  const { place, path } = await withFirst(t)
  const stopping = new AbortController()
  const wrong: [how: string, work: () => Promise<unknown>, says: RegExp][] = [
    ['another file', () => writeFile(`${path}.txt`, 'text').then(() => run(place, `${path}.txt`)), /is something else/],
    ['no file', () => run(place, `${path}.gone`), /ENOENT/],
    [
      'a file that is broken in the middle',
      async () => {
        const whole = await readFile(path)
        whole.fill(0, whole.length - 20)
        await writeFile(`${path}.broken`, whole)
        await run(place, `${path}.broken`)
      },
      /damaged .* download it again/,
    ],
    [
      'Ctrl-C',
      () =>
        run(place, path, {
          signal: stopping.signal,
          makers: withTiles('x', async () => stopping.abort(new Error('Stopped; nothing was changed'))),
        }),
      /^Error: Stopped; nothing was changed$/,
    ],
    [
      'a full disk',
      () => run(place, path, { makers: withTiles('x', () => writeFile('/dev/full', 'x')) }),
      /is full .*; nothing was changed\. Make room/,
    ],
    [
      'a maker that fails',
      () => run(place, path, { makers: withTiles('x', () => Promise.reject(new Error('Out of paper'))) }),
      /Out of paper/,
    ],
  ]
  for (const [how, work, says] of wrong) {
    await assert.rejects(work(), says, how)
    assert.deepEqual(await look(place), first, how)
  }
})

test('of two imports at once the second is refused', async (t) => {
  const { place, path } = await withFirst(t)
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const one = run(place, path, {
    makers: withTiles('one', () => {
      begun.resolve()
      return goOn.promise
    }),
  })
  await begun.promise
  assert.equal((await look(place)).tiles, 'first', 'nobody sees what is not finished')
  await assert.rejects(run(place, path), (error) => error instanceof MapRefusal && /Another import/.test(error.message))
  await assert.rejects(removeMap(place), /Another import of a map is running/)
  goOn.resolve()
  await one
  assert.deepEqual(await look(place), { states: ['current'], name: 'Town', tiles: 'one', folders: 1 })
})

test('an import that was taken for left behind does not become current', async (t) => {
  const { place, path } = await withFirst(t)
  const database = openDatabase({ url: place.databaseUrl, connections: 1, onIdleError: () => {} })
  cleanUpOf(t).defer(database.close)
  const { everyone: db } = database
  // As when the connection with the lock breaks, and a server that starts tidies up.
  const meanwhile = async () => {
    await db.run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'waybill map'`)
    await tidyImports(place, db)
  }
  await assert.rejects(run(place, path, { makers: withTiles('x', meanwhile) }), /nothing was changed|ENOENT/)
  assert.deepEqual(await look(place), first)
})

const child = join(import.meta.dirname, '../test/map-child.ts')

/** Starts an import, and kills it when it has reached this moment. */
async function killAt(moment: string, { databaseUrl, dataFolder }: Place, path: string) {
  const started = spawn(process.execPath, [child, databaseUrl, dataFolder, path, moment], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [reached] = await Promise.race([once(started.stdout, 'data'), once(started, 'exit')])
  assert.equal(String(reached).trim(), moment)
  started.kill('SIGKILL')
  await once(started, 'exit')
}

for (const moment of ['reading', 'halfway', 'finishing', 'storing'])
  test(`an import that is killed while ${moment} leaves what was there, and the next start of a server tidies up`, async (t) => {
    const { place, path } = await withFirst(t)
    await killAt(moment, place, path)
    const left = await look(place)
    assert.deepEqual([left.name, left.tiles, left.states], ['First', 'first', ['current', 'making']])
    const database = openDatabase({ url: place.databaseUrl, connections: 1, onIdleError: () => {} })
    cleanUpOf(t).defer(database.close)
    await tidyImports(place, database.everyone)
    assert.deepEqual(await look(place), first)
  })

test('an import that is killed after it became current is complete, and the next import removes the old one', async (t) => {
  const { place, path } = await withFirst(t)
  await killAt('removing', place, path)
  const left = await look(place)
  assert.deepEqual([left.name, left.tiles, left.states], ['New', 'new', ['leaving', 'current']])
  await run(place, path)
  assert.deepEqual(await look(place), { states: ['current'], name: 'Town', tiles: 'tiles', folders: 1 })
})

test('a disk that fills up while the extract is read changes nothing', async (t) => {
  const place = await makePlace(t)
  // More nodes than fit: twelve bytes for each, and a page is written when it is full.
  const nodes = Array.from({ length: 200_000 }, (_, index) => ({ id: index + 1, lat: 45, lng: 21 }))
  const path = await writeExtract(join(place.folder, 'large.osm.pbf'), { nodes })
  await mkdir(place.dataFolder)
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place.dataFolder])
  if (mount.status !== 0) return t.skip('a small disk can only be mounted by root, and not in every container')
  cleanUpOf(t).defer(() => void execFileSync('umount', ['--lazy', place.dataFolder]))
  await run(place, await drawExtract(place.folder), { name: 'First', makers: withTiles('first') })
  await assert.rejects(
    run(place, path),
    /^MapRefusal: The disk that holds .*data, or the database, is full .* nothing was changed/,
  )
  assert.deepEqual(await look(place), first)
})
