import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Succeeded } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import { idsOf, taskWith } from '../../../test/a-task.ts'
import { afterwards, listed, placeIn, stepFrom } from './place-in-list.ts'

const doubtful = (id: number, given: Partial<Task> = {}) => {
  const task = taskWith({ id, ...given })
  return { ...task, address: { ...task.address, lat: 45, lng: 21, precision: 'approximate', precisionDetail: 'city' } }
}
const sure = (id: number) => {
  const { address, ...task } = doubtful(id)
  return { ...task, address: { ...address, precision: 'exact', precisionDetail: null } }
}

test('one goes through open tasks whose address is to be checked', () => {
  assert.deepEqual(idsOf(listed([doubtful(1), sure(2), doubtful(3, { statusId: Succeeded })], undefined)), [1])
})

test('an address that somebody else corrects stays as long as one is at it', () => {
  const list = listed([doubtful(1), sure(2), doubtful(3)], { id: 2, at: 1 })
  assert.deepEqual(idsOf(list), [1, 2, 3])
  assert.deepEqual(placeIn(list, { id: 2, at: 1 }), { id: 2, at: 1 })
})

test('when an address is gone, one is at what came after it', () => {
  const list = [doubtful(1), doubtful(3), doubtful(4)]
  assert.deepEqual(placeIn(list, { id: 2, at: 1 }), { id: 3, at: 1 })
  assert.deepEqual(placeIn(list, { id: 9, at: 7 }), { id: 4, at: 2 })
  assert.deepEqual(placeIn(list, undefined), { id: 1, at: 0 })
  assert.equal(placeIn([], { id: 2, at: 1 }), undefined)
})

test('after a correction the next address follows, and at the end the one before', () => {
  const list = [doubtful(1), doubtful(2)]
  assert.deepEqual(afterwards(list, 0), { id: 2, at: 0 })
  assert.deepEqual(afterwards(list, 1), { id: 1, at: 0 })
  assert.equal(afterwards([doubtful(1)], 0), undefined)
})

test('at the ends of the list one stays', () => {
  const list = [doubtful(1), doubtful(2)]
  assert.deepEqual(stepFrom(list, 0, 1), { id: 2, at: 1 })
  assert.equal(stepFrom(list, 1, 1), undefined)
  assert.equal(stepFrom(list, 0, -1), undefined)
})
