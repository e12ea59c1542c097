import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { distanceMetres, type Point } from '../../../core/geo.ts'
import { decodePolyline } from '../../../core/polyline.ts'
import { cleanUpOf } from '../../test/clean-up.ts'
import { drawRoads } from '../../test/drawn-roads.ts'
import { at, makeTown } from '../../test/river-town.ts'
import { profiles } from './profiles.ts'
import { openRouter, unknown } from './router.ts'

async function open(t: TestContext, path?: string) {
  const router = openRouter(path ?? (await makeTown(t)))
  cleanUpOf(t).defer(async () => router.close())
  const metres = (from: Point, to: Point) => router.table('car', [from, to]).metres[1]!
  const lineOf = (from: Point, to: Point) => decodePolyline(router.legs('car', [from, to])[0]?.line ?? '')
  return { ...router, metres, lineOf }
}

const isNear = (found: number, expected: number) =>
  assert.ok(Math.abs(found - expected) <= 3, `${found} instead of about ${expected}`)

test('who has to cross the river goes over the bridge, and the line shows it', async (t) => {
  const { metres, lineOf } = await open(t)
  isNear(metres(at(2, 0.5), at(3, 0.5)), 400)
  const line = lineOf(at(2, 0.5), at(3, 0.5))
  for (const [index, place] of [at(2, 0.5), at(2, 1), at(2, 2), at(3, 2), at(3, 1), at(3, 0.5)].entries())
    assert.ok(distanceMetres(line[index]!, place) < 2, `corner ${index}`)
  assert.equal(line.length, 6)
})

test('who lives behind on a one-way street is reached by going round', async (t) => {
  const { metres, lineOf } = await open(t)
  isNear(metres(at(0.2, 4), at(0.7, 4)), 50)
  assert.equal(lineOf(at(0.2, 4), at(0.7, 4)).length, 2)
  isNear(metres(at(0.7, 4), at(0.2, 4)), 350)
})

test('two at one door are no trip apart, and neighbours walk across the yard', async (t) => {
  const { metres, table, lineOf } = await open(t)
  assert.deepEqual([...table('car', [at(1.5, 2.4), at(1.5, 2.4)]).seconds], [0, 0, 0, 0])
  const [one, other] = [at(1.5, 2.4), at(1.52, 2.4)]
  isNear(metres(one, other), distanceMetres(one, other))
  assert.equal(lineOf(one, other).length, 2)
})

test('a trip in a table is the same as alone, and takes as long as its line is driven', async (t) => {
  const { table, legs } = await open(t)
  const places = [at(0.3, 0.1), at(3.6, 4), at(2, 2), at(4.1, 0), at(0.7, 4), at(0.2, 4), at(0.2, 3.9), at(1, 3.5)]
  for (const profile of profiles) {
    const { seconds, metres } = table(profile, places)
    for (const [index, leg] of legs(profile, places).entries()) {
      const trip = index * places.length + index + 1
      assert.deepEqual([leg?.seconds, leg?.metres], [seconds[trip], metres[trip]], `${profile}, leg ${index}`)
      const line = decodePolyline(leg?.line ?? '')
      const along = line.slice(1).reduce((sum, point, before) => sum + distanceMetres(line[before]!, point), 0)
      const toDoors = distanceMetres(places[index]!, line[0]!) + distanceMetres(line.at(-1)!, places[index + 1]!)
      isNear(along + toDoors, leg!.metres)
    }
  }
})

test('nothing is known of a place without a road near it, or of a map without roads', async (t) => {
  const { table, legs } = await open(t)
  const places = [at(1, 1), at(90, 1), at(2, 2)]
  const { seconds, metres } = table('car', places)
  for (const list of [seconds, metres]) {
    assert.deepEqual([list[1], list[3], list[5], list[7]], [unknown, unknown, unknown, unknown])
    assert.ok(list[2]! > 0 && list[6]! > 0)
  }
  assert.deepEqual(legs('car', places), [undefined, undefined])

  const empty = await open(t, (await drawRoads().make(t)).path)
  assert.deepEqual([...empty.table('car', [at(1, 1), at(2, 2)]).metres], [0, unknown, unknown, 0])
  assert.deepEqual(empty.legs('foot', [at(1, 1), at(2, 2)]), [undefined])
})
