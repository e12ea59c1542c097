import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyFormat } from './money-format.ts'

test('amounts are written as people say them: lei in Romanian, RON elsewhere', () => {
  const said = (locale: string, currency: string) => moneyFormat(locale, currency).format(1_027).replace(/\s/g, ' ')
  assert.deepEqual(
    ['ro', 'ro-RO', 'en', 'en-GB'].map((locale) => said(locale, 'RON')),
    ['1.027 lei', '1.027 lei', 'RON 1,027', 'RON 1,027'],
  )
  assert.deepEqual([said('ro', 'USD'), said('en', 'EUR')], ['1.027 USD', '€1,027'])
})
