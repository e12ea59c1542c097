import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTrouble, NotKept } from './trouble.ts'

const { orTell, current, dismiss } = createTrouble(
  (error) => error instanceof DOMException && error.name === 'QuotaExceededError',
)

const fails = (error: unknown) => orTell(() => Promise.reject(error)).catch((told: unknown) => told)

test('a write that fails is told whether or not anybody looks, and stops whoever waits for it', async () => {
  const full = new DOMException('No room', 'QuotaExceededError')
  assert.ok((await fails(full)) instanceof NotKept)
  assert.equal(current(), 'phoneFull')
  await fails(new DOMException('Closed', 'InvalidStateError'))
  assert.equal(current(), 'notSaved')
})

test('the sentence stays until something is kept or the driver has read it', async () => {
  await fails(new Error('Broken'))
  assert.equal(await orTell(async () => 'kept'), 'kept')
  assert.equal(current(), undefined)
  await fails(new Error('Broken'))
  dismiss()
  assert.equal(current(), undefined)
})

test('what was told inside another write is not told again in other words', async () => {
  const told = await orTell(() => orTell(() => Promise.reject(new DOMException('', 'QuotaExceededError')))).catch(
    (error: unknown) => error,
  )
  assert.ok(told instanceof NotKept)
  assert.equal(current(), 'phoneFull')
})
