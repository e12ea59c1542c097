import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinLines } from './join.ts'
import { simplify } from './simplify.ts'

test('pieces of a street become one line, whichever way each was drawn', () => {
  const pieces = [
    [10, 0, 20, 0],
    [10, 0, 0, 0],
    [20, 0, 30, 5],
  ]

  assert.deepEqual(joinLines(pieces, false), [[0, 0, 10, 0, 20, 0, 30, 5]])
})

test('one-way pieces are joined in their direction only', () => {
  const pieces = [
    [10, 0, 20, 0],
    [0, 0, 10, 0],
    [30, 0, 20, 0],
  ]

  assert.deepEqual(joinLines(pieces, true), [
    [0, 0, 10, 0, 20, 0],
    [30, 0, 20, 0],
  ])
})

test('a roundabout in pieces is joined once around', () => {
  const pieces = [
    [0, 0, 10, 0],
    [10, 0, 10, 10],
    [10, 10, 0, 0],
  ]

  for (const isDirected of [true, false]) assert.deepEqual(joinLines(pieces, isDirected), [[0, 0, 10, 0, 10, 10, 0, 0]])
})

test('points on a straight stretch go, corners stay', () => {
  assert.deepEqual(simplify([0, 0, 10, 1, 20, 0, 20, 50, 21, 90, 20, 100], 2), [0, 0, 20, 0, 20, 100])
})
