import assert from 'node:assert/strict'
import test from 'node:test'
import {
  type Attempt,
  isToBeDisabled,
  longestRetryAfterMs,
  maxAttempts,
  nextAttempt,
  parseRetryAfter,
  retryDelaysMs,
} from './retry.ts'

const nowMs = Date.parse('2026-03-02T10:00:00Z')

function waitSeconds(given: Partial<Attempt>): number {
  const decision = nextAttempt({ attempt: 1, outcome: 'failed', random: 0.5, ...given })
  assert(decision.kind === 'retry')
  return decision.afterMs / 1000
}

test('a delivered event needs nothing more', () => {
  assert.deepEqual(nextAttempt({ attempt: 3, outcome: 'delivered', random: 0 }), { kind: 'delivered' })
})

test('a failed event is tried again after 5 s, 30 s, 2 m, 10 m, 30 m, 1 h, 2 h, 4 h, 8 h and 8 h', () => {
  const waits = retryDelaysMs.map((_, index) => waitSeconds({ attempt: index + 1 }))
  assert.deepEqual(waits, [5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 28800])
})

test('every wait varies by up to a fifth in both directions', () => {
  assert.equal(waitSeconds({ attempt: 2, random: 0 }), 24)
  assert.equal(waitSeconds({ attempt: 2, random: 0.999999999 }), 36)
})

test('after the eleventh failure the event is dead', () => {
  assert.equal(maxAttempts, 11)
  assert.deepEqual(nextAttempt({ attempt: 11, outcome: 'failed', random: 0 }), {
    kind: 'dead',
    reason: 'All 11 attempts failed',
  })
})

test('a dead event stays dead, whatever the receiver asks for', () => {
  assert.equal(nextAttempt({ attempt: 11, outcome: 'failed', retryAfterSeconds: 9, random: 0 }).kind, 'dead')
})

test('a receiver that is gone disables its webhook', () => {
  assert.equal(nextAttempt({ attempt: 1, outcome: 'gone', random: 0 }).kind, 'disable')
})

test('a receiver can ask for a longer wait', () => {
  assert.equal(waitSeconds({ retryAfterSeconds: 120, random: 0 }), 120)
})

test('after the same requested wait, deliveries are spread out and none is too early', () => {
  assert.equal(waitSeconds({ retryAfterSeconds: 100, random: 0.5 }), 110)
})

test('a receiver cannot use up its attempts by asking for a shorter wait', () => {
  assert.equal(waitSeconds({ attempt: 4, retryAfterSeconds: 1 }), 600)
  assert.equal(waitSeconds({ attempt: 4, retryAfterSeconds: 0 }), 600)
})

test('an event is never postponed for more than a day', () => {
  assert.equal(waitSeconds({ retryAfterSeconds: 1e12 }), longestRetryAfterMs / 1000)
  assert.equal(waitSeconds({ retryAfterSeconds: Number.POSITIVE_INFINITY }), longestRetryAfterMs / 1000)
})

test('Retry-After is read as seconds', () => {
  assert.equal(parseRetryAfter('120', nowMs), 120)
  assert.equal(parseRetryAfter(' 0 ', nowMs), 0)
})

test('Retry-After is read as a date', () => {
  assert.equal(parseRetryAfter('Mon, 02 Mar 2026 10:01:30 GMT', nowMs), 90)
  assert.equal(parseRetryAfter('Mon, 02 Mar 2026 09:00:00 GMT', nowMs), 0)
})

for (const nonsense of [
  undefined,
  '',
  'soon',
  '-5',
  '1.5',
  '1e3',
  '0x10',
  '2026-03-02',
  'Mon, 99 Mar 2026 10:00:00 GMT',
]) {
  test(`Retry-After "${nonsense}" counts as not given`, () => {
    assert.equal(parseRetryAfter(nonsense, nowMs), undefined)
  })
}

test('a webhook is switched off after 300 failures in a row, if they took an hour', () => {
  const hour = 3_600_000
  assert.equal(isToBeDisabled(300, hour), true)
  assert.equal(isToBeDisabled(299, 5 * hour), false)
  assert.equal(isToBeDisabled(5_000, hour - 1), false)
  assert.equal(isToBeDisabled(300, 0), false)
})
