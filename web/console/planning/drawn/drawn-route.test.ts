import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePolyline } from '../../../../core/polyline.ts'
import { drawnOf, wayOf } from './drawn-route.ts'

const start = { lat: 45, lng: 21 }
const [a, b, c] = [
  { lat: 45.01, lng: 21 },
  { lat: 45.01, lng: 21.01 },
  { lat: 45, lng: 21.01 },
]
const line = (...points: { lat: number; lng: number }[]) => encodePolyline(points)
const driver = { driverId: 1, driverName: 'Ana' }

test('a preview is drawn in both orders, without what is new in the old one, and one stop for tasks at one door', () => {
  const stop = { lineBefore: null, positionBefore: null, stopBefore: null }
  const route = drawnOf(driver, {
    start,
    stops: [
      { ...stop, ...c, position: 1, stop: 1, line: line(start, c) },
      { ...b, position: 2, stop: 2, line: line(c, b), positionBefore: 2, stopBefore: 2, lineBefore: line(a, b) },
      { ...b, position: 3, stop: 2, line: null, positionBefore: 3, stopBefore: 2, lineBefore: null },
      { ...a, position: 4, stop: 3, line: null, positionBefore: 1, stopBefore: 1, lineBefore: line(start, a) },
      { ...stop, lat: null, lng: null, position: 5, stop: 4, line: null },
    ],
  })
  const numbers = (stops: typeof route.before) => stops.map(({ number, lat, lng }) => [number, lat, lng])
  assert.deepEqual(numbers(route.after), [
    [1, c.lat, c.lng],
    [2, b.lat, b.lng],
    [3, a.lat, a.lng],
  ])
  assert.deepEqual(numbers(route.before), [
    [1, a.lat, a.lng],
    [2, b.lat, b.lng],
  ])
  assert.deepEqual(
    wayOf(start, route.before).map(({ isRoad, points }) => [isRoad, points.at(-1)]),
    [
      [true, a],
      [true, b],
    ],
  )
  assert.deepEqual(
    wayOf(start, route.after).map(({ isRoad }) => isRoad),
    [true, true, false],
    'nobody knows a road for the last one',
  )
})
