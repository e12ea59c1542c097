import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf } from '../../core/task-day.ts'
import { Succeeded } from '../../core/task-status.ts'
import { taskWith } from '../test/a-task.ts'
import { addDays, dayToFind, isShownOn, wholeDay } from './day.ts'

const zone = 'Europe/Bucharest'

test("a day begins and ends at midnight in the organisation's time zone, not the browser's", () => {
  assert.equal(dayOf('2026-11-15T21:59:59Z', zone), '2026-11-15')
  assert.equal(dayOf('2026-11-15T22:00:00Z', zone), '2026-11-16')
  assert.equal(dayOf('2026-07-15T21:00:00Z', zone), '2026-07-16', 'summer time')
  assert.equal(dayOf('2026-11-15T22:00:00Z', 'UTC'), '2026-11-15')
})

test('the next day is the next one in the calendar, even if a day has 23 or 25 hours', () => {
  assert.equal(addDays('2026-03-28', 1), '2026-03-29')
  assert.equal(addDays('2026-03-29', 1), '2026-03-30')
  assert.equal(addDays('2026-10-25', 1), '2026-10-26')
  assert.equal(addDays('2026-03-15', 30), '2026-04-14')
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.equal(addDays('2026-03-01', -1), '2026-02-28')
})

test('a task whose window crosses midnight is found on both days', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: new Date('2026-11-10T09:00:00Z') })
  const night = taskWith({ completeAfter: '2026-11-15T21:00:00Z', completeBefore: '2026-11-15T23:30:00Z' })
  const found = ['2026-11-14', '2026-11-15', '2026-11-16', '2026-11-17'].filter((day) => isShownOn(night, day, zone))
  assert.deepEqual(found, ['2026-11-15', '2026-11-16'])
})

test('a saved task is shown on the selected day if it belongs there, else on today, else on its own day', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: new Date('2026-11-15T09:00:00Z') })
  const find = (changes: Parameters<typeof taskWith>[0], shown = '2026-11-15') =>
    dayToFind(taskWith(changes), shown, zone)
  assert.equal(find({}), '2026-11-15')
  assert.equal(find({}, '2026-11-20'), '2026-11-15', 'without a window it is for today')
  assert.equal(find({ completeAfter: '2026-11-18T08:00:00Z' }), '2026-11-18')
  assert.equal(
    find({ completeBefore: '2026-11-12T08:00:00Z' }, '2026-11-20'),
    '2026-11-15',
    'what is overdue stays on today',
  )
  const ended = { statusId: Succeeded, completedAt: '2026-11-12T23:00:00Z' }
  assert.equal(find(ended), '2026-11-13', 'it ended after midnight here')
})

test('a new task gets a window only if a future day is shown', () => {
  assert.deepEqual(wholeDay('2026-11-15', '2026-11-15'), {})
  assert.deepEqual(wholeDay('2026-11-14', '2026-11-15'), {})
  assert.deepEqual(wholeDay('2026-11-16', '2026-11-15'), {
    completeAfter: '2026-11-16T00:00',
    completeBefore: '2026-11-16T23:59',
  })
})
