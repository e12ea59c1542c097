import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { amountsOf, seedOr, tellNumbers } from './proofs.ts'
import { type Report, type Rules, type Summary, simulate, simulateMany, soundRules } from './simulation.ts'

/* A seed is a world. WAYBILL_SEED=4711 begins with that one. */
const firstSeed = seedOr(1)
const seedCount = amountsOf('simulation').worlds

/** The same seed again, step by step. */
async function explain({ seed, wrong }: Report, rules: Rules): Promise<string> {
  const again = await simulate(seed, rules, true)
  assert.deepEqual(again.wrong, wrong, 'a seed tells the same story every time')
  return `WAYBILL_SEED=${seed}: ${wrong.slice(0, 3).join('; ')}\n${again.trace.join('\n')}`
}

test('whatever crashes, stalls or fails, every event arrives in order or is dead for a reason', async (t) => {
  const simulation = new URL('./simulation.ts', import.meta.url)
  const worker = new Worker(simulation, {
    workerData: { simulate: { first: firstSeed, count: seedCount } },
    // Worlds are short-lived: with a larger young generation, less is copied.
    resourceLimits: { maxYoungGenerationSizeMb: 64 },
  })
  const [{ counts, slowestTakeOverMs, failed }] = (await once(worker, 'message')) as [Summary]

  if (failed) assert.fail(await explain(failed, soundRules))
  tellNumbers(t, 'simulation', { worlds: seedCount, ...counts })
  t.diagnostic(`a dead worker's claims were taken over within ${Math.round(slowestTakeOverMs)} ms`)
  for (const [what, count] of Object.entries(counts))
    assert.ok(count > seedCount / 100, `the worlds are too quiet to prove anything: ${count} ${what}`)
})

test('the same seed gives the same history every time', async () => {
  for (const seed of [2, 4, 200]) {
    const [one, other] = [await simulate(seed, soundRules, true), await simulate(seed, soundRules, true)]
    assert.deepEqual(one, other)
    assert.ok(one.trace.length > 3, 'something happens')
  }
})

const plantedBugs: Record<string, { rules: Partial<Rules>; says: RegExp }> = {
  'a claim that gets lost on its way to the worker': {
    rules: { told: (claimed) => (claimed.length > 1 ? claimed.slice(1) : claimed) },
    says: /taken from worker/,
  },
  'a claim that outlives its worker': {
    rules: { leaseEnd: () => Number.POSITIVE_INFINITY },
    says: /is stuck/,
  },
  'a stale worker that completes what is no longer its own': {
    rules: { isOwner: () => true },
    says: /completed it with claim/,
  },
  'a head that is skipped': {
    rules: { isHead: (earlier) => earlier <= 1 },
    says: /arrived before/,
  },
  'a retry that is never scheduled': {
    rules: { retryAt: () => Number.POSITIVE_INFINITY },
    says: /is stuck/,
  },
  'a lease that is never renewed': {
    rules: { renewedUntil: (_, dueAt) => dueAt },
    says: /taken from worker/,
  },
  'a worker that takes from itself what it was too late to renew': {
    rules: { isOurs: () => false },
    says: /from itself while it sends it/,
  },
  'a window that is ignored': {
    rules: { free: (allowed) => allowed },
    says: /claimed at once/,
  },
}

for (const [bug, { rules, says }] of Object.entries(plantedBugs))
  test(`it finds ${bug}`, async (t) => {
    const broken = { ...soundRules, ...rules }
    const { failed } = await simulateMany(1, 500, broken)

    assert.ok(failed, '500 seeds did not find it')
    const story = await explain(failed, broken)
    assert.match(story, says)
    t.diagnostic(story.split('\n', 1).join())
  })
