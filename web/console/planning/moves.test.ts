import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InTransit, type StatusId } from '../../../core/task-status.ts'
import { taskWith } from '../../test/a-task.ts'
import { findBrokenDependency } from './dependencies.ts'
import { insertAt, moveBeside, moveBy } from './moves.ts'

test('a stop moves one place, not beyond the ends, and never before pinned stops', () => {
  assert.deepEqual(moveBy([1, 2, 3], 2, -1), [2, 1, 3])
  assert.deepEqual(moveBy([1, 2, 3], 3, 1), [1, 2, 3])
  assert.deepEqual(moveBy([1, 2, 3], 2, -1, 1), [1, 2, 3])
  assert.deepEqual(moveBy([1, 2, 3], 1, 1, 1), [1, 2, 3], 'what is on its way does not move')
})

test('a stop is put directly before or after another', () => {
  assert.deepEqual(moveBeside([1, 2, 3, 4], 4, 2, 'before'), [1, 4, 2, 3])
  assert.deepEqual(moveBeside([1, 2, 3, 4], 1, 3, 'after'), [2, 3, 1, 4])
  assert.deepEqual(moveBeside([1, 2, 3], 3, 1, 'before', 1), [1, 3, 2])
})

test('several tasks moved together keep their order', () => {
  assert.deepEqual(insertAt([1, 2, 3], [3, 9], 1), [1, 3, 9, 2])
})

test('a task put before one it depends on is found', () => {
  const needs = (id: number, taskId: number, statusId: StatusId = 6) =>
    taskWith({ id, statusId, dependencies: [{ taskId, awb: `A-${taskId}`, statusId: 6 }] })
  assert.deepEqual(findBrokenDependency([2, 1], [needs(2, 1), taskWith({ id: 1 })]), { waiting: 'A-2', needed: 'A-1' })
  assert.equal(findBrokenDependency([1, 2], [needs(2, 1), taskWith({ id: 1 })]), undefined)
  assert.equal(
    findBrokenDependency([2, 1], [needs(2, 1, InTransit), taskWith({ id: 1 })]),
    undefined,
    'it no longer waits',
  )
  assert.equal(findBrokenDependency([2], [needs(2, 1)]), undefined, 'the other one is not of this route')
})
