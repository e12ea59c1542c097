import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTimeOfDay, shiftProblem, workingTimes } from './shift.ts'
import { hoursOn, shiftsOf } from './shift-bounds.ts'

test('a time of day can be given in three forms and is stored in one', () => {
  assert.equal(readTimeOfDay('9:05'), '09:05')
  assert.equal(readTimeOfDay('09:05'), '09:05')
  assert.equal(readTimeOfDay('23:59:30'), '23:59')
  for (const text of ['24:00', '24:00:00']) assert.equal(readTimeOfDay(text), '00:00', text)
  for (const text of ['24:01', '24:00:01', '25:00', '9', '9:5', '12:60', 'noon', ''])
    assert.equal(readTimeOfDay(text), undefined, text)
})

const shift = (
  start: string | null,
  end: string | null,
  lunchStart: string | null = null,
  lunchEnd: string | null = null,
) => shiftProblem({ start, end, lunchStart, lunchEnd })?.[0]

test('a shift may go past midnight, and lunch is within it', () => {
  assert.equal(shift('08:00', '16:00', '12:00', '13:00'), undefined)
  assert.equal(shift('22:00', '06:00', '23:30', '00:30'), undefined)
  assert.equal(shift('22:00', '06:00', '12:00', '13:00'), 'lunchStart')
  assert.equal(shift('08:00', '16:00', '07:00', '13:00'), 'lunchStart')
  assert.equal(shift('08:00', '16:00', '15:30', '16:30'), 'lunchEnd')
  assert.equal(shift('08:00', '16:00', '13:00', '12:00'), 'lunchEnd')
})

test('a shift with only a start or an end ends or begins at midnight, and the same time twice is the whole day', () => {
  assert.equal(shift('08:00', null, '23:00', '00:00'), undefined)
  assert.equal(shift('08:00', null, '07:00', '13:00'), 'lunchStart')
  assert.equal(shift(null, '16:00', '00:00', '01:00'), undefined)
  assert.equal(shift(null, '16:00', '15:30', '16:30'), 'lunchEnd')
  assert.equal(shift('00:00', '00:00', '23:00', '00:00'), undefined)
  assert.equal(shift('08:00', '08:00', '07:00', '08:00'), undefined)
  assert.equal(shift('08:00', '08:00', '07:30', '08:30'), 'lunchEnd')
  assert.equal(shift(null, null, '12:00', '13:00'), undefined)
})

const bucharest = 'Europe/Bucharest'
const usual = { start: '08:00', end: '16:30', lunchStart: '12:00', lunchEnd: '13:00', lunchMinutes: 30 }
const times = (day: Partial<typeof usual> | object, now: string) => {
  const { shift, lunch, isLunchTooLong } = workingTimes({ ...usual, ...day }, new Date(now), bucharest)
  const iso = (time: number | undefined) => time && new Date(time).toISOString()
  return {
    shift: shift && [iso(shift.start), iso(shift.end)],
    lunch: lunch && [iso(lunch.earliest), iso(lunch.latest), lunch.seconds],
    isLunchTooLong,
  }
}

test("a shift is in the organisation's time zone, and lunch begins early enough to end in time", () => {
  assert.deepEqual(times({}, '2026-11-16T07:00:00Z'), {
    shift: ['2026-11-16T06:00:00.000Z', '2026-11-16T14:30:00.000Z'],
    lunch: ['2026-11-16T10:00:00.000Z', '2026-11-16T10:30:00.000Z', 1_800],
    isLunchTooLong: false,
  })
  assert.deepEqual(times({}, '2026-07-16T07:00:00Z').shift, ['2026-07-16T05:00:00.000Z', '2026-07-16T13:30:00.000Z'])
})

test("after midnight it is still yesterday's shift, with its lunch", () => {
  const night = { start: '22:00', end: '06:00', lunchStart: '02:00', lunchEnd: '03:00' }
  assert.deepEqual(times(night, '2026-11-16T23:30:00Z'), {
    shift: ['2026-11-16T20:00:00.000Z', '2026-11-17T04:00:00.000Z'],
    lunch: ['2026-11-17T00:00:00.000Z', '2026-11-17T00:30:00.000Z', 1_800],
    isLunchTooLong: false,
  })
  assert.deepEqual(times(night, '2026-11-17T08:00:00Z').shift, ['2026-11-17T20:00:00.000Z', '2026-11-18T04:00:00.000Z'])
})

