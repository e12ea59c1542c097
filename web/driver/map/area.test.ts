import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Point } from '../../map/point.ts'
import { cellsAround } from './area.ts'

const romania = [20, 43, 30, 49] as const
const timisoara: Point = [21.2272, 45.7537]

test('the map around a stop is its tile in every zoom, and those beside it', () => {
  const cells = cellsAround([timisoara], { minZoom: 0, maxZoom: 14, bounds: romania })
  assert.deepEqual(cells[0], { z: 0, x: 0, y: 0 })
  assert.deepEqual(cells[14], { z: 14, x: 9158, y: 5844 })
  const nearest = cells.filter(({ z }) => z === 14)
  assert.equal(nearest.length, 9)
  assert.ok(nearest.some(({ x, y }) => x === 9157 && y === 5843))
})

test('a stop where the tiles have nothing needs none', () => {
  assert.deepEqual(cellsAround([[2.35, 48.85]], { minZoom: 0, maxZoom: 14, bounds: romania }), [])
})

test('of a long day, every stop has its own tiles before any has those around it, and there is a limit', () => {
  const stops = Array.from({ length: 60 }, (_, at): Point => [21 + at / 8, 44 + at / 20])
  const cells = cellsAround(stops, { minZoom: 10, maxZoom: 14, bounds: romania })
  assert.equal(cells.length, 400)
  const [last] = cellsAround(stops.slice(-1), { minZoom: 14, maxZoom: 14, bounds: romania })
  const at = cells.findIndex(({ z, x, y }) => z === 14 && x === last?.x && y === last?.y)
  assert.ok(at >= 0 && at < 300, `at ${at}`)
})
