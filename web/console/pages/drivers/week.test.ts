import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeWeek, weekdayName, weekdays } from './week.ts'

const hours = (day: number, start = '08:00', end = '16:00') => ({ day, start, end })
const names = (day: number) => weekdayName('en', day, 'short')

test('a week is told by days that follow each other with the same hours', () => {
  const week = [1, 2, 3, 4, 5].map((day) => hours(day))
  assert.equal(describeWeek([...week, hours(6, '09:00', '13:00')], names), 'Mon–Fri 08:00–16:00, Sat 09:00–13:00')
  assert.equal(describeWeek([hours(1), hours(3)], names), 'Mon 08:00–16:00, Wed 08:00–16:00')
  assert.equal(describeWeek([], names), '')
})

test('a week begins on Monday', () => {
  assert.deepEqual(
    weekdays.map((day) => weekdayName('en', day, 'short')),
    ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  )
})
