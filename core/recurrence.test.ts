import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orthodoxEaster, publicHolidays } from './holidays.ts'
import { windowOn } from './occurrence-window.ts'
import { daysOf, nextDays, type Repeats, type Series } from './recurrence.ts'

const noHoliday = () => false
const series = (repeats: Partial<Repeats>, given: Partial<Series> = {}): Series => ({
  repeats: { every: 'day', interval: 1, ...repeats },
  from: '2026-01-01',
  until: null,
  count: null,
  skips: [],
  skipHolidays: false,
  ...given,
})

/** What repeats how, and its first days from a day on. */
const cases: [string, Series, string, string[]][] = [
  ['every day', series({}), '2026-02-27', ['2026-02-27', '2026-02-28', '2026-03-01']],
  [
    'every third day, from its first',
    series({ interval: 3 }),
    '2026-01-02',
    ['2026-01-04', '2026-01-07', '2026-01-10'],
  ],
  [
    'every weekday',
    series({ every: 'week', weekdays: [1, 2, 3, 4, 5] }),
    '2026-01-02',
    ['2026-01-02', '2026-01-05', '2026-01-06'],
  ],
  [
    'weekly, on the weekday it begins',
    series({ every: 'week' }),
    '2026-01-02',
    ['2026-01-08', '2026-01-15', '2026-01-22'],
  ],
  [
    // Its first week is that of its first day, a Thursday; the Monday of that week is before it.
    'every second week, counted by weeks and not by days',
    series({ every: 'week', interval: 2, weekdays: [1, 5] }),
    '2026-01-01',
    ['2026-01-02', '2026-01-12', '2026-01-16'],
  ],
  [
    'over the end of a year with 53 weeks',
    series({ every: 'week', interval: 2, weekdays: [1] }, { from: '2026-12-21' }),
    '2026-12-21',
    ['2026-12-21', '2027-01-04', '2027-01-18'],
  ],
  [
    'on the 31st: in shorter months on the last day',
    series({ every: 'month', monthDay: 31 }),
    '2026-01-15',
    ['2026-01-31', '2026-02-28', '2026-03-31'],
  ],
  [
    'on 29 February, each year',
    series({ every: 'month', interval: 12 }, { from: '2024-02-29' }),
    '2026-01-01',
    ['2026-02-28', '2027-02-28', '2028-02-29'],
  ],
  [
    'on the first Monday',
    series({ every: 'month', nth: { week: 1, weekday: 1 } }),
    '2026-01-01',
    ['2026-01-05', '2026-02-02', '2026-03-02'],
  ],
  [
    'on the last Friday, the fifth or the fourth',
    series({ every: 'month', nth: { week: -1, weekday: 5 } }),
    '2026-01-01',
    ['2026-01-30', '2026-02-27', '2026-03-27'],
  ],
  [
    'every second month, over the end of the year',
    series({ every: 'month', interval: 2, monthDay: 5 }, { from: '2026-10-10' }),
    '2026-10-10',
    ['2026-12-05', '2027-02-05', '2027-04-05'],
  ],
  ['until its last day', series({}, { until: '2026-01-02' }), '2026-01-01', ['2026-01-01', '2026-01-02']],
  [
    'so many times, counted from its first day',
    series({ interval: 2 }, { count: 3 }),
    '2026-01-02',
    ['2026-01-03', '2026-01-05'],
  ],
  [
    'a day that is skipped counts all the same',
    series({}, { count: 3, skips: ['2026-01-02'] }),
    '2026-01-01',
    ['2026-01-01', '2026-01-03'],
  ],
  ['never, if it ends before it begins', series({}, { until: '2025-12-31' }), '2025-12-01', []],
]

test('what repeats happens on the days people mean', () => {
  for (const [name, one, first, days] of cases)
    assert.deepEqual(nextDays(one, first, 3, noHoliday).slice(0, days.length || 1), days, name)
})

test('the days of a range are the same wherever the range begins', () => {
  for (const [name, one] of cases) {
    const all = [...daysOf(one, '2026-01-01', '2028-12-31')]
    const halves = [...daysOf(one, '2026-01-01', '2027-03-15'), ...daysOf(one, '2027-03-16', '2028-12-31')]
    assert.deepEqual(halves, all, name)
  }
})

