import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Point } from './geo.ts'
import { createTrack, type Fix, thin } from './track.ts'

const start = Date.parse('2026-11-16T08:00:00Z')
const metre = 1 / 111_195
const fix = (metres: number, seconds: number, accuracyMetres: number | null = 8): Fix => ({
  lat: 44 + metres * metre,
  lng: 26,
  at: new Date(start + seconds * 1_000),
  accuracyMetres,
})
const metresOf = (...fixes: Fix[]) => {
  const { add, track } = createTrack()
  add(fixes)
  return Math.round(track.metres)
}

test('a drive is as long as its steps, and standing still is no drive', () => {
  assert.equal(metresOf(), 0)
  assert.equal(metresOf(fix(0, 0)), 0)
  assert.equal(metresOf(fix(0, 0), fix(100, 10), fix(250, 20)), 250)
  const standing = Array.from({ length: 1_000 }, (_, second) => fix((second * 7) % 12, second))
  assert.equal(metresOf(...standing), 0)
})

test('a position in another town, and one that could be anywhere, does not lengthen a drive', () => {
  assert.equal(metresOf(fix(0, 0), fix(100, 10), fix(50_000, 11), fix(200, 20)), 200)
  assert.equal(metresOf(fix(0, 0), fix(900, 10, 2_000), fix(200, 20)), 200)
})

test('a drawn track has few points, its ends, and its corners', () => {
  const corner = Array.from({ length: 200 }, (_, index) =>
    index < 100
      ? { lat: 44 + index * 20 * metre, lng: 26 }
      : { lat: 44 + 1_980 * metre, lng: 26 + (index - 99) * 20 * metre },
  )
  const drawn = thin(corner, 1_000)
  assert.deepEqual(drawn, [corner[0], corner[99], corner[199]])
  const zigzag = Array.from({ length: 5_000 }, (_, index) => ({
    lat: 44 + index * 20 * metre,
    lng: 26 + (index % 2) / 100,
  }))
  assert.ok(thin(zigzag, 1_000).length <= 1_000)
  assert.deepEqual(thin([], 10), [])
  assert.deepEqual(thin(corner.slice(0, 1), 10), corner.slice(0, 1))
})

test('a drawn track shows a way back, and is nowhere far from the drive', () => {
  const there = Array.from({ length: 50 }, (_, index) => ({ lat: 44 + index * 20 * metre, lng: 26 }))
  assert.deepEqual(thin([...there, ...there.slice(0, 25).reverse()], 1_000), [there[0], there[49], there[0]])
  const curve = Array.from({ length: 2_000 }, (_, index) => ({
    lat: 44 + Math.sin(index / 150) / 100,
    lng: 26 + Math.sin(index / 90) / 100,
  }))
  const drawn = thin(curve, 1_000)
  assert.ok(drawn.length < 200, `${drawn.length} points`)
  for (const place of curve) {
    const away = Math.min(...drawn.slice(1).map((end, index) => metresFrom(drawn[index]!, end, place)))
    assert.ok(away < 16, `${away} m from the drawn line`)
  }
})

/** The distance of a point from a line between two others, on a plane. */
function metresFrom(from: Point, to: Point, { lat, lng }: Point): number {
  const scale = Math.cos((from.lat * Math.PI) / 180)
  const [dx, dy] = [(to.lng - from.lng) * scale, to.lat - from.lat]
  const [x, y] = [(lng - from.lng) * scale, lat - from.lat]
  const along = Math.min(1, Math.max(0, (x * dx + y * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(x - along * dx, y - along * dy) / metre
}
