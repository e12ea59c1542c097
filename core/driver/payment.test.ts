import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAmount, readPayment, type TypedPayment } from './payment.ts'

test('an amount is read with a comma as with a point, and what is not one is not guessed', () => {
  const whole = { '78': 78, '78 lei': 78, ' 1 250 ': 1250, '78,00': 78, '0': 0 }
  for (const [text, amount] of Object.entries(whole)) assert.equal(readAmount(text, 0), amount, text)
  for (const text of ['12,50', '12.50', '12,5']) {
    assert.equal(readAmount(text, 2), 12.5)
    assert.equal(readAmount(text, 0), 'fraction')
  }
  for (const text of ['', 'x', '-5', '1.250', '1,250', '12,345', '1,2,3', '78 buc', '5e2', 'Infinity', ','])
    assert.equal(readAmount(text, 2), 'unreadable', text)
})

const read = (typed: Partial<TypedPayment>, { left = 78, allowPartialPayments = true, moneyDecimals = 0 } = {}) => {
  const found = readPayment({ amount: null, method: null, ...typed }, left, { allowPartialPayments, moneyDecimals })
  return found.kind === 'problem' ? found.problem : found.kind === 'paid' ? found.amount : found.kind
}

test('what is typed is taken or named, never dropped', () => {
  assert.equal(read({}), 'nothing')
  assert.equal(read({ method: 'cash' }), 78)
  assert.equal(read({ amount: '30', method: 'card' }), 30)
  assert.equal(read({ amount: '500', method: 'cash' }), 'tooMuch')
  assert.equal(read({ amount: '500' }), 'tooMuch')
  assert.equal(read({ amount: '12,50', method: 'cash' }), 'fraction')
  assert.equal(read({ amount: 'x', method: 'cash' }), 'unreadable')
  assert.equal(read({ amount: '30' }), 'noMethod')
  assert.equal(read({ amount: '', method: 'cash' }), 'noAmount')
  assert.equal(read({ amount: '0', method: 'cash' }), 'nothing')
  assert.equal(read({ amount: '' }), 'nothing')
})

test('where parts may not be paid, it is all or nothing', () => {
  assert.equal(read({ amount: '30', method: 'cash' }, { allowPartialPayments: false }), 'partial')
  assert.equal(read({ method: 'cash' }, { allowPartialPayments: false }), 78)
})

test('what the office has been paid in the meantime is not taken twice', () => {
  assert.equal(read({ method: 'cash' }, { left: 0 }), 'tooMuch')
  assert.equal(read({ amount: '78', method: 'cash' }, { left: 0 }), 'tooMuch')
  assert.equal(read({}, { left: 0 }), 'nothing')
})

test('an amount with decimals is taken where money has them', () => {
  const decimals = { moneyDecimals: 2, left: 89.5 }
  assert.equal(read({ amount: '12,50', method: 'cash' }, decimals), 12.5)
  assert.equal(read({ amount: '89,50', method: 'cash' }, decimals), 89.5)
  assert.equal(read({ method: 'cash' }, decimals), 89.5)
  assert.equal(read({ amount: '89,51', method: 'cash' }, decimals), 'tooMuch')
  assert.equal(read({ amount: '89', method: 'cash' }, { ...decimals, allowPartialPayments: false }), 'partial')
})

test('what is left with decimals can be paid after they were turned off', () => {
  assert.equal(read({ amount: '89,50', method: 'cash' }, { left: 89.5 }), 89.5)
  assert.equal(read({ amount: '12,50', method: 'cash' }, { left: 89 }), 'fraction')
})
