import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '../../core/words/languages.ts'
import { sayIn } from '../test/words.ts'
import { formatsFor, localeOf, type Units } from './formats.ts'

const formats = (locale: string, units: Units = 'metric') =>
  formatsFor(sayIn(locale.slice(0, 2) as Language), locale, 'Europe/Bucharest', 'RON', units)

test('dates look as in the region of the browser, if it speaks the language of the page', () => {
  assert.equal(localeOf('en', ['en-GB', 'en']), 'en-GB')
  assert.equal(localeOf('en', ['ro-RO', 'en-IE']), 'en-IE')
  assert.equal(localeOf('en', ['ro-RO']), 'en')
  assert.equal(localeOf('ro', ['en-GB', 'ro']), 'ro')
  const moment = '2026-11-15T10:05:00Z'
  assert.equal(formats('en-GB').date(moment), '15 Nov')
  assert.equal(formats('en-US').date(moment), 'Nov 15')
  assert.equal(formats('en-US').time(moment), '12:05', 'the hours stay those of a dispatcher')
})

test('a window with one end says which one it is', () => {
  const [from, until] = ['2026-11-15T12:00:00Z', '2026-11-15T14:00:00Z']
  const said = (locale: string) => [
    formats(locale).window(from, until),
    formats(locale).window(null, until),
    formats(locale).window(from, null),
    formats(locale).window(null, null),
  ]
  assert.deepEqual(said('en-GB'), ['14:00–16:00', 'until 16:00', 'from 14:00', ''])
  assert.deepEqual(said('ro'), ['14:00–16:00', 'până la 16:00', 'de la 14:00', ''])
})

test("distances are in the organisation's units, and only as exact as anyone needs", () => {
  const said = (units: Units, locale = 'en-GB') =>
    [0, 344, 1_234, 34_567].map((metres) => formats(locale, units).distance(metres).replace(/\s/g, ' '))
  assert.deepEqual(said('metric'), ['0 m', '340 m', '1.2 km', '35 km'])
  assert.deepEqual(said('metric', 'ro'), ['0 m', '340 m', '1,2 km', '35 km'])
  assert.deepEqual(said('imperial').slice(1), ['0.2 mi', '0.8 mi', '21 mi'])
  assert.match(formats('en-GB', 'imperial').distance(100), /^350\s?ft$/)
})
