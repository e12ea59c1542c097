import assert from 'node:assert/strict'
import { test } from 'node:test'
import { driverWith } from '../../test/a-task.ts'
import { workdayOf } from './workday.ts'

const monday = '2026-11-16'

test('a driver with shifts of weekdays works on those days only, and nobody works while absent', () => {
  const usual = driverWith({ startShiftTime: '08:00', endShiftTime: null })
  assert.deepEqual(workdayOf(usual, monday, false), { works: true, isAbsent: false, hours: '08:00–00:00' })
  const some = driverWith({ shiftTimes: [{ day: 1, start: '10:00', end: '14:00' }] })
  assert.deepEqual(workdayOf(some, monday, false), { works: true, isAbsent: false, hours: '10:00–14:00' })
  assert.deepEqual(workdayOf(some, '2026-11-17', false), { works: false, isAbsent: false, hours: '' })
  assert.equal(workdayOf(some, monday, true).works, false)
})

test('a driver without shift times may work on any day', () => {
  assert.deepEqual(workdayOf(driverWith({ startShiftTime: null, endShiftTime: null }), monday, false), {
    works: true,
    isAbsent: false,
    hours: '',
  })
})
