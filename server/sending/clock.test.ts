import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atMost, realClock } from './clock.ts'

const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('work that is done in time leaves no timer that would keep the process alive', async () => {
  const before = countTimers()
  const waiting = atMost(realClock, 60_000, Promise.resolve())
  assert.equal(countTimers(), before + 1)
  await waiting
  assert.equal(countTimers(), before)
})

test('work that takes longer is not waited for', async () => {
  const never = new Promise<void>(() => {})
  await atMost(realClock, 1, never)
})
