import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, type TestContext, test } from 'node:test'
import { Refusal } from '../../contract/errors.ts'
import { findFaults } from '../../core/optimise/check.ts'
import { makeDay } from '../../core/optimise/days.ts'
import type { Problem } from '../../core/optimise/problem.ts'
import { solve } from '../../core/optimise/solve.ts'
import { createLog } from '../log.ts'
import { untilHolds } from '../test/until.ts'
import { createSolvers } from './solvers.ts'

const log = createLog('silent', process.stderr)

function start(t: TestContext, options: Partial<Parameters<typeof createSolvers>[0]> = {}) {
  const solvers = createSolvers({ log, threads: 1, ...options })
  t.after(() => solvers.close())
  return solvers
}

/** For tests that leave its thread as it was: a new one first compiles everything. */
const shared = createSolvers({ log, threads: 1 })
after(() => shared.close())

const short = { seed: 1, iterations: 200, milliseconds: 5_000 }
/** As long as it is allowed to run. */
const endless = { seed: 1, iterations: 1e9, milliseconds: 1e9 }
const copyOf = (problem: Problem): Problem => ({ ...problem, travelSeconds: problem.travelSeconds.slice() })
const isBusy = (error: unknown) =>
  error instanceof Refusal && error.code === 'PLANNER_BUSY' && (error.retryAfterSeconds ?? 0) > 0

test('a thread finds what this one would have found', async () => {
  const day = makeDay(7, { stops: 20 })
  const found = await shared.run('solve', copyOf(day), short)
  assert.deepEqual(found, solve(day, { seed: 1, iterations: 200 }))
  assert.deepEqual(findFaults(day, found), [])
})

test('the matrix is handed over, not copied', async () => {
  const day = makeDay(7, { stops: 20 })
  await shared.run('solve', day, short)
  assert.equal(day.travelSeconds.length, 0)
})

test('many at once are answered one after the other, each with its own answer', async () => {
  const days = [5, 12, 20, 9, 30].map((stops) => makeDay(stops, { stops }))
  const found = await Promise.all(days.map((day) => shared.run('solve', copyOf(day), short)))
  assert.deepEqual(
    found.map(({ routes }) => routes[0]?.visits.length),
    [5, 12, 20, 9, 30],
  )
})

test('a caller that stops waiting gets the best result so far', async () => {
  const giveUp = new AbortController()
  const answer = shared.run('solve', makeDay(3, { stops: 60 }), endless, giveUp.signal)
  giveUp.abort()
  assert.equal((await answer).routes[0]?.visits.length, 60)
})

test('a queue that is full says so at once', async (t) => {
  const solvers = start(t, { mostWaiting: 2 })
  const giveUp = new AbortController()
  const running = [1, 2, 3].map(() => solvers.run('solve', makeDay(3, { stops: 40 }), endless, giveUp.signal))
  await assert.rejects(solvers.run('solve', makeDay(3, { stops: 40 }), short), isBusy)
  giveUp.abort()
  const settled = await Promise.allSettled(running)
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  )
})

test('a caller that has waited too long is refused', async (t) => {
  const solvers = start(t, { mostWaitMs: 200 })
  const giveUp = new AbortController()
  const running = solvers.run('solve', makeDay(3, { stops: 40 }), endless, giveUp.signal)
  await assert.rejects(solvers.run('solve', makeDay(3, { stops: 40 }), short), isBusy)
  giveUp.abort()
  assert.equal((await running).routes[0]?.visits.length, 40)
})

test('a problem that makes no sense fails alone', async () => {
  const wrong = { ...makeDay(1, { stops: 3 }), placeCount: 99 }
  await assert.rejects(shared.run('solve', wrong, short), /Not a problem to solve/)
  assert.equal((await shared.run('solve', makeDay(1, { stops: 3 }), short)).isOptimal, true)
})

test('a thread that breaks is replaced, and its question refused', async (t) => {
  const solvers = start(t, { memoryMb: 24 })
  const day = makeDay(1, { stops: 12 })
  const greedy = { ...copyOf(day), precedences: Array.from({ length: 400_000 }, (): [number, number] => [0, 1]) }
  await assert.rejects(solvers.run('solve', greedy, short), isBusy)
  assert.equal((await solvers.run('solve', copyOf(day), short)).routes[0]?.visits.length, 12)
})

test('a stuck solver is ended', async (t) => {
  const solvers = start(t, { mostMs: 2_000 })
  await assert.rejects(solvers.run('solve', makeDay(1, { stops: 50 }), endless), isBusy)
  // On a busy machine a small plan may take too long as well, at first.
  await untilHolds(async () =>
    assert.equal((await solvers.run('solve', makeDay(1, { stops: 4 }), short)).isOptimal, true),
  )
})

test('closing refuses waiting plans and ends running ones', async (t) => {
  const solvers = start(t)
  await solvers.run('solve', makeDay(3, { stops: 4 }), short)
  const running = [1, 2].map(() => solvers.run('solve', makeDay(3, { stops: 40 }), endless))
  const settled = Promise.allSettled(running)
  await solvers.close()
  for (const outcome of await settled) assert.ok(outcome.status === 'rejected' && isBusy(outcome.reason))
  await assert.rejects(solvers.run('solve', makeDay(3, { stops: 4 }), short), isBusy)
})

test('the process goes on while a thread solves', async (t) => {
  await shared.run('solve', makeDay(3, { stops: 4 }), short)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await shared.run('solve', makeDay(3, { stops: 100 }), { seed: 1, iterations: 1e9, milliseconds: 600 })
  delay.disable()
  assert.ok(delay.count > 5, 'it ran all the time')
  t.diagnostic(`the loop was late by ${(delay.percentile(99) / 1e6).toFixed(0)} ms (p99)`)
})
