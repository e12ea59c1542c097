import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivalRange } from './arrival-range.ts'

const at = (time: string) => new Date(`2026-11-16T${time}Z`)
const say = (...given: Parameters<typeof arrivalRange>) => {
  const range = arrivalRange(...given)
  return range && [range.from, range.to].map((time) => time.toISOString().slice(11, 16)).join('–')
}

test('a driver three stops away is expected within twenty minutes, one around the corner within ten', () => {
  assert.equal(say({ arrival: at('14:30:00'), stopsBefore: 3 }, at('13:41:00')), '14:20–14:40')
  assert.equal(say({ arrival: at('14:31:10'), stopsBefore: 0 }, at('14:20:00')), '14:25–14:35')
})

test('the range narrows as the driver comes closer, and never before', () => {
  const arrival = at('18:00:00')
  let last = Number.POSITIVE_INFINITY
  for (let minutes = 600; minutes >= 10; minutes -= 1) {
    const now = new Date(arrival.getTime() - minutes * 60_000)
    const range = arrivalRange({ arrival, stopsBefore: Math.floor(minutes / 15) }, now)
    assert.ok(range && range.from <= arrival && arrival <= range.to, `${minutes} minutes before`)
    const width = range.to.getTime() - range.from.getTime()
    assert.ok(width <= last, `${minutes} minutes before`)
    last = width
  }
  assert.equal(last, 10 * 60_000)
})

test('a range never begins in the past, nor before the driver may come', () => {
  assert.equal(say({ arrival: at('14:02:00'), stopsBefore: 0 }, at('14:01:00')), '14:00–14:10')
  assert.equal(
    say({ arrival: at('14:05:00'), stopsBefore: 4, notBefore: at('14:00:00') }, at('13:00:00')),
    '14:00–14:20',
  )
})

test('of a driver who should have been there half an hour ago nothing is said', () => {
  assert.equal(say({ arrival: at('14:00:00'), stopsBefore: 0 }, at('14:12:00')), '14:10–14:20')
  assert.equal(say({ arrival: at('14:00:00'), stopsBefore: 0 }, at('14:31:00')), null)
})
