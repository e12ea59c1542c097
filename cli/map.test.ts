import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../server/config.ts'
import { createLog } from '../server/log.ts'
import { startServer } from '../server/main.ts'
import { cleanUpOf } from '../server/test/clean-up.ts'
import { prepareFolder } from '../server/test/cluster.ts'
import { makeDatabase } from '../server/test/database.ts'
import { drawTown } from '../server/test/extract.ts'
import { quiet, request } from '../server/test/server.ts'
import { until } from '../server/test/until.ts'
import { runHere as run } from './test/run-here.ts'

const program = join(import.meta.dirname, 'waybill.ts')

async function makeFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-map-test-'))
  // Where PostgreSQL cannot enter, because it does not run as root, its database is put elsewhere and would stay.
  await chmod(folder, 0o755)
  cleanUpOf(t).defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function drawExtract(folder: string, date?: Date) {
  const town = drawTown()
  const corners = [
    [45.1, 21.1],
    [45.2, -21.2],
  ] as [number, number][]
  town.street('Strada Morii', corners)
  town.house('Strada Morii', '1', [45.11, 21.1], { building: 'yes' })
  town.house('Strada Morii', '3', [45.12, 21.1])
  return town.write(join(folder, 'timis-latest.osm.pbf'), date && { date })
}

test('beside a running server and its embedded database, or without one, a map is imported, shown and removed', async (t) => {
  const folder = await makeFolder(t)
  const environment = { WAYBILL_DATA: join(folder, 'data') }
  await prepareFolder(environment.WAYBILL_DATA)
  const config = readConfig({ ...quiet, DATABASE_URL: '', ...environment })
  const server = await startServer(config, createLog(config.log, process.stderr))
  cleanUpOf(t).defer(server.stop)
  const path = await drawExtract(folder, new Date('2026-11-01T20:00:00Z'))

  const none = await run(environment, 'map')
  assert.match(none.out, /^No map is imported\. "waybill map import FILE" imports an extract/)
  const imported = await run(environment, 'map', 'import', path)
  assert.deepEqual([imported.code, imported.err], [0, ''])
  assert.match(imported.out, /^Imported in [\d.]+ s; running servers use it now\.\n/)
  const { out } = await run(environment, 'map')
  for (const line of [
    /^ {2}name +timis$/m,
    /^ {2}area +45\.10° N to 45\.20° N, 21\.20° W to 21\.10° E$/m,
    /^ {2}OpenStreetMap of +2026-11-01 20:00Z$/m,
    /^ {2}imported +\d{4}-\d\d-\d\d \d\d:\d\dZ from timis-latest\.osm\.pbf \(1 kB\)$/m,
    /^ {2}found +0 areas, 1 road, 1 building, 2 house numbers$/m,
    /^ {2}roads +1 segment, 2 junctions, 0 forbidden turns, \d+ seconds? to prepare$/m,
  ])
    assert.match(out, line)
  await until('the server to know', async () => {
    const { body } = await request(server.url, 'GET', '/console.json')
    return body.map?.name === 'timis'
  })
  assert.match((await run(environment, 'map', 'remove')).out, /^Removed the map "timis"\.$/m)
  assert.match((await run(environment, 'map', 'show')).out, /^No map is imported/)

  await server.stop()
  assert.match((await run(environment, 'map', 'import', path, '--name', 'Timiș')).out, /name +Timiș$/m)
  assert.match((await run(environment, 'map')).out, /name +Timiș$/m, 'without a server, too')
})

test('a file that cannot be imported is refused in one sentence', async (t) => {
  const { url, drop } = await makeDatabase()
  cleanUpOf(t).defer(drop)
  const folder = await makeFolder(t)
  const environment = { DATABASE_URL: url, WAYBILL_DATA: join(folder, 'data') }
  const text = join(folder, 'notes.txt')
  await writeFile(text, 'notes')
  const path = await drawExtract(folder)
  for (const [args, says] of [
    [[join(folder, 'gone.osm.pbf')], /^No such file or folder: .*gone\.osm\.pbf\.\n$/],
    [[text], /notes\.txt is something else: an extract of OpenStreetMap in the format PBF is needed.*\n$/],
    [[path, '--roads-around', '45,75;21,23'], /^--roads-around must be latitude, longitude and kilometres .*\.\n$/],
    [[path, '--name', 'x'.repeat(121)], /^--name must be 1 to 120 characters\.\n$/],
    [[], /^FILE is missing; see "waybill map import --help"\.\n$/],
  ] as const) {
    const { code, err } = await run(environment, 'map', 'import', ...args)
    assert.notEqual(code, 0)
    assert.match(err, says)
  }
  const { out } = await run(environment, 'map', 'import', path, '--name', 'Județul Timiș')
  assert.match(out, /name +Județul Timiș\n.*\n +OpenStreetMap of +unknown: the file does not say/)
})

