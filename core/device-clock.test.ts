import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockOffsetMs, correctTime, isLate } from './device-clock.ts'

const at = (text: string) => new Date(`2026-11-15T${text}Z`)

test('a phone whose clock is wrong is corrected by how wrong it is', () => {
  const offset = clockOffsetMs(at('12:00:00'), at('10:00:00'))
  assert.equal(offset, 2 * 3_600_000)
  assert.deepEqual(correctTime(at('11:30:00'), offset, at('10:00:00')), at('09:30:00'))
  const slow = clockOffsetMs(at('09:00:00'), at('10:00:00'))
  assert.deepEqual(correctTime(at('08:30:00'), slow, at('10:00:00')), at('09:30:00'))
})

test('less than 30 seconds is the way of the request', () => {
  assert.equal(clockOffsetMs(at('10:00:29'), at('10:00:00')), 0)
  assert.equal(clockOffsetMs(at('09:59:31'), at('10:00:00')), 0)
  assert.equal(clockOffsetMs(at('10:00:30'), at('10:00:00')), 30_000)
  assert.equal(clockOffsetMs(at('09:59:30'), at('10:00:00')), -30_000)
})

test('nothing happened after we heard of it', () => {
  assert.deepEqual(correctTime(at('10:00:20'), 0, at('10:00:00')), at('10:00:00'))
  assert.deepEqual(correctTime(new Date(-5), 0, at('10:00:00')), new Date(0))
})

test('more than a day old is late', () => {
  assert.equal(isLate(at('10:00:00'), new Date('2026-11-16T10:00:00Z')), false)
  assert.equal(isLate(at('10:00:00'), new Date('2026-11-16T10:00:00.001Z')), true)
})
