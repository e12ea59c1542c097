import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Coming, listMoved, type Told, tell } from './arrivals.ts'

const noon = Date.UTC(2026, 10, 17, 12)
const at = (minutes: number | null) => (minutes === null ? null : new Date(noon + minutes * 60_000))
const route = (...arrivals: (number | null)[]): Coming[] =>
  arrivals.map((minutes, index) => ({ id: index + 1, arrival: at(minutes) }))

test('an arrival that moved by two minutes or more since the device was given it comes with the sync', () => {
  const told: Told = { 1: [noon, 3] }
  const cases: [what: string, now: number | null, isMoved: boolean][] = [
    ['it stands', 0, false],
    ['a bit later', 1.99, false],
    ['two minutes later', 2, true],
    ['two minutes earlier', -2, true],
    ['hours earlier', -195, true],
    ['unknown now', null, true],
  ]
  for (const [what, now, isMoved] of cases) assert.deepEqual(listMoved(told, 3, route(now)), isMoved ? [1] : [], what)
  assert.deepEqual(listMoved({}, 0, route(0, null)), [1], 'a first arrival, and a task that has none')
})

test('small moves in one direction add up, as they are compared with what the device was given', () => {
  let told = tell({}, 1, route(0), route(0))
  const given: number[] = []
  for (let minutes = 1; minutes <= 6; minutes += 1) {
    const now = route(minutes)
    if (listMoved(told, 9, now).length === 0) continue
    given.push(minutes)
    told = tell(told, minutes + 1, now, now)
  }
  assert.deepEqual(given, [2, 4, 6])
})

test('what was in a lost answer comes again, and nothing else', () => {
  const told = tell(tell({}, 1, route(0, 10), route(0, 10)), 2, route(5, 10), route(5))
  assert.deepEqual(told, { 1: [noon + 300_000, 2], 2: [noon + 600_000, 1] })
  assert.deepEqual(listMoved(told, 2, route(5, 10)), [])
  assert.deepEqual(listMoved(told, 1, route(5, 10)), [1])
  assert.deepEqual(listMoved(told, 0, route(5, 10)), [1, 2])
})

test('only what is on the route is remembered', () => {
  const told = tell({}, 1, route(0, 10), route(0, 10))
  assert.deepEqual(Object.keys(tell(told, 2, route(5), route(5))), ['1'])
  assert.deepEqual(tell(told, 2, route(null, 10), route(null)), { 2: [noon + 600_000, 1] }, 'the driver has arrived')
})
