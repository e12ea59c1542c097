import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import { enginePolicy } from '../outside/addresses.ts'
import { createOutside } from '../outside/fetch.ts'
import { openS3 } from '../outside/files/s3.ts'
import type { FileStore } from '../outside/files/store.ts'
import { cleanUpOf } from '../test/clean-up.ts'
import { drawTown } from '../test/extract.ts'
import { withTiles } from '../test/map-part.ts'
import { s3Credentials, startS3 } from '../test/s3.ts'
import { request, startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import { followMap } from './current.ts'
import { importMap, removeMap } from './run.ts'
import { tilesFile } from './tiles/maker.ts'

async function makeFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-map-test-'))
  cleanUpOf(t).defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

interface Given {
  tiles: string
  dataFolder: string
  store?: FileStore
}

/** An import beside a running server. Returns its id. */
async function importInto(t: TestContext, { config }: TestServer, { tiles, dataFolder, store }: Given) {
  const town = drawTown()
  town.street('Strada Morii', [
    [45.1, 21.1],
    [45.2, 21.2],
  ])
  const path = await town.write(join(await makeFolder(t), 'town.osm.pbf'), { date: new Date('2026-11-01T20:00:00Z') })
  const databaseUrl = config.databaseUrl as string
  const place = { databaseUrl, dataFolder, store }
  cleanUpOf(t).defer(async () => void (await removeMap(place)))
  const makers = withTiles(tiles)
  return importMap({ ...place, path, name: 'Town', signal: new AbortController().signal, makers })
}

const readParts = async (url: string, path: string) => {
  const { status, headers, text } = await request(url, 'GET', path, { headers: { range: 'bytes=0-3' } })
  return [status, headers.get('cache-control'), text]
}

test('a running server shows each import at an address of its own, and afterwards what was there before', async (t) => {
  const server = await startServer(t)
  const { url, config } = server
  const { dataFolder } = config
  const described = async () => (await request(url, 'GET', '/console.json')).body
  assert.deepEqual([(await described()).tiles, (await described()).map], [undefined, undefined])
  await writeFile(join(dataFolder, tilesFile), 'operator')
  cleanUpOf(t).defer(() => rm(join(dataFolder, tilesFile), { force: true }))

  const first = await importInto(t, server, { tiles: 'first import', dataFolder })
  const tiles = `/map/tiles.pmtiles?import=${first.id}`
  const shown = await until('the import', async () => {
    const { body } = await request(url, 'GET', '/tracking.json')
    return body.tiles === tiles && body
  })
  assert.deepEqual(shown.map, {
    name: 'Town',
    bounds: [21.1, 45.1, 21.2, 45.2],
    date: '2026-11-01T20:00:00.000Z',
    importedAt: first.finished_at?.toISOString(),
  })
  const unchanging = 'public, max-age=31536000, immutable'
  assert.deepEqual(await readParts(url, tiles), [206, unchanging, 'firs'])
  assert.deepEqual(await readParts(url, '/map/tiles.pmtiles'), [206, 'no-cache', 'firs'])

  const second = await importInto(t, server, { tiles: 'second import', dataFolder })
  assert.ok(second.id > first.id)
  await until('the other import', async () => (await described()).tiles === `/map/tiles.pmtiles?import=${second.id}`)
  assert.equal((await readParts(url, `/map/tiles.pmtiles?import=${second.id}`))[2], 'seco')
  // Whoever still has the old address must not get parts of another file.
  for (const gone of [first.id, 'x', '../..', `${second.id}/../${second.id}`, ''])
    assert.equal((await request(url, 'GET', `/map/tiles.pmtiles?import=${gone}`)).status, 404, String(gone))

  await removeMap({ databaseUrl: config.databaseUrl as string, dataFolder, store: undefined })
  await until('what the operator put there', async () => (await described()).tiles === '/map/tiles.pmtiles')
  assert.deepEqual([(await described()).map, (await readParts(url, '/map/tiles.pmtiles'))[2]], [undefined, 'oper'])
})

/** Another process on the same database, with a data folder of its own. */
async function anotherProcess(t: TestContext, { database }: TestServer, store?: FileStore) {
  const dataFolder = await makeFolder(t)
  const said: string[] = []
  const log = createLog('warn', { write: (line: string) => said.push(line) } as unknown as NodeJS.WriteStream)
  const metrics = createMetrics()
  const missing = metrics.mapMissing
  const maps = followMap({
    db: database.everyone,
    notices: { onRing: () => () => {} },
    dataFolder,
    store,
    log,
    missing,
  })
  cleanUpOf(t).defer(maps.close)
  const isMissing = async () => /^waybill_map_missing 1$/m.test(await metrics.registry.metrics())
  return { maps, said, dataFolder, isMissing }
}

async function aBucket(t: TestContext) {
  const s3 = await startS3()
  cleanUpOf(t).defer(async () => void (await s3.close()))
  const outside = createOutside(enginePolicy)
  cleanUpOf(t).defer(outside.close)
  const place = { bucket: 'waybill', prefix: '', region: 'eu-central-1', endpoint: s3.url, sessionToken: undefined }
  return { s3, store: openS3(outside, { ...place, ...s3Credentials }) }
}

test('a map that has come does not go away again when somebody who asked before it came is answered late', async (t) => {
  const server = await startServer(t)
  const { database, config } = server
  const db = database.everyone
  const late = Promise.withResolvers<void>()
  let asked = 0
  const find: typeof db.find = async (query) => {
    asked += 1
    const isFirst = asked === 1
    const found = await db.find<never>(query)
    if (isFirst) await late.promise
    return found
  }
  const maps = followMap({
    db: { ...db, find },
    notices: { onRing: () => () => {} },
    dataFolder: config.dataFolder,
    store: undefined,
    log: createLog('silent'),
    missing: createMetrics().mapMissing,
  })
  cleanUpOf(t).defer(maps.close)
  cleanUpOf(t).defer(late.resolve)
  await until('its own first look', () => asked === 1)
  await importInto(t, server, { tiles: 'tiles', dataFolder: config.dataFolder })
  assert.equal((await maps.current())?.name, 'Town')

  late.resolve()
  await setImmediate()
  assert.equal((await maps.current())?.name, 'Town')
})

test('a process with a data folder of its own takes the files from the store', async (t) => {
  const server = await startServer(t)
  const { s3, store } = await aBucket(t)
  const { maps, said, dataFolder, isMissing } = await anotherProcess(t, server, store)
  // More than one part.
  const tiles = 'tiles '.repeat(2_000_000)
  const { id } = await importInto(t, server, { tiles, dataFolder: await makeFolder(t), store })
  assert.equal(s3.objects.size, 2)

  await maps.look()
  const path = (await maps.current())?.pathOf(tilesFile)
  assert.equal(path, join(dataFolder, 'map', String(id), tilesFile))
  const before = s3.requests.length
  await maps.look()
  assert.deepEqual([s3.requests.length, said, await isMissing()], [before, [], false], 'it has them now')

  const next = await importInto(t, server, { tiles: 'others', dataFolder: await makeFolder(t), store })
  await maps.look()
  assert.deepEqual(await readdir(join(dataFolder, 'map')), [String(next.id)], 'old ones go')
  assert.deepEqual(
    [...s3.objects.keys()].map((key) => key.includes(String(next.id))),
    [true],
  )
})

test('a process that cannot get the files says so once, and goes on without', async (t) => {
  const server = await startServer(t)
  const { s3, store } = await aBucket(t)
  const alone = await anotherProcess(t, server)
  const robbed = await anotherProcess(t, server, store)
  await importInto(t, server, { tiles: 'tiles', dataFolder: await makeFolder(t), store })
  s3.objects.clear()
  for (const { maps, said, isMissing, dataFolder } of [alone, robbed]) {
    await maps.look()
    await maps.look()
    const map = await maps.current()
    assert.deepEqual([map?.name, map?.pathOf(tilesFile), await isMissing()], ['Town', undefined, true])
    assert.equal(said.length, 1)
    assert.match(
      String(said),
      /\\"Town\\" is not on this machine, .* or a file store \(WAYBILL_FILES\) and import again/,
    )
    assert.deepEqual(await readdir(join(dataFolder, 'map')).catch(() => []), [])
  }
  assert.match(String(robbed.said), /The file store lacks part 1 of 1 of map.pmtiles/)
})
