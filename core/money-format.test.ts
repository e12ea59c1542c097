import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyFormat } from './money-format.ts'

const said = (locale: string, currency: string, amount = 1_027) =>
  moneyFormat(locale, currency).format(amount).replace(/\s/g, ' ')

test('amounts are written as people say them: lei in Romanian, RON elsewhere', () => {
  assert.deepEqual(
    ['ro', 'ro-RO', 'en', 'en-GB'].map((locale) => said(locale, 'RON')),
    ['1.027 lei', '1.027 lei', 'RON 1,027', 'RON 1,027'],
  )
  assert.deepEqual([said('ro', 'USD'), said('en', 'EUR')], ['1.027 USD', '€1,027'])
})

test('an amount with decimals has both, and a whole one has none', () => {
  assert.deepEqual(
    [622, 89.5, 0.05, -40.25, 1_234.5].map((amount) => said('ro', 'RON', amount)),
    ['622 lei', '89,50 lei', '0,05 lei', '-40,25 lei', '1.234,50 lei'],
  )
  assert.deepEqual([said('en', 'RON', 89.5), said('en', 'EUR', 89.5)], ['RON 89.50', '€89.50'])
})
