import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SettledOp } from '../contract/sync.ts'
import type { Refused } from './kept.ts'
import { groupByCause, receiveDecisions, staysWhenRead } from './refused.ts'

const now = '2026-11-17T12:00:00.000Z'

const entry = (id: number, given: Partial<Refused> = {}): Refused => ({
  id,
  driverId: 7,
  awb: `A-${id}`,
  error: { code: 'TASK_NOT_FOUND', message: '' },
  isConflict: true,
  at: now,
  op: { opId: `op-${id}`, type: 'complete', taskId: id, occurredAt: now },
  ...given,
})
const settled = (id: number, given: Partial<SettledOp> = {}): SettledOp => ({
  conflictId: id,
  opId: `op-${id}`,
  taskId: id,
  awb: `A-${id}`,
  type: 'complete',
  applied: true,
  note: null,
  settledAt: now,
  ...given,
})

test('a decision is news once, also of what the driver has read, and says nothing about what the phone does not keep', () => {
  const before = [entry(1, { isRead: true }), entry(2)]
  const { keep } = receiveDecisions(before, [settled(1, { applied: false, note: 'No' }), settled(9)], now)
  assert.deepEqual(keep, [entry(1, { isRead: false, decision: { applied: false, note: 'No' } })])
  assert.deepEqual(receiveDecisions(keep, [settled(1)], now).keep, [], 'it was told before')
  assert.deepEqual(receiveDecisions(before, [settled(1, { opId: null })], now).keep, [])
})

test('what was read stays only as long as the office may decide', () => {
  assert.equal(staysWhenRead(entry(1)), true)
  assert.equal(staysWhenRead(entry(1, { isConflict: false })), false)
  assert.equal(staysWhenRead(entry(1, { decision: { applied: true, note: null } })), false)
  const old = '2026-10-01T12:00:00.000Z'
  const before = [entry(1, { at: old, isRead: true }), entry(2, { at: old }), entry(3, { at: old, isRead: true })]
  assert.deepEqual(receiveDecisions(before, [settled(3)], now).forget, [1], 'not what is unread or was just decided')
})

test('entries of one cause are one group, whatever their amounts', () => {
  const partial = (id: number, message: string) =>
    entry(id, { isConflict: false, error: { code: 'PAYMENT_PARTIAL', message } })
  const entries = [entry(1), partial(2, '78 left'), entry(3), partial(4, '27 left'), entry(5, { isConflict: false })]
  const decided = [6, 7].map((id) => entry(id, { decision: { applied: true, note: null } }))
  assert.deepEqual(
    groupByCause([...entries, ...decided]).map((group) => group.map(({ id }) => id)),
    [
      [1, 3, 5],
      [2, 4],
      [6, 7],
    ],
  )
})
