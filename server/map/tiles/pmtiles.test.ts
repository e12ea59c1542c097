import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { tileIdToZxy, zxyToTileId } from 'pmtiles'
import { readTiles } from '../../test/tiles.ts'
import { idOf } from './hilbert.ts'
import { openTileWriter } from './pmtiles.ts'

const bounds = { west: 21.1, south: 45.7, east: 21.3, north: 45.8 }

/** A file of tiles that hold whatever is given for their number. */
async function writeTiles(t: TestContext, ids: Iterable<number>, contentOf: (id: number) => string) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-tiles-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'map.pmtiles')
  const writer = openTileWriter(path, join(folder, 'work'))
  for (const id of ids) {
    const [z, x, y] = tileIdToZxy(id)
    await writer.add({ z, x, y }, Buffer.from(contentOf(id)))
  }
  const made = await writer.finish({ bounds, metadata: { name: 'Timișoara' } })
  await writer.dispose()
  return { path, made, left: await readdir(join(folder, 'work')) }
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)

/** A number that cannot be told from its neighbours. */
const scatter = (number: number) => Math.imul(number ^ (number >>> 9), 0x9e3779b1) >>> 16

async function contentAt(path: string, id: number) {
  const archive = readTiles(path)
  const [z, x, y] = tileIdToZxy(id)
  return archive.raw(z, x, y)
}

test('tiles have the numbers that readers give them', () => {
  for (const id of [0, 1, 2, 3, 4, 5, 20, 21, 84, 85, 1_000, 5_000, 999_999, 357_913_940]) {
    const [z, x, y] = tileIdToZxy(id)
    assert.equal(idOf({ z, x, y }), id)
    assert.equal(idOf({ z, x, y }), zxyToTileId(z, x, y))
  }
})

for (const count of [1, 10, 100_000])
  test(`of ${count} tiles every one is found again, and no other`, async (t) => {
    // With gaps and lengths of all sizes: what is regular takes no room in a directory.
    const ids = range(0, count).map((index) => index * 9 + (scatter(index) % 8))
    const contentOf = (id: number) => `tile ${id}`.repeat(1 + (scatter(id) % 13))
    const { path, made, left } = await writeTiles(t, ids, contentOf)

    const header = await readTiles(path).header()
    assert.equal(made.tiles, count)
    assert.equal(made.bytes, (await stat(path)).size)
    assert.equal(header.numAddressedTiles, count)
    assert.equal(header.clustered, true)
    assert.ok(header.rootDirectoryOffset + header.rootDirectoryLength < 16_384)
    assert.equal(header.leafDirectoryLength !== 0, count === 100_000)
    const looked =
      count > 1_000 ? [...ids.slice(0, 3), ...ids.filter((_, index) => index % 7_919 === 0), ids.at(-1)] : ids
    for (const id of looked as number[]) {
      assert.equal(await contentAt(path, id), contentOf(id))
      assert.equal(await contentAt(path, ids.includes(id + 1) ? id + 2 : id + 1), undefined)
    }
    assert.deepEqual(left, [], 'what was needed on the way is gone')
  })

test('what many places share is kept once', async (t) => {
  const { path } = await writeTiles(t, range(85, 200), (id) => (id === 100 ? 'a house' : 'water'))

  const header = await readTiles(path).header()
  assert.deepEqual([header.numAddressedTiles, header.numTileEntries, header.numTileContents], [200, 3, 2])
  assert.equal(await contentAt(path, 99), 'water')
  assert.equal(await contentAt(path, 100), 'a house')
  assert.equal(await contentAt(path, 284), 'water')
})

test('the file says where it is and what it is called', async (t) => {
  const { path } = await writeTiles(t, [0, zxyToTileId(14, 9_158, 5_850)], () => 'world')

  const header = await readTiles(path).header()
  assert.deepEqual([header.minLon, header.minLat, header.maxLon, header.maxLat], [21.1, 45.7, 21.3, 45.8])
  assert.deepEqual([header.minZoom, header.maxZoom, header.tileType, header.tileCompression], [0, 14, 1, 2])
  assert.deepEqual(await readTiles(path).metadata(), { name: 'Timișoara' })
  const world = await writeTiles(t, [0, 1], () => 'world')
  assert.equal((await readTiles(world.path).header()).maxZoom, 1, 'so that browsers enlarge what there is')
})

test('a disk that takes nothing is an error, not a file with holes', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-tiles-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const writer = openTileWriter(join(folder, 'map.pmtiles'), '/dev/null/work')
  await writer.add({ z: 0, x: 0, y: 0 }, Buffer.from('world'))

  await assert.rejects(writer.finish({ bounds, metadata: {} }), { code: 'ENOTDIR' })
  await writer.dispose()
})
