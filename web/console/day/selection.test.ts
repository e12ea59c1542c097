import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsOf, taskWith } from '../../test/a-task.ts'
import { chosenTasks, spanBetween, stepFrom } from './selection.ts'

const list = [5, 3, 9, 1].map((id) => taskWith({ id }))

test('Shift and a click select everything from the cursor to the clicked task', () => {
  assert.deepEqual(spanBetween(list, 3, 1), [3, 9, 1])
  assert.deepEqual(spanBetween(list, 1, 3), [3, 9, 1], 'upwards too')
  assert.deepEqual(spanBetween(list, 9, 9), [9])
  assert.equal(spanBetween(list, undefined, 9), undefined)
  assert.equal(spanBetween(list, 77, 9), undefined, 'the cursor stands on what a filter hides')
})

test('the cursor stops at both ends of the list; without a cursor, down starts at the top and up at the bottom', () => {
  assert.equal(stepFrom(list, 5, 1), 3)
  assert.equal(stepFrom(list, 1, 1), 1)
  assert.equal(stepFrom(list, 5, -1), 5)
  assert.equal(stepFrom(list, undefined, 1), 5)
  assert.equal(stepFrom(list, undefined, -1), 1)
  assert.equal(stepFrom([], undefined, 1), undefined)
})

test('a selected task that a filter hides stays selected and comes last; a deleted one does not', () => {
  const byId = new Map([...list, taskWith({ id: 8 })].map((task) => [task.id, task]))
  assert.deepEqual(idsOf(chosenTasks(new Set([8, 1, 5, 404]), list, byId)), [5, 1, 8])
})
