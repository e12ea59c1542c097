import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDue, secondsOf } from './pace.ts'

const pace = { metres: 50, seconds: 15 }
/** So many metres north, so many seconds later. */
const at = (metres: number, seconds: number) => ({ lat: 44.43 + metres / 111_195, lng: 26.1, atMs: seconds * 1000 })

test('a position is reported after moving far enough, and at least as often as the organisation says', () => {
  assert.ok(isDue(undefined, at(0, 0), pace), 'the first one')
  assert.ok(!isDue(at(0, 0), at(40, 14), pace), 'neither far nor long')
  assert.ok(isDue(at(0, 0), at(51, 2), pace), 'far')
  assert.ok(isDue(at(0, 0), at(0, 15), pace), 'long')
})

test('a pace of 0 means as often as makes sense, not all the time', () => {
  const always = { metres: 0, seconds: 0 }
  assert.equal(secondsOf(always), 5)
  assert.ok(!isDue(at(0, 0), at(0, 1), always))
  assert.ok(isDue(at(0, 0), at(2, 1), always))
})
