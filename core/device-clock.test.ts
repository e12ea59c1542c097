import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockOffsetMs, correctTime, isLate } from './device-clock.ts'

const at = (text: string) => new Date(`2026-11-15T${text}Z`)

test("times from a phone are corrected by the error of the phone's clock", () => {
  const offset = clockOffsetMs(at('12:00:00'), at('10:00:00'))
  assert.equal(offset, 2 * 3_600_000)
  assert.deepEqual(correctTime(at('11:30:00'), offset, at('10:00:00')), at('09:30:00'))
  const slow = clockOffsetMs(at('09:00:00'), at('10:00:00'))
  assert.deepEqual(correctTime(at('08:30:00'), slow, at('10:00:00')), at('09:30:00'))
})

test('a difference of less than 30 seconds counts as the time the request took', () => {
  assert.equal(clockOffsetMs(at('10:00:29'), at('10:00:00')), 0)
  assert.equal(clockOffsetMs(at('09:59:31'), at('10:00:00')), 0)
  assert.equal(clockOffsetMs(at('10:00:30'), at('10:00:00')), 30_000)
  assert.equal(clockOffsetMs(at('09:59:30'), at('10:00:00')), -30_000)
})

test('nothing is recorded as later than when we heard of it', () => {
  assert.deepEqual(correctTime(at('10:00:20'), 0, at('10:00:00')), at('10:00:00'))
  assert.deepEqual(correctTime(new Date(-5), 0, at('10:00:00')), new Date(0))
})

test('an op more than a day old counts as late', () => {
  assert.equal(isLate(at('10:00:00'), new Date('2026-11-16T10:00:00Z')), false)
  assert.equal(isLate(at('10:00:00'), new Date('2026-11-16T10:00:00.001Z')), true)
})
