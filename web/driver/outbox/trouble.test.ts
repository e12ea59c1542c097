import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentTrouble, dismissTrouble, NotKept, orTell } from './trouble.ts'

const fails = (error: unknown) => orTell(() => Promise.reject(error)).catch((told: unknown) => told)

test('a write that fails is told whether or not anybody looks, and stops whoever waits for it', async () => {
  const full = new DOMException('No room', 'QuotaExceededError')
  assert.ok((await fails(full)) instanceof NotKept)
  assert.equal(currentTrouble(), 'phoneFull')
  await fails(new DOMException('Closed', 'InvalidStateError'))
  assert.equal(currentTrouble(), 'notSaved')
})

test('the sentence stays until something is kept or the driver has read it', async () => {
  await fails(new Error('Broken'))
  assert.equal(await orTell(async () => 'kept'), 'kept')
  assert.equal(currentTrouble(), undefined)
  await fails(new Error('Broken'))
  dismissTrouble()
  assert.equal(currentTrouble(), undefined)
})

test('what was told inside another write is not told again in other words', async () => {
  const told = await orTell(() => orTell(() => Promise.reject(new DOMException('', 'QuotaExceededError')))).catch(
    (error: unknown) => error,
  )
  assert.ok(told instanceof NotKept)
  assert.equal(currentTrouble(), 'phoneFull')
})
