import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedLanguage } from './language.ts'

test('a page speaks the language the browser prefers, and English if it knows neither', () => {
  for (const [accepted, expected] of [
    ['ro', 'ro'],
    ['ro-RO,ro;q=0.9,en-US;q=0.8', 'ro'],
    ['en-GB,en;q=0.9,ro;q=0.8', 'en'],
    ['hu-HU,ro;q=0.5,en;q=0.4', 'ro'],
    ['en;q=0.1, RO-md', 'ro'],
    ['ro;q=0, de', 'en'],
    ['roa, *', 'en'],
    [';;q=x,,', 'en'],
    [undefined, 'en'],
  ] as const)
    assert.equal(acceptedLanguage(accepted), expected, String(accepted))
})
