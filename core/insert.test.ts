import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertStops } from './insert.ts'
import type { Problem, Stop } from './optimise/problem.ts'

/** A road: place n is n minutes from the start, which is place 0. */
const road = (places: number) => {
  const travelSeconds = new Int32Array(places * places)
  for (let from = 0; from < places; from += 1)
    for (let to = 0; to < places; to += 1) travelSeconds[from * places + to] = Math.abs(from - to) * 60
  return { placeCount: places, travelSeconds }
}

const stopAt = (place: number, latest = 1e10): Stop => ({
  place,
  serviceSeconds: 0,
  earliest: 0,
  latest,
  lateWeight: 10,
})

const problemOf = (stops: Stop[], order: number[], more: Partial<Problem> = {}): Problem => ({
  ...road(400),
  stops,
  vehicles: [{ startPlace: 0, endPlace: null, shiftStart: 0, shiftEnd: 1e10, overtimeWeight: 0, order }],
  ...more,
})

test('a new stop goes where the way is shortest, and the others keep their order', () => {
  const problem = problemOf([stopAt(1), stopAt(5), stopAt(9), stopAt(6)], [0, 1, 2])
  assert.deepEqual(insertStops(problem), [0, 1, 3, 2])
})

test('several new stops are put in one after the other', () => {
  const problem = problemOf([stopAt(10), stopAt(30), stopAt(20), stopAt(40), stopAt(25)], [0, 1])
  assert.deepEqual(insertStops(problem), [0, 2, 4, 1, 3])
})

test('it is better to drive farther than to be late', () => {
  const problem = problemOf([stopAt(1), stopAt(5), stopAt(9), stopAt(10, 11 * 60), stopAt(2)], [0, 1, 2, 3])
  const order = insertStops(problem)
  assert.deepEqual(order, [0, 4, 1, 2, 3])
  const urgent = problemOf([stopAt(1), stopAt(5), stopAt(9), stopAt(12, 12 * 60)], [0, 1, 2])
  assert.deepEqual(insertStops(urgent), [0, 1, 2, 3])
  const tooFar = problemOf([stopAt(4, 4 * 60), stopAt(5, 5 * 60), stopAt(3, 60 * 60), stopAt(1, 60)], [0, 1, 2])
  assert.deepEqual(insertStops(tooFar), [3, 0, 1, 2])
})

test('nothing comes before what it depends on', () => {
  const stops = [stopAt(5), stopAt(9), stopAt(1)]
  assert.deepEqual(insertStops(problemOf(stops, [0, 1])), [2, 0, 1])
  assert.deepEqual(insertStops(problemOf(stops, [0, 1], { precedences: [[1, 2]] })), [0, 1, 2])
  assert.deepEqual(insertStops(problemOf(stops.toReversed(), [1, 2], { precedences: [[0, 1]] })), [0, 1, 2])
})

test('a very long route is searched by its shortest detours', () => {
  const stops = Array.from({ length: 1_200 }, (_, index) => stopAt((index % 2 === 0 ? index : index - 1) % 400))
  const order = stops
    .keys()
    .filter((stop) => stop % 2 === 0)
    .toArray()
  assert.deepEqual(new Set(insertStops(problemOf(stops, order))).size, 1_200)
})
