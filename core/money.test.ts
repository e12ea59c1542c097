import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCurrency, moneyOf, noMoney, sumMoney } from './money.ts'
import { Assigned, Failed, InTransit, type StatusId, Succeeded, Unassigned } from './task-status.ts'

const task = (
  statusId: StatusId,
  totalPrice: number | null,
  leftToBePaid: number | null,
  collectPayment = true,
  reattemptedAs: object | null = null,
): Parameters<typeof moneyOf>[0] => ({ statusId, totalPrice, leftToBePaid, collectPayment, reattemptedAs })

test('the unpaid part of an open task is to be collected, the prepaid part is not', () => {
  for (const status of [Unassigned, Assigned, InTransit]) {
    assert.deepEqual(moneyOf(task(status, 120, 120)), { collected: 0, toCollect: 120, unpaid: 0, lost: 0 })
    assert.deepEqual(moneyOf(task(status, 120, 50)), { collected: 70, toCollect: 50, unpaid: 0, lost: 0 })
  }
})

test('of a task that succeeded, only what was paid counts as collected', () => {
  assert.deepEqual(moneyOf(task(Succeeded, 120, 120)), { collected: 0, toCollect: 0, unpaid: 120, lost: 0 })
  assert.deepEqual(moneyOf(task(Succeeded, 120, 20)), { collected: 100, toCollect: 0, unpaid: 20, lost: 0 })
  assert.deepEqual(moneyOf(task(Succeeded, 120, 0)), { collected: 120, toCollect: 0, unpaid: 0, lost: 0 })
})

test('nothing is collected for a failed task', () => {
  assert.deepEqual(moneyOf(task(Failed, 120, 100)), { collected: 20, toCollect: 0, unpaid: 0, lost: 100 })
})

test('a price the driver does not collect does not count in the money of the day', () => {
  assert.deepEqual(moneyOf(task(Succeeded, 120, null, false)), { collected: 0, toCollect: 0, unpaid: 0, lost: 0 })
  assert.deepEqual(moneyOf(task(Assigned, null, null)), { collected: 0, toCollect: 0, unpaid: 0, lost: 0 })
})

test('the parts of a day add up to the total to collect', () => {
  const day = [task(Assigned, 5, 5), task(Succeeded, 100, 30), task(Failed, 7, 7), task(Succeeded, 40, 0)]
  const { collected, toCollect, unpaid, lost } = sumMoney(day)
  assert.deepEqual([collected, toCollect, unpaid, lost], [110, 5, 30, 7])
  assert.equal(collected + toCollect + unpaid + lost, 5 + 100 + 7 + 40)
})

test('what is left of a task that is tried again counts with the next try only', () => {
  const next = { taskId: 2, awb: 'A-1-2' }
  const failed = task(Failed, 120, 100, true, next)
  assert.deepEqual(moneyOf(failed), { collected: 20, toCollect: 0, unpaid: 0, lost: 0 })
  for (const [status, what] of [
    [Assigned, 'toCollect'],
    [Succeeded, 'unpaid'],
    [Failed, 'lost'],
  ] as const)
    assert.deepEqual(sumMoney([failed, task(status, 100, 100)]), { ...noMoney, collected: 20, [what]: 100 })
  // Corrected since: its money is still that of the next try.
  assert.deepEqual(moneyOf(task(Succeeded, 120, 100, true, next)), { ...noMoney, collected: 20 })
})

test('a currency is recognised by its code', () => {
  for (const code of ['RON', 'EUR', 'JPY']) assert.ok(isCurrency(code), code)
  for (const code of ['ron', 'LEI', 'EURO', '']) assert.ok(!isCurrency(code), code)
})
