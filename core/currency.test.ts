import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryCodes, currencyOf } from './currency.ts'
import { isCurrency } from './money.ts'
import { isCountry } from './phone.ts'

test('every country has a currency, and both are known', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const known = letters.flatMap((one) => letters.map((other) => one + other)).filter(isCountry)
  assert.deepEqual(countryCodes, known.sort())
  for (const code of countryCodes) assert.ok(isCurrency(currencyOf(code) as string), `${code} ${currencyOf(code)}`)
})

test('the currency follows the country', () => {
  const cases = { RO: 'RON', DE: 'EUR', GB: 'GBP', MD: 'MDL', US: 'USD', BG: 'EUR', ZZ: undefined }
  for (const [country, currency] of Object.entries(cases)) assert.equal(currencyOf(country), currency, country)
})