test("shifts with only a start or an end, and of a whole day, are in the organisation's time zone too", () => {
  const free = { lunchStart: null, lunchEnd: null, lunchMinutes: null }
  const worked = (start: string | null, end: string | null, now: string) => times({ ...free, start, end }, now).shift
  const midnight = ['2026-11-15T22:00:00.000Z', '2026-11-16T22:00:00.000Z']
  const morning = '2026-11-16T05:00:00Z'
  assert.deepEqual(worked('08:00', null, morning), ['2026-11-16T06:00:00.000Z', midnight[1]])
  assert.deepEqual(worked(null, '16:30', morning), [midnight[0], '2026-11-16T14:30:00.000Z'])
  assert.deepEqual(worked('00:00', '00:00', morning), midnight)
  assert.deepEqual(worked('00:00', null, morning), midnight)
  assert.deepEqual(worked(null, '00:00', morning), midnight)
  assert.deepEqual(
    worked('08:00', '08:00', morning),
    ['2026-11-15T06:00:00.000Z', '2026-11-16T06:00:00.000Z'],
    'it is still the day that began yesterday',
  )
  const late = { start: '08:00', end: null, lunchStart: '23:00', lunchEnd: '00:00', lunchMinutes: null }
  assert.deepEqual(times(late, morning).lunch, ['2026-11-16T21:00:00.000Z', '2026-11-16T21:00:00.000Z', 3_600])
})

test('lunch is skipped once its time has passed, or if it would take the whole shift', () => {
  assert.equal(times({}, '2026-11-16T11:00:00Z').lunch, undefined)
  const long = times({ lunchStart: null, lunchEnd: null, lunchMinutes: 600 }, '2026-11-16T07:00:00Z')
  assert.deepEqual([long.lunch, long.isLunchTooLong], [undefined, true])
})

test('without a length lunch takes its whole time window, without a window it can be at any time of the shift', () => {
  const now = '2026-11-16T07:00:00Z'
  assert.deepEqual(times({ lunchMinutes: null }, now).lunch, [
    '2026-11-16T10:00:00.000Z',
    '2026-11-16T10:00:00.000Z',
    3_600,
  ])
  assert.deepEqual(times({ lunchStart: null, lunchEnd: null }, now).lunch, [
    '2026-11-16T06:00:00.000Z',
    '2026-11-16T14:00:00.000Z',
    1_800,
  ])
  const nothing = { start: null, end: null, lunchStart: null, lunchEnd: null }
  assert.deepEqual(times(nothing, now), { shift: undefined, lunch: undefined, isLunchTooLong: false })
})

test('shifts of weekdays replace the usual one, and the other days are free', () => {
  const shiftTimes = [
    { day: 1, start: '10:00', end: '14:00' },
    { day: 5, start: '22:00', end: '06:00' },
  ]
  const on = (now: string, named?: string) => {
    const { shift, isDayOff, lunch } = workingTimes({ ...usual, shiftTimes }, new Date(now), bucharest, named)
    return { shift: shift && new Date(shift.start).toISOString(), isDayOff, hasLunch: lunch !== undefined }
  }
  const monday = { shift: '2026-11-16T08:00:00.000Z', isDayOff: false, hasLunch: true }
  assert.deepEqual(on('2026-11-16T07:00:00Z'), monday)
  assert.deepEqual(on('2026-11-12T07:00:00Z', '2026-11-16'), monday, 'also when it is only named')
  assert.deepEqual(
    on('2026-11-17T07:00:00Z'),
    { shift: undefined, isDayOff: true, hasLunch: true },
    'who comes still eats',
  )
  assert.equal(on('2026-11-21T02:00:00Z').shift, '2026-11-20T20:00:00.000Z', 'Friday night goes on on Saturday')
  assert.deepEqual(
    on('2026-11-20T22:00:00Z', '2026-11-20'),
    { shift: '2026-11-20T20:00:00.000Z', isDayOff: false, hasLunch: true },
    'a lunch at noon is not in a night, so it is taken at any time',
  )
})

test('on a day when the clock is put forward a shift begins by the clock on the wall', () => {
  const { shift } = workingTimes(usual, new Date('2026-03-01T00:00:00Z'), bucharest, '2026-03-29')
  assert.equal(new Date(shift?.start ?? 0).toISOString(), '2026-03-29T05:00:00.000Z')
})

test('who has no shift works during the opening hours, and any shift of their own comes first', () => {
  const open = [{ day: 1, start: '08:00', end: '18:00' }]
  const none = { start: null, end: null, shiftTimes: [] }
  const on = (own: Parameters<typeof shiftsOf>[0], date: string) => hoursOn(shiftsOf(own, open), date)
  const [monday, tuesday] = ['2026-11-16', '2026-11-17']
  assert.deepEqual(on(none, monday), { start: '08:00', end: '18:00', isDayOff: false })
  assert.equal(on(none, tuesday).isDayOff, true)
  assert.deepEqual(on({ ...none, end: '12:00' }, tuesday), { start: null, end: '12:00', isDayOff: false })
  assert.deepEqual(on({ ...none, shiftTimes: [{ day: 2, start: '10:00', end: '11:00' }] }, monday).isDayOff, true)
  assert.deepEqual(hoursOn(shiftsOf(none, []), monday), { start: null, end: null, isDayOff: false })
})
