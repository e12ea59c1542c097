import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockOffsetMs, correctTime, isToldLate, toleratedMs } from './device-clock.ts'

const at = (text: string) => new Date(`2026-11-15T${text}Z`)

test("times from a phone are corrected by the error of the phone's clock", () => {
  const offset = clockOffsetMs(at('12:00:00'), at('10:00:00'))
  assert.equal(offset, 2 * 3_600_000)
  assert.deepEqual(correctTime(at('11:30:00'), offset, at('10:00:00'), null).at, at('09:30:00'))
  const slow = clockOffsetMs(at('09:00:00'), at('10:00:00'))
  assert.deepEqual(correctTime(at('08:30:00'), slow, at('10:00:00'), null).at, at('09:30:00'))
})

test('a difference of less than 30 seconds counts as the time the request took', () => {
  assert.equal(clockOffsetMs(at('10:00:29'), at('10:00:00')), 0)
  assert.equal(clockOffsetMs(at('09:59:31'), at('10:00:00')), 0)
  assert.equal(clockOffsetMs(at('10:00:30'), at('10:00:00')), 30_000)
  assert.equal(clockOffsetMs(at('09:59:30'), at('10:00:00')), -30_000)
})

test('nothing is recorded as later than when we heard of it', () => {
  assert.deepEqual(correctTime(at('10:00:20'), 0, at('10:00:00'), null).at, at('10:00:00'))
  assert.deepEqual(correctTime(new Date(-5), 0, at('10:00:00'), null).at, new Date(0))
})

test('nothing is recorded as earlier than it can have been, and what the phone said is kept', () => {
  const [given, heard] = [at('09:00:00'), at('10:00:00')]
  const longAgo = new Date('1970-01-01T00:00:00Z')
  assert.deepEqual(correctTime(longAgo, 0, heard, given), { at: given, claimedAt: longAgo })
  assert.deepEqual(correctTime(at('09:30:00'), 0, heard, given), { at: at('09:30:00') })
  assert.deepEqual(correctTime(at('08:59:40'), 0, heard, given), { at: given }, 'clocks differ by as much')
  const ahead = 3_600_000
  assert.deepEqual(correctTime(at('09:30:00'), ahead, heard, given), { at: given, claimedAt: at('08:30:00') })
  const barely = new Date(given.getTime() - toleratedMs)
  assert.deepEqual(correctTime(barely, 0, heard, given), { at: given })
  assert.deepEqual(correctTime(longAgo, 0, heard, at('10:00:05')).at, heard, 'and never after we heard of it')
})

test('an op more than a day old counts as late', () => {
  assert.equal(isToldLate(at('10:00:00'), new Date('2026-11-16T10:00:00Z')), false)
  assert.equal(isToldLate(at('10:00:00'), new Date('2026-11-16T10:00:00.001Z')), true)
})
