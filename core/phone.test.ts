import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examplePhone, readPhone } from './phone.ts'

test('a local number is read by the rules of its country and stored as E.164', () => {
  assert.equal(readPhone('0712 345 678', 'RO'), '+40712345678')
  assert.equal(readPhone('(415) 555-2671', 'US'), '+14155552671')
})

test('any possible international number is accepted', () => {
  assert.equal(readPhone('+44 20 7946 0958', 'RO'), '+442079460958')
})

test('an impossible number is refused, and the example shows a possible one', () => {
  assert.equal(readPhone('123', 'RO'), undefined)
  assert.equal(readPhone('call me', 'RO'), undefined)
  assert.equal(readPhone(examplePhone('RO'), 'RO'), '+40712034567')
})
