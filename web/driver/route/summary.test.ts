import assert from 'node:assert/strict'
import test from 'node:test'
import type { OpInput } from '../../../contract/op.ts'
import { Assigned, Failed, type StatusId, Succeeded } from '../../../core/task-status.ts'
import type { State } from '../../../phone/state.ts'
import { notAccepted, paidIn, summarise, toHandIn } from './summary.ts'

const zone = 'Europe/Bucharest'
const now = Date.parse('2026-03-02T15:00:00Z')
const task = (statusId: StatusId, completedAt: string | null) => ({ statusId, completeAfter: null, completedAt })
const payment = (amount: number, method: 'cash' | 'card', occurredAt = '2026-03-02T09:00:00.000Z') => ({
  taskId: 1,
  amount,
  method,
  occurredAt,
})
const op = (given: object): State['ops'][number] => ({
  place: 1,
  driverId: 1,
  op: { opId: 'a', type: 'payment', taskId: 2, occurredAt: '2026-03-02T10:00:00.000Z', ...given } as OpInput,
})

test('the day counts what ended today, and what was paid today, sent or not', () => {
  const tasks = [
    task(Succeeded, '2026-03-02T08:00:00Z'),
    task(Succeeded, '2026-03-01T21:59:00Z'),
    task(Failed, '2026-03-02T09:00:00Z'),
    task(Assigned, null),
  ]
  const paid = paidIn(
    [payment(50, 'cash'), payment(20, 'card'), payment(7, 'cash', '2026-03-01T21:59:00.000Z')],
    [op({ amount: 30, method: 'cash' }), op({ type: 'note', note: 'x' })],
    0,
  )
  assert.deepEqual(summarise(tasks, paid, now, zone), { done: 1, failed: 1, cash: 80, card: 20, waiting: 30 })
})

test('a payment that waits counts on the day of the server’s clock, however wrong the clock of the phone is', () => {
  const dayAhead = 24 * 3_600_000
  const [waiting] = paidIn([], [op({ amount: 5, method: 'card', occurredAt: '2026-03-03T10:00:00.000Z' })], dayAhead)
  assert.equal(waiting?.occurredAt, '2026-03-02T10:00:00.000Z')
  assert.equal(summarise([], waiting ? [waiting] : [], now, zone).card, 5)
})

const cash = {
  day: '2026-03-02',
  cash: 80,
  card: 20,
  handedIn: 30,
  before: 10,
  toHandIn: 60,
  closedAt: null,
  difference: null,
}

test('to hand in is what the server knows, and cash that waits on the phone, also of another day', () => {
  const paid = paidIn(
    [payment(80, 'cash')],
    [
      op({ amount: 30.5, method: 'cash' }),
      op({ amount: 4, method: 'cash', occurredAt: '2026-03-01T10:00:00.000Z' }),
      op({ amount: 9, method: 'card' }),
    ],
    0,
  )
  assert.equal(toHandIn(cash, paid), 94.5)
  assert.equal(toHandIn(undefined, paid), undefined, 'not known is not nothing')
})

test('money that was not accepted is named until the office has applied it', () => {
  const refusedOp = (amount: number, given: object = {}) =>
    ({ op: op({ amount, method: 'cash' }).op, ...given }) as State['refused'][number]
  const refused = [
    refusedOp(5),
    refusedOp(7, { decision: { applied: true, note: null } }),
    refusedOp(2, { decision: { applied: false, note: null } }),
  ]
  assert.equal(notAccepted(refused), 7)
})