test('Orthodox Easter is on the days of the church, and Romania’s holidays follow it', () => {
  const known = ['2023-04-16', '2024-05-05', '2025-04-20', '2026-04-12', '2027-05-02', '2028-04-16', '2100-05-02']
  for (const day of known) assert.equal(orthodoxEaster(Number(day.slice(0, 4))), day)
  const days = publicHolidays('RO', 2026)
  assert.equal(days.find(({ day }) => day === '2026-04-10')?.name, 'Vinerea Mare')
  assert.deepEqual(
    days.filter(({ name }) => name.includes('Rusaliile')).map(({ day }) => day),
    ['2026-05-31', '2026-06-01'],
  )
  assert.equal(days.find(({ day }) => day === '2026-06-01')?.name, 'Ziua Copilului, Rusaliile')
  assert.deepEqual(publicHolidays('FR', 2026), [])
})

test('holidays are left out only where that is asked for', () => {
  const holidays = new Set(publicHolidays('RO', 2026).map(({ day }) => day))
  const isHoliday = (day: string) => holidays.has(day)
  const weekdays = series({ every: 'week', weekdays: [1, 2, 3, 4, 5] })
  assert.deepEqual(nextDays(weekdays, '2026-11-27', 2, isHoliday), ['2026-11-27', '2026-11-30'])
  assert.deepEqual(nextDays({ ...weekdays, skipHolidays: true }, '2026-11-27', 2, isHoliday), [
    '2026-11-27',
    '2026-12-02',
  ])
})

const bucharest = 'Europe/Bucharest'
const windows: [string, string, string | null, string | null, string, string, string][] = [
  ['a winter day', '2026-01-15', '09:00', '10:30', bucharest, '2026-01-15T07:00:00Z', '2026-01-15T08:30:00Z'],
  ['a summer day', '2026-07-15', '09:00', '10:30', bucharest, '2026-07-15T06:00:00Z', '2026-07-15T07:30:00Z'],
  ['only a start', '2026-01-15', '18:00', null, bucharest, '2026-01-15T16:00:00Z', '2026-01-15T21:59:59Z'],
  ['only an end', '2026-01-15', null, '12:00', bucharest, '2026-01-14T22:00:00Z', '2026-01-15T10:00:00Z'],
  ['neither: the whole day', '2026-01-15', null, null, bucharest, '2026-01-14T22:00:00Z', '2026-01-15T21:59:59Z'],
  ['over midnight', '2026-12-31', '22:00', '06:00', bucharest, '2026-12-31T20:00:00Z', '2027-01-01T04:00:00Z'],
  [
    'the night the clocks go forward',
    '2026-03-29',
    '03:30',
    '05:00',
    bucharest,
    '2026-03-29T01:30:00Z',
    '2026-03-29T02:00:00Z',
  ],
  [
    'inside the hour that is skipped',
    '2026-03-29',
    '03:10',
    '03:40',
    bucharest,
    '2026-03-29T01:10:00Z',
    '2026-03-29T01:40:00Z',
  ],
  ['moved past its own end', '2026-03-29', '03:30', '04:10', bucharest, '2026-03-29T01:30:00Z', '2026-03-29T02:10:00Z'],
  [
    'the hour that comes twice: the first',
    '2026-10-25',
    '03:30',
    '05:00',
    bucharest,
    '2026-10-25T00:30:00Z',
    '2026-10-25T03:00:00Z',
  ],
  ['another zone', '2026-01-15', '09:00', '10:00', 'America/New_York', '2026-01-15T14:00:00Z', '2026-01-15T15:00:00Z'],
  [
    'a day without midnight',
    '2026-09-06',
    null,
    '09:00',
    'America/Santiago',
    '2026-09-06T04:00:00Z',
    '2026-09-06T12:00:00Z',
  ],
]

test('the window of a day is by the clock on the wall, whatever the clocks do that night', () => {
  for (const [name, day, start, end, zone, after, before] of windows)
    assert.deepEqual(windowOn(day, { start, end }, zone), { after: new Date(after), before: new Date(before) }, name)
})
