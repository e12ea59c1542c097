import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTimeOfDay, shiftProblem } from './shift.ts'

test('a time of day may come in three forms and is kept in one', () => {
  assert.equal(readTimeOfDay('9:05'), '09:05')
  assert.equal(readTimeOfDay('09:05'), '09:05')
  assert.equal(readTimeOfDay('23:59:30'), '23:59')
  for (const text of ['24:00', '9', '9:5', '12:60', 'noon', '']) assert.equal(readTimeOfDay(text), undefined, text)
})

const shift = (
  start: string | null,
  end: string | null,
  lunchStart: string | null = null,
  lunchEnd: string | null = null,
) => shiftProblem({ start, end, lunchStart, lunchEnd })?.[0]

test('a shift may go over midnight, and lunch lies within it', () => {
  assert.equal(shift('08:00', '16:00', '12:00', '13:00'), undefined)
  assert.equal(shift('22:00', '06:00', '23:30', '00:30'), undefined)
  assert.equal(shift('22:00', '06:00', '12:00', '13:00'), 'lunchStart')
  assert.equal(shift('08:00', '16:00', '07:00', '13:00'), 'lunchStart')
  assert.equal(shift('08:00', '16:00', '15:30', '16:30'), 'lunchEnd')
  assert.equal(shift('08:00', '16:00', '13:00', '12:00'), 'lunchEnd')
})

test('half a shift is none', () => {
  assert.equal(shift('08:00', null), 'end')
  assert.equal(shift(null, '16:00'), 'start')
  assert.equal(shift('08:00', '08:00'), 'end')
  assert.equal(shift(null, null, '12:00', '13:00'), undefined)
})
