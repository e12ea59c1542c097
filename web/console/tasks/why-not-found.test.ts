import assert from 'node:assert/strict'
import { test } from 'node:test'
import { geocodingProblems } from '../../../core/geocoding-problems.ts'
import { sayIn } from '../../test/words.ts'
import { whyNotFound } from './why-not-found.ts'

test('why an address was not found is said in the language of the page', () => {
  const said = ['', geocodingProblems.notFound, geocodingProblems.noCity, 'The geocoder answered 503']
  assert.deepEqual(
    said.map((problem) => whyNotFound(problem, sayIn('ro'))),
    ['', '', 'Adresa nu conține o localitate cunoscută.', 'Serviciul de adrese nu a răspuns.'],
  )
})
