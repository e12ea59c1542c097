import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentSince, wasOnDuty } from './duty.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 16, 9, minutes))

test('a driver on duty is silent after 5 minutes without a position, or three times the pace that was asked for', () => {
  const cases: [what: string, isOnDuty: boolean, seen: Date | null, pace: number, since: Date | null][] = [
    ['off duty nobody has to report', false, null, 15, null],
    ['heard of 4 minutes ago', true, at(26), 15, null],
    ['heard of 6 minutes ago', true, at(24), 15, at(24)],
    ['exactly 5 minutes is not too long', true, at(25), 15, null],
    ['a pace of 3 minutes allows 9', true, at(22), 180, null],
    ['and no more', true, at(20), 180, at(20)],
    ['never seen: since the duty began', true, null, 15, at(0)],
    ['seen only before the duty began', true, new Date(at(0).getTime() - 3_600_000), 15, at(0)],
  ]
  for (const [what, isOnDuty, seen, pace, since] of cases)
    assert.deepEqual(silentSince({ isOnDuty, startedAt: at(0) }, seen, pace, at(30)), since, what)
  assert.equal(silentSince({ isOnDuty: true, startedAt: at(27) }, null, 15, at(30)), null, 'just came on duty')
})

test('nothing counts as on duty from the moment the duty ended', () => {
  const ms = (time: Date, more: number) => new Date(time.getTime() + more)
  const cases: [what: string, isOnDuty: boolean, at: Date, was: boolean][] = [
    ['while on duty', true, at(20), true],
    ['the clock of the phone is a little slow at the start', true, ms(at(0), -30_000), true],
    ['long before the start', true, ms(at(0), -31_000), false],
    ['a late report of before the end', false, at(29), true],
    ['the last moment', false, at(30), true],
    ['right after it', false, ms(at(30), 1), false],
    ['some seconds after it', false, ms(at(30), 20_000), false],
  ]
  for (const [what, isOnDuty, then, was] of cases)
    assert.equal(wasOnDuty({ isOnDuty, startedAt: at(0), endedAt: isOnDuty ? null : at(30) }, then), was, what)
})
