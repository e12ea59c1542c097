import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOneKey } from './one-key.ts'

test('the same is sent again with the same key, until it is done; another thing has another', () => {
  const { keyOf, done } = makeOneKey()
  const first = keyOf({ amount: 40 })
  assert.equal(keyOf({ amount: 40 }), first)
  const other = keyOf({ amount: 41 })
  assert.notEqual(other, first)
  done()
  assert.notEqual(keyOf({ amount: 41 }), other)
})
