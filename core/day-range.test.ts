import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, daysIn, monthOf, nameOfRange, type RangeName, rangeOf } from './day-range.ts'

test('the usual ranges begin and end on the right days, over the ends of months and years', () => {
  const cases: [name: RangeName, today: string, from: string, to: string, days: number][] = [
    ['today', '2026-11-17', '2026-11-17', '2026-11-17', 1],
    ['yesterday', '2026-03-01', '2026-02-28', '2026-02-28', 1],
    ['last7Days', '2026-01-03', '2025-12-28', '2026-01-03', 7],
    ['thisWeek', '2026-11-18', '2026-11-16', '2026-11-18', 3],
    ['thisWeek', '2026-11-15', '2026-11-09', '2026-11-15', 7],
    ['lastWeek', '2026-01-01', '2025-12-22', '2025-12-28', 7],
    ['thisMonth', '2026-11-17', '2026-11-01', '2026-11-17', 17],
    ['lastMonth', '2026-03-31', '2026-02-01', '2026-02-28', 28],
    ['lastMonth', '2026-01-15', '2025-12-01', '2025-12-31', 31],
  ]
  for (const [name, today, from, to, days] of cases) {
    assert.deepEqual(rangeOf(name, today), { from, to }, `${name} on ${today}`)
    assert.equal(daysIn({ from, to }), days)
    assert.equal(nameOfRange({ from, to }, today), name)
  }
  assert.equal(nameOfRange({ from: '2026-11-01', to: '2026-11-02' }, '2026-11-17'), undefined)
  assert.equal(nameOfRange(rangeOf('thisMonth', '2026-11-01'), '2026-11-01'), 'today', 'the first of a month is today')
  assert.equal(addDays('2026-03-28', 2), '2026-03-30', 'whatever clocks do')
})

test('a month is whole, whichever of its days is asked about', () => {
  assert.deepEqual(monthOf('2026-02-17'), { from: '2026-02-01', to: '2026-02-28' })
  assert.deepEqual(monthOf('2026-01-31', -1), { from: '2025-12-01', to: '2025-12-31' })
  assert.deepEqual(monthOf('2026-12-31', 1), { from: '2027-01-01', to: '2027-01-31' })
})
