import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  afterFailure,
  awbsOfReattempt,
  awbsOfReturn,
  mostTries,
  refuseClosing,
  refuseReattempt,
  refuseReturn,
  type Tried,
} from './attempt.ts'
import { Assigned, Failed, Succeeded } from './task-status.ts'

const failed: Tried = {
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
const twice = { mostAttempts: 2 }
const often = { mostAttempts: 0 }

const cases: [
  what: string,
  task: Partial<Tried>,
  rules: { mostAttempts: number },
  again?: string | undefined,
  back?: string,
][] = [
  ['a failed task', {}, often],
  ['one that is assigned', { statusId: Assigned }, often, 'TASK_NOT_FAILED', 'TASK_NOT_FAILED'],
  ['one that succeeded', { statusId: Succeeded }, often, 'TASK_NOT_FAILED', 'TASK_NOT_FAILED'],
  ['one of a partner', { isOfPartner: true }, often, 'TASK_OF_PARTNER', 'TASK_OF_PARTNER'],
  ['one whose data is gone', { isErased: true }, often, 'TASK_ERASED', 'TASK_ERASED'],
  ['one that is tried again', { isReattempted: true }, often, 'TASK_REATTEMPTED', 'TASK_REATTEMPTED'],
  ['one that goes back', { isReturned: true }, often, 'TASK_RETURNED', 'TASK_RETURNED'],
  ['one that was left as it is', { isClosed: true }, often],
  ['a pickup', { pickupTask: true }, often, undefined, 'NOTHING_TO_RETURN'],
  ['a return', { isReturn: true }, often, undefined, 'NOTHING_TO_RETURN'],
  ['the first of two tries', {}, twice],
  ['the second of two', { attempt: 2 }, twice, 'ATTEMPTS_EXHAUSTED'],
  ['the third, once two became the limit', { attempt: 3 }, twice, 'ATTEMPTS_EXHAUSTED'],
  ['a return that failed twice', { attempt: 2, isReturn: true }, twice, undefined, 'NOTHING_TO_RETURN'],
  ['the ninetieth without a limit', { attempt: 90 }, often],
  ['too many without a limit', { attempt: mostTries }, often, 'ATTEMPTS_EXHAUSTED'],
]

for (const [what, task, rules, again, back] of cases)
  test(`${what}: ${again ?? 'may be tried again'}, ${back ?? 'may go back'}`, () => {
    assert.equal(refuseReattempt({ ...failed, ...task }, rules), again)
    assert.equal(refuseReturn({ ...failed, ...task }), back)
  })

test('a failed task can be left as it is, unless something follows it', () => {
  for (const task of [{}, { pickupTask: true }, { attempt: mostTries }, { isClosed: true }])
    assert.equal(refuseClosing({ ...failed, ...task }), undefined)
  assert.equal(refuseClosing({ ...failed, isReturned: true }), 'TASK_RETURNED')
  assert.equal(refuseClosing({ ...failed, statusId: Succeeded }), 'TASK_NOT_FAILED')
  assert.equal(refuseClosing({ ...failed, isOfPartner: true }), 'TASK_OF_PARTNER')
})

test('each try is called after the first, with its number', () => {
  assert.deepEqual(awbsOfReattempt({ awb: 'A-1', attempt: 1 }, 64, 2), ['A-1-2', 'A-1-3'])
  assert.deepEqual(awbsOfReattempt({ awb: 'A-1-2', attempt: 2 }, 64, 1), ['A-1-3'])
  assert.deepEqual(awbsOfReattempt({ awb: 'renamed', attempt: 2 }, 64, 1), ['renamed-3'])
  assert.deepEqual(awbsOfReturn({ awb: 'A-1-2', attempt: 2 }, 64, 2), ['A-1-R', 'A-1-R2'])
})

test('an AWB that would be too long is shortened, never in the middle of a character', () => {
  const long = 'x'.repeat(64)
  const [second = ''] = awbsOfReattempt({ awb: long, attempt: 1 }, 64, 1)
  assert.equal(second, `${'x'.repeat(62)}-2`)
  assert.deepEqual(awbsOfReattempt({ awb: second, attempt: 2 }, 64, 1), [`${'x'.repeat(62)}-3`])
  assert.equal(awbsOfReturn({ awb: '𝒳'.repeat(64), attempt: 1 }, 64, 1)[0], `${'𝒳'.repeat(62)}-R`)
})

test('after the last try somebody decides, unless nothing is to follow; what goes on needs nobody', () => {
  const ask = { mostAttempts: 1, afterLastAttempt: 'ask' }
  assert.equal(afterFailure(failed, { ...ask, mostAttempts: 0 }), 'open')
  assert.equal(afterFailure(failed, ask), 'decide')
  assert.equal(afterFailure(failed, { ...ask, afterLastAttempt: 'return' }), 'decide')
  assert.equal(afterFailure(failed, { ...ask, afterLastAttempt: 'stay' }), 'nothing')
  assert.equal(afterFailure({ ...failed, isReturned: true }, ask), 'nothing')
  assert.equal(afterFailure({ ...failed, isClosed: true }, ask), 'nothing')
  assert.equal(afterFailure({ ...failed, isClosed: true }, { ...ask, mostAttempts: 0 }), 'nothing')
  assert.equal(afterFailure({ ...failed, isReattempted: true }, { ...ask, mostAttempts: 0 }), 'nothing')
})
