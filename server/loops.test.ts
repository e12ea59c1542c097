import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLoop, startTimer, type WokenWork } from './loops.ts'
import { until } from './test/until.ts'

const hour = 3_600_000

function aWork(given: Partial<WokenWork> = {}) {
  const rounds: string[] = []
  const complaints: string[] = []
  const work: WokenWork = {
    name: 'test',
    everyMs: hour,
    trouble: 'It failed',
    async round() {
      rounds.push('made')
    },
    ...given,
  }
  const log = { warn: (_: unknown, text: string) => complaints.push(text) } as never
  return { work, log, rounds, complaints }
}

test('a loop works at once, and again whenever it is woken', async (t) => {
  let wake = () => {}
  const { work, log, rounds } = aWork({
    wokenBy(callback) {
      wake = callback
      return () => {}
    },
  })
  const loop = startLoop(work, log)
  t.after(loop.stop)
  await until('the first round', () => rounds.length === 1)
  wake()
  await until('the second round', () => rounds.length === 2)
})

test('a timer waits before its first round', async (t) => {
  const { work, log, rounds } = aWork()
  const timer = startTimer(work, log)
  t.after(timer.stop)
  assert.equal(rounds.length, 0)
  await timer.makeRound()
  assert.equal(rounds.length, 1)
})

test('news that come during a round are followed by another one', async (t) => {
  const gate = Promise.withResolvers<void>()
  const { work, log, rounds } = aWork()
  const loop = startLoop(
    {
      ...work,
      async round() {
        rounds.push('begun')
        if (rounds.length === 1) await gate.promise
      },
    },
    log,
  )
  t.after(loop.stop)
  const made = loop.makeRound()
  gate.resolve()
  await made
  assert.equal(rounds.length, 2)
})

test('a round that fails is reported, and the next one is made', async (t) => {
  const { work, log, complaints } = aWork()
  const loop = startLoop({ ...work, round: () => Promise.reject(new Error('no')) }, log)
  t.after(loop.stop)
  await loop.makeRound()
  await loop.makeRound()
  assert.ok(complaints.length >= 2)
  assert.equal(complaints[0], 'It failed')
})

test('a loop that has nothing left to do ends, and nobody waits for it', async () => {
  const { work, log } = aWork({ round: async () => 'done' })
  const loop = startLoop(work, log)
  await loop.makeRound()
  await loop.stop()
})

test('stopping waits for the round under way and begins no other', async () => {
  const gate = Promise.withResolvers<void>()
  const { work, log, rounds } = aWork()
  const loop = startLoop({ ...work, round: () => gate.promise.then(() => void rounds.push('over')) }, log)
  const stopped = loop.stop()
  gate.resolve()
  await stopped
  assert.deepEqual(rounds, ['over'])
})