test("speeds on roads are an operator's, where a file names them", async (t) => {
  const { url, drop } = await makeDatabase()
  cleanUpOf(t).defer(drop)
  const folder = await makeFolder(t)
  const speeds = join(folder, 'speeds.json')
  const environment = { DATABASE_URL: url, WAYBILL_DATA: join(folder, 'data'), WAYBILL_ROAD_SPEEDS: speeds }
  const path = await drawExtract(folder)
  await writeFile(speeds, '{ "car": { "residential": "slow" } }')
  const { code, err } = await run(environment, 'map', 'import', path)
  assert.notEqual(code, 0)
  assert.equal(
    err,
    'The file of speeds speeds.json must have a number from 1 to 200 (km/h) for car.residential, not "slow".\n',
  )
  assert.match((await run(environment, 'map')).out, /^No map is imported/, 'nothing was begun')
  await writeFile(speeds, '{ "car": { "residential": 20 } }')
  const { out } = await run(environment, 'map', 'import', path)
  assert.match(out, /^ {2}speeds +from speeds\.json, where it names them$/m)
})

test('Ctrl-C ends an import in a sentence, and leaves nothing', async (t) => {
  const { url, drop } = await makeDatabase()
  cleanUpOf(t).defer(drop)
  const folder = await makeFolder(t)
  const path = await drawExtract(folder)
  // It waits there until it has been interrupted.
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  cleanUpOf(t).defer(() => client.end())
  await client.query('begin; lock table map_imports in share mode')
  const { WAYBILL_API_KEY: _, ...clean } = process.env
  const environment = { ...clean, DATABASE_URL: url, WAYBILL_DATA: join(folder, 'data') }
  const command = spawn(process.execPath, [program, 'map', 'import', path], { env: environment })
  let said = ''
  command.stderr.on('data', (text) => (said += text))
  await until('the import', async () => {
    const { rowCount } = await client.query(`
      select from pg_locks where relation = 'map_imports'::regclass and not granted`)
    return rowCount === 1
  })
  command.kill('SIGINT')
  await client.query('commit')
  const [code] = await once(command, 'exit')
  assert.deepEqual([code, said], [1, 'Stopped; nothing was changed.\n'])
  assert.equal((await client.query('select from map_imports')).rowCount, 0)
})

test('a backup leaves the map out, and says so; what a restore replaces of it goes with the next start', async (t) => {
  const { url, drop } = await makeDatabase()
  cleanUpOf(t).defer(drop)
  const folder = await makeFolder(t)
  const environment = { DATABASE_URL: url, WAYBILL_DATA: join(folder, 'data') }
  const path = await drawExtract(folder)
  await run(environment, 'map', 'import', path)
  const file = join(folder, 'backup.tar')
  const without = /The imported map "timis" is not in it: "waybill map import" brings it back\.\n/

  assert.match((await run(environment, 'backup', file)).out, without)
  const restored = await run(environment, 'restore', file, '--replace')
  assert.match(restored.out, without)
  assert.match(restored.err, /^The imported map "timis" is gone with what was replaced: import it again\.$/m)
  assert.match((await run(environment, 'map')).out, /^No map is imported/)

  const maps = join(environment.WAYBILL_DATA, 'map')
  assert.equal((await readdir(maps)).length, 1)
  const config = readConfig({ ...quiet, ...environment })
  const server = await startServer(config, createLog(config.log, process.stderr))
  cleanUpOf(t).defer(server.stop)
  await until('what is left to be removed', async () => (await readdir(maps)).length === 0)
})
