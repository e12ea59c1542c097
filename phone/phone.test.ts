import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amountsOf, seedOr, tellNumbers } from '../server/test/proofs.ts'
import { openWorld, type Step, steps } from './test/world.ts'

/*
 * The phone in worlds by seed: the network loses requests and answers, brings answers late, the server is busy or of another
 * version, the store refuses, tabs are killed in the middle of anything, and two of them are open.
 */

const { worlds } = amountsOf('phone')
const seed = seedOr(4_711)

test('whatever the network, the store and the tabs do, everything a driver did arrives once, in its order', async (t) => {
  let sent = 0
  const live = async (history: Step[], worldSeed: number) => {
    const world = openWorld(worldSeed)
    await world.begin()
    for (const step of history) await world.make(step)
    await world.end()
    sent += world.received().length
  }
  await fc.assert(fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 40, size: 'max' }), fc.nat(), live), {
    seed,
    numRuns: worlds,
  })
  assert.ok(sent > worlds)
  tellNumbers(t, 'phone', { worlds, 'ops received': sent })
})
