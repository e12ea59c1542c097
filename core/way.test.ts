import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Point } from './geo.ts'
import { encodePolyline } from './polyline.ts'
import { isOffLines, type KnownLine, lacksLines, linesOf, wayThrough } from './way.ts'

/** Some hundred metres north and east of a corner. */
const at = (east: number, north: number): Point => ({ lat: 45 + north * 0.0009, lng: 21 + east * 0.00127 })
const [depot, school, bridge, mill] = [at(0, 0), at(2, 0), at(2, 3), at(5, 3)]
/** Round a corner, so that it is no straight line. */
const road = (from: Point, to: Point): KnownLine => ({
  from,
  to,
  line: encodePolyline([from, { lat: from.lat, lng: to.lng }, to]),
})
const parts = (...given: Parameters<typeof wayThrough>) =>
  wayThrough(...given).map(({ points, isRoad }) => [isRoad ? 'road' : 'straight', points.length])

test('a way follows the roads from stop to stop, and is straight where none is known', () => {
  const lines = linesOf(depot, [
    { ...school, line: road(depot, school).line },
    { lat: null, lng: null, line: null },
    { ...mill, line: road(school, mill).line },
    { ...bridge, line: null },
  ])
  assert.equal(lines.length, 3, 'a stop without a place is passed over')
  assert.deepEqual(parts(depot, [school, mill, bridge], lines), [
    ['road', 3],
    ['road', 3],
    ['straight', 2],
  ])
})

test('after another order no line is taken for another', () => {
  const lines = [road(depot, school), road(school, mill)]
  assert.deepEqual(parts(undefined, [mill, school], lines), [['straight', 2]], 'the way back is another one')
  assert.ok(lacksLines([mill, school], lines))
  assert.ok(!lacksLines([school, mill], lines))
  assert.ok(!lacksLines([school, mill], [{ ...road(depot, school), line: null }, road(school, mill)]), 'there is none')
  assert.ok(lacksLines([depot], lines), 'nobody asked for a way to it')
})

test('a driver who follows the line sees what is left of it, and one on another road a straight line', () => {
  const lines = [road(depot, mill)]
  const [way] = wayThrough(at(2.5, 0.1), [mill], lines)
  assert.ok(way?.isRoad)
  assert.equal(way.points.length, 3)
  assert.ok(Math.abs((way.points[0]?.lng ?? 0) - at(2.5, 0).lng) < 1e-6, 'it begins beside them, on the road')
  assert.ok(!isOffLines(at(2.5, 0.1), mill, lines))
  assert.deepEqual(parts(at(2, 2), [mill], lines), [['straight', 2]])
  assert.ok(isOffLines(at(2, 2), mill, lines))
  assert.ok(isOffLines(at(2, 2), bridge, lines), 'nobody has asked how to get there')
  assert.ok(!isOffLines(at(2, 2), bridge, [{ ...road(depot, bridge), line: null }]), 'no road leads there')
})

test('what is between the road and a door is not drawn as a road', () => {
  const door = at(2, 0.5)
  const line = encodePolyline([depot, school])
  assert.deepEqual(parts(depot, [door], [{ from: depot, to: door, line }]), [
    ['road', 2],
    ['straight', 2],
  ])
  assert.deepEqual(parts(undefined, [depot, door], [{ from: depot, to: door, line: '' }]), [['straight', 2]])
})
