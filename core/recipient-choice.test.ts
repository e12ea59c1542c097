import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceFor, readWindows, windowOfChoice } from './recipient-choice.ts'
import { Failed, Succeeded } from './task-status.ts'

const zone = 'Europe/Bucharest'
const now = new Date('2026-10-23T21:30:00Z')
const failed = {
  statusId: Failed,
  attempt: 1,
  pickupTask: false,
  isErased: false,
  isOfPartner: false,
  isReattempted: false,
  isReturned: false,
  isReturn: false,
  isClosed: false,
}
const rules = {
  mostAttempts: 0,
  recipientReattemptDays: 3,
  recipientReattemptWindows: '9:00-13:00; 13:00 – 18:00',
  recipientSafePlace: true,
}
const offered = choiceFor(failed, rules, now, zone)

test('windows are read as people write them, and nothing else is a window', () => {
  assert.deepEqual(readWindows('9:00-13:00, 13:00–18:30'), [
    { from: '09:00', to: '13:00' },
    { from: '13:00', to: '18:30' },
  ])
  assert.deepEqual(readWindows(''), [])
  for (const wrong of ['morning', '9-13', '13:00-09:00', '09:00-09:00', '09:00-13:00 13:00-18:00', '25:00-26:00'])
    assert.equal(readWindows(wrong), undefined, wrong)
  assert.equal(readWindows(Array(9).fill('09:00-13:00').join()), undefined)
})

test('a recipient chooses among the next days of the organisation, not today', () => {
  // It is the 24th there already.
  assert.deepEqual(offered?.days, ['2026-10-25', '2026-10-26', '2026-10-27'])
  assert.equal(offered?.safePlace, true)
})

test('nothing is offered where it is off, and for what cannot be tried again', () => {
  assert.equal(choiceFor(failed, { ...rules, recipientReattemptDays: 0 }, now, zone), undefined)
  assert.equal(choiceFor({ ...failed, statusId: Succeeded }, rules, now, zone), undefined)
  assert.equal(choiceFor({ ...failed, isReattempted: true }, rules, now, zone), undefined)
  assert.equal(choiceFor({ ...failed, isReturn: true }, rules, now, zone), undefined)
  assert.equal(choiceFor({ ...failed, isClosed: true }, rules, now, zone), undefined)
  assert.equal(choiceFor(failed, { ...rules, mostAttempts: 1 }, now, zone), undefined)
  assert.equal(choiceFor({ ...failed, pickupTask: true }, rules, now, zone)?.safePlace, false)
})

test('only what was offered is taken, in the zone of the organisation', () => {
  assert.ok(offered)
  const take = (day: string, window: string) => windowOfChoice(offered, { day, window }, zone)
  // The clocks go back that night.
  assert.deepEqual(take('2026-10-25', '09:00-13:00'), {
    from: new Date('2026-10-25T07:00:00Z'),
    to: new Date('2026-10-25T11:00:00Z'),
  })
  assert.equal(take('2026-10-24', '09:00-13:00'), undefined)
  assert.equal(take('2026-10-28', '09:00-13:00'), undefined)
  assert.equal(take('2026-10-25', '10:00-11:00'), undefined)
  assert.equal(take('2026-10-25', ''), undefined)
  assert.deepEqual(windowOfChoice({ ...offered, windows: [] }, { day: '2026-10-26', window: '' }, zone), {
    from: new Date('2026-10-25T22:00:00Z'),
    to: new Date('2026-10-26T21:59:00Z'),
  })
})
