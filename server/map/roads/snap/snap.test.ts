import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawBlock, drawRoads, east, middle, type Place, pointAt, west } from '../../../test/drawn-roads.ts'
import { profiles } from '../profiles.ts'
import { ourSpeeds } from '../speeds.ts'

const square = (east: number, north: number, size: number): Place[] => [
  [east, north],
  [east + size, north],
  [east + size, north + size],
  [east, north + size],
  [east, north],
]

test('a place is put on the nearest road, and the walk counts', async (t) => {
  const roads = await drawBlock().open(t)
  const spot = roads.spot('car', [150, 220])
  assert.equal(Math.round(spot?.walkMetres ?? -1), 20)
  assert.ok(Math.abs((spot?.lat ?? 0) - pointAt([150, 200]).lat) < 1e-6)
  assert.ok(Math.abs((spot?.lng ?? 0) - pointAt([150, 200]).lng) < 1e-6)
  const [at, beside] = [roads.go('car', [50, 200], [300, 200]), roads.go('car', [50, 220], [300, 210])]
  assert.equal((beside?.metres ?? 0) - (at?.metres ?? 0), 30)
  assert.ok(Math.abs((beside?.seconds ?? 0) - (at?.seconds ?? 0) - 30 / 1.35) < 0.1)
  assert.equal(roads.metres('car', [150, 220], [150, 220]), 40, 'to the road and back')
})

test('what is too far from any road is on none', async (t) => {
  const roads = await drawBlock().open(t)
  for (const profile of profiles) {
    assert.ok(roads.spot(profile, [-990, 200]), profile)
    assert.equal(roads.spot(profile, [-1_010, 200]), undefined, profile)
  }
  assert.equal(roads.spot('car', [90_000, 200]), undefined)
})

test('of all roads around the nearest is found, wherever squares begin', async (t) => {
  const paper = drawRoads()
  const streets = 24
  for (let at = 0; at < streets; at += 1) {
    paper.road([
      [at * 97, 0],
      [at * 97, (streets - 1) * 97],
    ])
  }
  paper.road(Array.from({ length: streets }, (_, at): Place => [at * 97, 0]))
  const roads = await paper.open(t)
  for (let at = 0; at < 400; at += 1) {
    const place: Place = [(at * 1_237) % 2_230, 20 + ((at * 733) % 2_190)]
    const off = place[0] % 97
    const wanted = Math.min(off, 97 - off, place[1])
    const walk = roads.spot('foot', place)?.walkMetres ?? -1
    assert.ok(Math.abs(walk - wanted) < 0.2, `${place}: ${walk}, not ${wanted}`)
  }
})

test('nobody is put on an island, from which there is no way to the others', async (t) => {
  const paper = drawBlock()
  // A car park that no road leads to, one that can only be entered, and one that can only be left.
  paper.road(square(180, 250, 40))
  paper.road(square(60, 260, 40))
  paper.road(
    [
      [0, 200],
      [60, 260],
    ],
    { oneway: 'yes' },
  )
  paper.road(square(300, 260, 40))
  paper.road(
    [
      [340, 260],
      [400, 200],
    ],
    { oneway: 'yes' },
  )
  const roads = await paper.open(t)
  for (const place of [
    [200, 251],
    [80, 261],
    [320, 261],
  ] as const)
    assert.equal(Math.round(roads.spot('car', place)?.walkMetres ?? 0), place[1] - 200, `${place}`)
  assert.equal(roads.metres('car', [200, 251], [320, 200]), 51 + 120, 'to the street across, and along it')
  assert.ok(roads.go('car', [80, 261], east) && roads.go('car', west, [320, 261]))
  assert.equal(Math.round(roads.spot('foot', [80, 261])?.walkMetres ?? -1), 1, 'on foot one leaves it')
})

test('two places on one street are on the way of each other, and behind is around where it is one-way', async (t) => {
  const two = await drawBlock().open(t)
  assert.equal(two.metres('car', [100, 200], [150, 200]), 50)
  assert.equal(two.metres('car', [150, 200], [100, 200]), 50)
  const one = await drawBlock({ oneway: 'yes' }).open(t)
  assert.equal(one.metres('car', [100, 200], [150, 200]), 50)
  assert.equal(one.metres('car', [150, 200], [100, 200]), 250 + 800 + 100)
  assert.equal(one.metres('foot', [150, 200], [100, 200]), 50)
})

test('on a wide road drivers come and go on the side where the place is', async (t) => {
  const north: Place = [150, 215]
  const south: Place = [150, 185]
  for (const [tags, side, isWide] of [
    [{ highway: 'primary', lanes: '4' }, 'right', true],
    [{ highway: 'primary', lanes: '4' }, 'left', true],
    [{ highway: 'trunk' }, 'right', true],
    [{ highway: 'primary', lanes: '2' }, 'right', false],
  ] as const) {
    const roads = await drawBlock(tags).open(t, { speeds: { speeds: { ...ourSpeeds, side }, from: 'test' } })
    const [near, far] = side === 'right' ? [south, north] : [north, south]
    // Eastward one has the south on the right.
    assert.equal(roads.metres('car', west, near), 20 + 150 + 15, `${tags.highway}, ${side}`)
    assert.equal(roads.metres('car', west, far), isWide ? 180 + 400 + 200 + 250 + 15 : 185, `${tags.highway}, ${side}`)
    assert.equal(roads.metres('foot', west, far), 185)
    assert.equal(roads.metres('car', west, [150, 203]), 173, 'positions are not exact enough for less')
  }
})

test('a private road counts as a little farther away, and a motorway as much', async (t) => {
  for (const [tags, metres] of [
    [{ access: 'private' }, 10],
    [{ highway: 'motorway', oneway: 'no' }, 50],
  ] as const) {
    const paper = drawBlock(tags)
    paper.road([
      [0, 300],
      [400, 300],
    ])
    paper.road([
      [0, 200],
      [0, 300],
      [0, 400],
    ])
    const roads = await paper.open(t)
    assert.ok(Math.abs((roads.spot('car', [200, 249 - metres / 2])?.lat ?? 0) - pointAt([0, 200]).lat) < 1e-6)
    assert.ok(Math.abs((roads.spot('car', [200, 251 - metres / 2])?.lat ?? 0) - pointAt([0, 300]).lat) < 1e-6)
  }
})

test('the line of a way follows the streets, from the point of the road to that of the other', async (t) => {
  const roads = await drawBlock().open(t)
  assert.deepEqual(roads.go('car', [100, 210], [300, 190])?.line, [
    [100, 200],
    [200, 200],
    [300, 200],
  ])
  assert.deepEqual(roads.go('car', [300, 200], [100, 200])?.line, [
    [300, 200],
    [200, 200],
    [100, 200],
  ])
  for (const profile of profiles) {
    const there = roads.go(profile, [10, 100], [390, 300])
    assert.deepEqual(there?.line, [[0, 100], [0, 200], middle, [400, 200], [400, 300]], profile)
    const back = roads.go(profile, [390, 300], [10, 100])
    assert.deepEqual(back?.line, there?.line.toReversed(), profile)
    assert.deepEqual(roads.go(profile, [50, 200], [50, 200])?.line, [[50, 200]], profile)
  }
})
