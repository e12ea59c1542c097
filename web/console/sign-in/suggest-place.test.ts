import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveTo, suggestPlace } from './suggest-place.ts'

test('the country is that of the clock, whatever language the browser speaks', () => {
  const bucharest = { country: 'RO', timezone: 'Europe/Bucharest', currency: 'RON' }
  assert.deepEqual(suggestPlace('Europe/Bucharest', ['en-US', 'en']), bucharest)
  assert.deepEqual(suggestPlace('Europe/Bucharest', ['ro']), bucharest)
  assert.deepEqual(suggestPlace('Europe/Bucharest', ['en-US@posix']), bucharest, 'a language that is no locale')
  assert.deepEqual(suggestPlace('Europe/Vienna', ['de-AT', 'de']), {
    country: 'AT',
    timezone: 'Europe/Vienna',
    currency: 'EUR',
  })
  assert.deepEqual(suggestPlace('Etc/UTC', ['en']), { timezone: 'Etc/UTC' })
})

test('another country brings its currency, and its time zone unless the clock is right there', () => {
  const place = { country: 'RO', timezone: 'Europe/Bucharest', currency: 'RON' }
  assert.deepEqual(moveTo('MD', place), { country: 'MD', timezone: 'Europe/Chisinau', currency: 'MDL' })
  assert.deepEqual(moveTo('RO', place), place)
})
