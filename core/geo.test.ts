import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distanceMetres, estimateTravel, readTraffic } from './geo.ts'

const bucharest = { lat: 44.4268, lng: 26.1025 }
const cluj = { lat: 46.7712, lng: 23.6236 }

test('Bucharest is 325 kilometres from Cluj as the crow flies, and further by road', () => {
  assert.ok(Math.abs(distanceMetres(bucharest, cluj) - 325_000) < 2_000)
  assert.ok(estimateTravel(bucharest, cluj, 'none').metres > 430_000)
  assert.equal(distanceMetres(cluj, cluj), 0)
})

test('more traffic takes longer', () => {
  const seconds = (['none', 'optimistic', 'best_guess', 'pessimistic'] as const).map(
    (traffic) => estimateTravel(bucharest, cluj, traffic).seconds,
  )
  assert.deepEqual(
    seconds,
    [...seconds].sort((one, other) => one - other),
  )
})

test('traffic is understood in any letter case and by two sets of names', () => {
  assert.equal(readTraffic('HEAVY'), 'pessimistic')
  assert.equal(readTraffic('Best_Guess'), 'best_guess')
  assert.equal(readTraffic('constructor'), 'best_guess')
  assert.equal(readTraffic(undefined), 'best_guess')
})
