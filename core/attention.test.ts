import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Judged, needOf, rankOf } from './attention.ts'
import { Assigned, Failed, InTransit, type StatusId, Succeeded, Unassigned } from './task-status.ts'

const judged = (statusId: StatusId, risk: Judged['risk'] = 'none', hasConflict = false): Judged => ({
  statusId,
  risk,
  hasConflict,
})

/** In the order in which the office looks at them. */
const cases: [task: Judged, need: ReturnType<typeof needOf>][] = [
  [judged(Succeeded, 'none', true), 'conflict'],
  [judged(Assigned, 'late'), 'late'],
  [judged(InTransit, 'risky'), 'risky'],
  [judged(Unassigned), 'unassigned'],
  [{ ...judged(Failed), afterFailure: 'decide' }, 'lastTry'],
  [judged(Failed), 'failed'],
  [judged(InTransit), undefined],
  [judged(Succeeded), undefined],
]

test('what needs a hand comes first, the most urgent before the others, and what is done comes last', () => {
  for (const [task, need] of cases) assert.equal(needOf(task), need, JSON.stringify(task))
  assert.deepEqual(
    cases.map(([task]) => rankOf(task)),
    cases.map((_, place) => place),
  )
})

test('of several reasons the most urgent one counts', () => {
  assert.equal(needOf(judged(Unassigned, 'late')), 'late')
  assert.equal(needOf(judged(Assigned, 'late', true)), 'conflict')
  assert.equal(rankOf(judged(Assigned)), rankOf(judged(InTransit)))
})

test('a delivery that was late is done', () => {
  assert.equal(needOf(judged(Succeeded, 'late')), undefined)
  assert.equal(needOf(judged(Failed, 'late')), 'failed')
})

test('a failed task needs nobody once it is tried again or goes back, or where nothing follows its last try', () => {
  assert.equal(needOf({ ...judged(Failed), afterFailure: 'nothing' }), undefined)
})
