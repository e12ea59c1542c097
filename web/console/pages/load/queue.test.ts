import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answer,
  emptyQueue,
  forget,
  mostAtOnce,
  nextBatch,
  type Queue,
  read,
  type Scanned,
  sendAgain,
} from './queue.ts'

const readAll = (codes: readonly string[], queue: Queue = emptyQueue) =>
  codes.reduce((queue, code) => read(queue, { code, at: 'hub', userId: null }), queue)
const codesOf = (list: readonly { code: string }[]) => list.map(({ code }) => code)
const done = (item: number) => ({ item, success: true, data: { sentence: String(item) } as Scanned })
const no = (item: number) => ({
  item,
  success: false,
  error: { code: 'DRIVER_NOT_FOUND', message: 'Driver not found' },
})

test('codes wait in the order in which they were read, and Enter without a code is nothing', () => {
  const queue = readAll(['A-1', ' A-2 ', '  ', 'A-1'])
  assert.deepEqual(codesOf(queue.waiting), ['A-1', 'A-2', 'A-1'])
})

test('what is read while others are being sent is not lost', () => {
  const before = readAll(['A-1', 'A-2'])
  const batch = nextBatch(before)
  const after = answer(readAll(['A-3'], before), batch, [done(1), done(2)])
  assert.deepEqual(codesOf(after.waiting), ['A-3'])
  assert.deepEqual(
    after.answered.map(({ read }) => read.code),
    ['A-2', 'A-1'],
  )
})

test('more than fit into a request are sent one part after the other', () => {
  const queue = readAll(Array.from({ length: mostAtOnce + 3 }, (_, index) => `A-${index}`))
  const batch = nextBatch(queue)
  const after = answer(
    queue,
    batch,
    batch.map((_, index) => done(index + 1)),
  )
  assert.deepEqual([batch.length, nextBatch(after).length], [mostAtOnce, 3])
})

test('what is refused stays until it is sent again or removed', () => {
  const queue = readAll(['A-1', 'A-2'])
  const after = answer(queue, nextBatch(queue), [no(1), done(2)])
  assert.deepEqual(codesOf(after.refused), ['A-1'])
  assert.deepEqual(codesOf(sendAgain(after, 1).waiting), ['A-1'])
  assert.deepEqual([sendAgain(after, 1).refused, forget(after, 1).refused], [[], []])
})
