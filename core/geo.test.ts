import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distanceMetres, readTraffic, showsDoor } from './geo.ts'

const bucharest = { lat: 44.4268, lng: 26.1025 }
const cluj = { lat: 46.7712, lng: 23.6236 }

test('Bucharest is 325 kilometres from Cluj in a straight line', () => {
  assert.ok(Math.abs(distanceMetres(bucharest, cluj) - 325_000) < 2_000)
  assert.equal(distanceMetres(cluj, cluj), 0)
})

test('a position shows where a door is if it is exact to 50 metres', () => {
  for (const exact of [0, 8, 50, null, undefined]) assert.ok(showsDoor(exact), String(exact))
  for (const vague of [50.1, 150, 5_000]) assert.ok(!showsDoor(vague), String(vague))
})

test('traffic can be given in any letter case and by two sets of names', () => {
  assert.equal(readTraffic('HEAVY'), 'pessimistic')
  assert.equal(readTraffic('Best_Guess'), 'best_guess')
  assert.equal(readTraffic('constructor'), 'best_guess')
  assert.equal(readTraffic(undefined), 'best_guess')
})
