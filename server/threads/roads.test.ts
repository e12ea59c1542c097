import assert from 'node:assert/strict'
import { copyFile, readdir, readlink, truncate, writeFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { createLog } from '../log.ts'
import type { CurrentMap } from '../map/current.ts'
import { openRouter } from '../map/roads/router.ts'
import { cleanUpOf } from '../test/clean-up.ts'
import { at, makeTown } from '../test/river-town.ts'
import { createRoads } from './roads.ts'

/** The import that is current is the file at `path`; none if there is none. */
function start(t: TestContext, options: Partial<Parameters<typeof createRoads>[0]> = {}) {
  const said: string[] = []
  const log = createLog('warn', { write: (line: string) => said.push(line) } as unknown as NodeJS.WriteStream)
  const map: { path: string | undefined } = { path: undefined }
  const current = async () => ({ pathOf: () => map.path }) as unknown as CurrentMap
  const roads = createRoads({ log, maps: { current }, ...options })
  cleanUpOf(t).defer(roads.close)
  return { ...roads, map, said }
}

const places = [at(2, 0.5), at(3, 0.5), at(1, 1)]

test('the thread finds what the router would have found', async (t) => {
  const { table, legs, map, said } = start(t)
  map.path = await makeTown(t)
  const router = openRouter(map.path)
  assert.deepEqual(await table('van', places), router.table('van', places))
  assert.deepEqual(await legs('foot', places), router.legs('foot', places))
  router.close()
  assert.deepEqual(said, [])
})

test('without an import nothing is known, and another one is taken over while the process runs', async (t) => {
  const { table, map, said } = start(t)
  assert.equal(await table('car', places), undefined)
  map.path = await makeTown(t)
  const over = (await table('car', places))?.metres[1]
  const first = map.path
  map.path = await makeTown(t, { bridge: 0 })
  assert.deepEqual([over, (await table('car', places))?.metres[1]], [400, 200])
  const opened = await readdir('/proc/self/fd').catch(() => [])
  const files = await Promise.all(opened.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  assert.ok(!files.includes(first), 'the old one is let go')
  assert.deepEqual(said, [])
})

test('a file that is missing or damaged is said once, and asked for again after a rest', async (t) => {
  const { table, legs, map, said } = start(t, { restMs: 0 })
  const good = await makeTown(t)
  map.path = `${good}.gone`
  for (const answer of [await table('car', places), await legs('car', places)]) assert.equal(answer, undefined)
  assert.equal(said.length, 1)
  assert.match(
    said[0]!,
    /no such file.*The imported roads cannot be searched; travel times are estimates until they can/,
  )

  await copyFile(good, map.path)
  await truncate(map.path, 5_000)
  assert.equal(await table('car', places), undefined)
  assert.equal(said.length, 1)
  await copyFile(good, map.path)
  assert.equal((await table('car', places))?.seconds.length, 9)
})

test('a file that failed is left alone for a while', async (t) => {
  const { table, map, said } = start(t)
  const good = await makeTown(t)
  map.path = `${good}.gone`
  assert.equal(await table('car', places), undefined)
  await writeFile(map.path, 'no roads')
  assert.equal(await table('car', places), undefined)
  assert.match(String(said), /no such file/)
  map.path = good
  assert.ok(await table('car', places), 'that does not hold for the next import')
})

test('a thread that breaks or is stuck answers nothing, and says so once', async (t) => {
  const path = await makeTown(t)
  for (const [options, words] of [
    [{ memoryMb: 3 }, /A roads thread crashed and was replaced/],
    [{ mostMs: 1 }, /The search took too long.*travel times are estimates/],
  ] as const) {
    const { table, map, said } = start(t, options)
    map.path = path
    assert.equal(await table('car', places), undefined)
    assert.equal(await table('car', places), undefined)
    assert.equal(said.length, 1)
    assert.match(said[0]!, words)
  }
})

test('those who would wait too long get nothing at once, and the others their answer', async (t) => {
  const { table, map, said } = start(t, { mostWaiting: 2 })
  map.path = await makeTown(t)
  const answers = await Promise.all(Array.from({ length: 8 }, () => table('car', places)))
  assert.equal(answers.filter((answer) => answer).length, 3)
  assert.equal(said.length, 1)
  assert.match(said[0]!, /Too many search the roads at once/)
})

test('nobody gets a table of more places than there may be', async (t) => {
  const { table, map } = start(t)
  map.path = await makeTown(t)
  assert.equal(
    await table(
      'car',
      Array.from({ length: 2_001 }, () => at(1, 1)),
    ),
    undefined,
  )
})
