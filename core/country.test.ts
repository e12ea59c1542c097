import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryName, isCurrency } from './country.ts'

test('a country is called by its English name', () => {
  assert.equal(countryName('RO'), 'Romania')
  assert.equal(countryName('XK'), 'Kosovo')
})

test('a currency is known by its code', () => {
  for (const code of ['RON', 'EUR', 'JPY']) assert.ok(isCurrency(code), code)
  for (const code of ['ron', 'LEI', 'EURO', '']) assert.ok(!isCurrency(code), code)
})
