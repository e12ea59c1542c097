import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZone, readDay, readTime } from './time.ts'

const read = (text: string, zone = 'Europe/Bucharest') => readTime(text, zone)?.toISOString()

test("a time without an offset is in the organisation's time zone", () => {
  assert.equal(read('2026-07-01 09:30:00'), '2026-07-01T06:30:00.000Z')
  assert.equal(read('2026-12-01 09:30'), '2026-12-01T07:30:00.000Z')
  assert.equal(read('2026-07-01T09:30:00', 'America/New_York'), '2026-07-01T13:30:00.000Z')
})

test('a time with an offset is that instant, whatever the zone', () => {
  assert.equal(read('2026-07-01T09:30:00+02:00'), '2026-07-01T07:30:00.000Z')
  assert.equal(read('2026-07-01T09:30:00.250Z'), '2026-07-01T09:30:00.250Z')
})

test('an hour skipped by daylight saving time is read an hour later, a repeated one as the first', () => {
  assert.equal(read('2026-03-29 03:30:00'), '2026-03-29T01:30:00.000Z')
  assert.equal(read('2026-10-25 03:30:00'), '2026-10-25T00:30:00.000Z')
})

test('an invalid time is refused, not guessed', () => {
  for (const text of [
    '',
    'tomorrow',
    '2026-02-30 10:00:00',
    '2026-01-01 24:00:00',
    '2026-01-01',
    '1/2/2026 10:00',
    '0000-01-01 00:00:00',
  ])
    assert.equal(read(text), undefined, text)
})

test('a time zone is given by its IANA name', () => {
  assert.ok(isTimeZone('Europe/Bucharest'))
  assert.ok(isTimeZone('UTC'))
  for (const name of ['Mars/Olympus', 'europe/bucharest', '+02:00', '']) assert.ok(!isTimeZone(name), name)
})

test('a day has 23 to 25 hours by the rules of its time zone, and a day that does not exist is refused', () => {
  const hours = (text: string) => {
    const day = readDay(text, 'Europe/Bucharest')
    return day && (day.end.getTime() + 1 - day.start.getTime()) / 3_600_000
  }
  assert.deepEqual(['2026-11-15', '2026-03-29', '2026-10-25'].map(hours), [24, 23, 25])
  assert.equal(readDay('2026-11-15', 'Europe/Bucharest')?.start.toISOString(), '2026-11-14T22:00:00.000Z')
  for (const text of ['2026-02-30', 'today', '2026-11-15 09:00', '']) assert.equal(hours(text), undefined, text)
})

test('a time in UTC is read the same whether the short way or the long one reads it', () => {
  const texts = ['2026-02-28T23:59:59Z', '2024-02-29T12:00:00.001Z', '2026-12-31T00:00:00.999Z', '0001-01-01T00:00:00Z']
  for (const text of texts)
    assert.equal(readTime(text, 'UTC')?.getTime(), Temporal.Instant.from(text).epochMilliseconds, text)
  for (const text of ['2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T10:60:00Z'])
    assert.equal(readTime(text, 'UTC'), undefined, text)
  assert.equal(readTime('2016-12-31T23:59:60Z', 'UTC')?.toISOString(), '2016-12-31T23:59:59.000Z', 'a leap second')
  assert.equal(readTime('2016-12-01T23:59:60Z', 'UTC')?.toISOString(), '2016-12-01T23:59:59.000Z')
})
