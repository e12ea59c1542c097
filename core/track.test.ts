import assert from 'node:assert/strict'
import { test } from 'node:test'
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
})
