import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellTruth } from './truth.ts'

const calm = { waiting: 0, ageMs: 0, notAccepted: 0, decided: 0, isReachable: true, isUnreadable: false }
const minute = 60_000

const cases: [what: string, given: Partial<typeof calm>, tone: string, words: string][] = [
  ['nothing left', {}, 'good', 'allSent'],
  ['something waits', { waiting: 2 }, 'plain', 'thingsWait oldestNew'],
  ['it waits for long', { waiting: 1, ageMs: 6 * minute }, 'waiting', 'thingsWait oldestIs'],
  ['something was not accepted', { notAccepted: 15 }, 'bad', 'someNotAccepted'],
  ['and something else waits', { notAccepted: 1, waiting: 1 }, 'bad', 'someNotAccepted thingsWait oldestNew'],
  ['the office answered', { decided: 1 }, 'plain', 'allSent officeDecided'],
  ['the phone cannot read what it keeps', { isUnreadable: true }, 'bad', 'memoryUnreadable'],
  ['all sent, and no network', { isReachable: false }, 'plain', 'allSent noConnection'],
  ['it waits without a network', { waiting: 1, isReachable: false }, 'plain', 'thingsWait oldestNew noConnection'],
]

test('the line is green only if nothing waits, nothing was refused, and the phone reaches the server and its memory', () => {
  for (const [what, given, tone, words] of cases) {
    const truth = tellTruth({ ...calm, ...given })
    assert.deepEqual([truth.tone, truth.parts.map(({ word }) => word).join(' ')], [tone, words], what)
  }
})
