import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { drawBlock, drawRoads, east, pointAt, west } from '../../test/drawn-roads.ts'
import { readCircle } from './circle.ts'
import { openRoadFile } from './file.ts'
import { profiles } from './profiles.ts'
import { WrongFile } from './sections.ts'

test('the same extract becomes the same file', async (t) => {
  const paper = drawBlock({ access: 'private' })
  paper.restriction({ restriction: 'no_right_turn' }, paper.ways.south, { node: [0, 200] }, paper.ways.across)
  const files = await Promise.all([1, 2].map(async () => readFile((await paper.make(t)).path)))
  assert.ok((files[0] as Buffer).equals(files[1] as Buffer))
})

test('a file that is damaged, cut off, of another version or something else is refused in a sentence', async (t) => {
  const { path } = await drawBlock().make(t)
  const whole = await readFile(path)
  const open = async (bytes: Buffer) => {
    await writeFile(path, bytes)
    const roads = openRoadFile(path)
    for (const profile of profiles) {
      roads.graphOf(profile)
      roads.hierarchyOf(profile)
    }
    roads.close()
  }
  const changed = (at: number) => {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] as number) ^ 1
    return bytes
  }
  await open(whole)
  for (const [bytes, says] of [
    [changed(64), /is damaged: import the map again$/],
    [changed(Math.floor(whole.length / 3)), /is damaged/],
    [changed(whole.length - 10), /is damaged/],
    [whole.subarray(0, whole.length - 1), /is damaged/],
    [whole.subarray(0, 20), /is damaged/],
    [changed(8), /was made by another version of Waybill: import the map again$/],
    [changed(0), /is no file of roads$/],
  ] as const)
    await assert.rejects(open(bytes), (error) => error instanceof WrongFile && says.test(error.message), `${says}`)
})

test('where there are too many roads none are prepared, unless they are wanted around a place only', async (t) => {
  const paper = drawBlock()
  const far = paper.road([
    [0, 5_000],
    [400, 5_000],
  ])
  assert.ok(far)
  const all = await paper.open(t)
  assert.equal(all.made.tooMany, undefined)
  const none = await paper.open(t, { mostPoints: 8 })
  assert.deepEqual([none.made.tooMany, none.made.segments], [true, 0])
  assert.equal(none.metres('car', west, east), undefined)

  const around = { ...pointAt([200, 200]), metres: 1_000 }
  const near = await paper.open(t, { around, mostPoints: all.made.junctions * 4 })
  assert.deepEqual([near.made.tooMany, near.made.segments], [undefined, all.made.segments - 1])
  assert.equal(near.metres('car', west, east), all.metres('car', west, east))
  assert.equal(near.spot('car', [200, 5_000]), undefined)
})

test('a circle is said by a place and kilometres', () => {
  assert.deepEqual(readCircle(' 45.75, 21.23,60'), { lat: 45.75, lng: 21.23, metres: 60_000 })
  for (const text of [
    '',
    '45.75,21.23',
    '45,75,21,23,60',
    '91,21,60',
    '45,181,60',
    '45,21,0',
    '45,21,1001',
    '45,21,x',
    '45,,60',
  ])
    assert.equal(readCircle(text), undefined, text)
})

test('an extract without roads has a file in which nothing is found', async (t) => {
  const paper = drawRoads()
  paper.way(
    [
      [0, 0],
      [100, 0],
    ],
    { waterway: 'stream' },
  )
  const roads = await paper.open(t)
  assert.deepEqual([roads.made.segments, roads.made.junctions, roads.made.forbiddenTurns], [0, 0, 0])
  for (const profile of profiles) assert.equal(roads.spot(profile, [10, 0]), undefined)
  assert.equal(roads.metres('car', west, east), undefined)
})

test('what an import says of roads is how many there are', async (t) => {
  const paper = drawBlock()
  paper.restriction({ restriction: 'no_right_turn' }, paper.ways.south, { node: [0, 200] }, paper.ways.across)
  // Nobody knows what is meant: both ends of the street fit.
  paper.restriction({ restriction: 'no_u_turn' }, paper.ways.south, { node: [7, 7] }, paper.ways.south)
  const { made } = await paper.open(t)
  assert.deepEqual([made.segments, made.junctions, made.forbiddenTurns], [3, 2, 1])
  assert.ok(made.bytes > 1_000)
})

test('whoever stops an import stops it here, too', async (t) => {
  const stopping = new AbortController()
  stopping.abort(new Error('Stopped'))
  await assert.rejects(drawBlock().make(t, { signal: stopping.signal }), /Stopped/)
})
