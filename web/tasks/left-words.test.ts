import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assigned, Failed, type StatusId, Succeeded } from '../../core/task-status.ts'
import { sayIn } from '../test/words.ts'
import { moneyFactOf } from './left-words.ts'

/** What the panel says of a task of 41, in both languages. */
function told(statusId: StatusId, leftToBePaid: number | null, totalPrice: number | null = 41, collectPayment = true) {
  const fact = moneyFactOf({ statusId, leftToBePaid, totalPrice, collectPayment })
  return (
    fact &&
    (['en', 'ro'] as const).map((language) => {
      const say = sayIn(language)
      const parts = [`${say(fact.word)}: ${fact.amount}`, ...(fact.of ? [say('ofTotal', { amount: fact.of })] : [])]
      return parts.join(' ')
    })
  )
}

test('a task that is paid says so, and nothing of unpaid money', () => {
  for (const status of [Assigned, Succeeded, Failed]) assert.deepEqual(told(status, 0), ['Paid: 41', 'Achitat: 41'])
})

test('a task that is paid in part says how much of it is left', () => {
  for (const status of [Assigned, Succeeded])
    assert.deepEqual(told(status, 20), ['Left to collect: 20 of 41', 'Rest de încasat: 20 din 41'])
  assert.deepEqual(told(Failed, 20), ['Not collected (failed): 20 of 41', 'Neîncasat (eșuate): 20 din 41'])
})

test('a task of which nothing was paid says what will happen to the money', () => {
  assert.deepEqual(told(Assigned, 41), ['To collect: 41', 'De încasat: 41'])
  assert.deepEqual(told(Succeeded, 41), ['Delivered, unpaid: 41', 'Livrat, neachitat: 41'])
  assert.deepEqual(told(Failed, 41), ['Not collected (failed): 41', 'Neîncasat (eșuate): 41'])
})

test('a failed task says what was not collected for it, also if the next try collects it', () => {
  const tried = { statusId: Failed, leftToBePaid: 30, totalPrice: 41, collectPayment: true, reattemptedAs: {} }
  assert.deepEqual(moneyFactOf(tried), { word: 'notCollected', amount: 30, of: 41 })
})

test('where the driver has nothing to collect nothing is said', () => {
  assert.equal(told(Succeeded, null, 41, false), undefined)
  assert.equal(told(Succeeded, null, null), undefined)
  assert.equal(told(Succeeded, 0, 0), undefined)
})
