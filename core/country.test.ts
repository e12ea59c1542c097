import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryName } from './country.ts'

test('a country code is shown as its English name', () => {
  assert.equal(countryName('RO'), 'Romania')
  assert.equal(countryName('XK'), 'Kosovo')
})
