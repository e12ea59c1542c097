import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { distanceMetres, type Traffic } from './geo.ts'
import { estimateTravelTable, slowdownOf, type Transport, transportOf, transports } from './travel.ts'

const bucharest = { lat: 44.4268, lng: 26.1025 }
const otopeni = { lat: 44.5711, lng: 26.085 }
const cluj = { lat: 46.7712, lng: 23.6236 }
const traffics: Traffic[] = ['none', 'optimistic', 'best_guess', 'pessimistic']
const means = Object.values(transports)

const way = (traffic: Traffic, transport: Transport, to = cluj) => {
  const { seconds, metres } = estimateTravelTable([bucharest, to], traffic, transport)
  return { seconds: seconds[1] as number, metres: metres[1] as number }
}

test('a trip by road is a third longer than the straight line', () => {
  const { metres } = way('best_guess', 'car')
  assert.ok(Math.abs(metres - 1.35 * distanceMetres(bucharest, cluj)) < 2)
})

test('a car needs half an hour to the airport and most of a working day to the other end of the country', () => {
  const minutes = (to: typeof cluj) => way('best_guess', 'car', to).seconds / 60
  assert.ok(minutes(otopeni) > 20 && minutes(otopeni) < 45, `${minutes(otopeni)} min`)
  assert.ok(minutes(cluj) > 5 * 60 && minutes(cluj) < 8 * 60, `${minutes(cluj)} min`)
})

test('more traffic takes longer when driving, but not when walking', () => {
  for (const transport of means) {
    const seconds = traffics.map((traffic) => way(traffic, transport).seconds)
    const isGrowing = seconds.every((one, index) => index === 0 || one > (seconds[index - 1] as number))
    assert.equal(isGrowing, transport !== 'foot', transport)
  }
  assert.equal(slowdownOf('pessimistic', 'foot'), 1)
})

test('walking is slower than cycling, and a truck is slower than a car', () => {
  const seconds = (transport: Transport) => way('best_guess', transport).seconds
  assert.ok(seconds('foot') > seconds('bicycle') && seconds('bicycle') > seconds('truck'))
  assert.ok(seconds('truck') > seconds('van') && seconds('van') > seconds('car'))
})

test('the default means of transport is a car', () => {
  assert.deepEqual([1, 6, null, undefined, 99].map(transportOf), ['foot', 'truck', 'car', 'car', 'car'])
})

const aPoint = fc.record({
  lat: fc.double({ min: -89, max: 89, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
})
const nearby = fc.record({
  lat: fc.double({ min: 44.3, max: 44.6, noNaN: true }),
  lng: fc.double({ min: 25.9, max: 26.3, noNaN: true }),
})

test('a detour is never shorter than the direct trip, at any distance and in any traffic', () => {
  const places = fc.oneof(
    fc.array(aPoint, { minLength: 3, maxLength: 8 }),
    fc.array(nearby, { minLength: 3, maxLength: 8 }),
  )
  fc.assert(
    fc.property(places, fc.constantFrom(...traffics), fc.constantFrom(...means), (points, traffic, transport) => {
      const size = points.length
      for (const cells of Object.values(estimateTravelTable(points, traffic, transport)) as Int32Array[]) {
        const at = (from: number, to: number) => cells[from * size + to] as number
        for (let a = 0; a < size; a += 1)
          for (let b = 0; b < size; b += 1) {
            assert.equal(at(a, b), at(b, a))
            assert.ok(at(a, b) >= 0)
            for (let c = 0; c < size; c += 1) assert.ok(at(a, c) <= at(a, b) + at(b, c))
          }
        for (let a = 0; a < size; a += 1) assert.equal(at(a, a), 0)
      }
    }),
    { numRuns: 300 },
  )
})

test('a table can have no place, one place, or the same place twice', () => {
  assert.equal(estimateTravelTable([], 'none', 'car').seconds.length, 0)
  assert.deepEqual([...estimateTravelTable([cluj], 'none', 'car').seconds], [0])
  assert.deepEqual([...estimateTravelTable([cluj, cluj], 'none', 'car').metres], [0, 0, 0, 0])
})
