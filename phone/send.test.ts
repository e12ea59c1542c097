import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WaybillError } from '../sdk/calls.ts'
import { createMemoryStore } from './memory.ts'
import { createNews } from './news.ts'
import { openPhone } from './phone.ts'
import type { Server } from './ports.ts'
import { createTurns } from './turns.ts'

test('a server that asks to wait is not asked before, and the work waits without being called refused', async () => {
  let [nowMs, asked] = [Date.parse('2026-11-17T08:00:00Z'), 0]
  let [later, laterMs] = [() => {}, 0]
  let answer: () => Promise<never> = () => Promise.reject(new WaybillError(0, { code: 'networkDown' }))
  const store = createMemoryStore()
  const phone = openPhone({
    store,
    connect: () =>
      ({
        syncDriver: () => {
          asked += 1
          return answer()
        },
      }) as unknown as Server,
    clock: {
      nowMs: () => nowMs,
      later(run, ms) {
        ;[later, laterMs] = [run, ms]
        return () => {}
      },
    },
    alone: createTurns(),
    news: createNews(),
    describe: () => ({}),
    isOnMobileData: () => false,
    newId: () => crypto.randomUUID(),
    forgetMap: async () => {},
    onBroken: assert.ifError,
  })
  await store.change(({ facts }) => facts.put({ driverId: 7, name: 'Ion', token: 'wbd_x', osmandUrl: '' }, 'session'))
  await store.change(({ ops }) =>
    ops.add({
      driverId: 7,
      op: { opId: 'a', type: 'duty', inShift: true, occurredAt: '2026-11-17T08:00:00Z' },
    } as never),
  )
  const kept = () =>
    store.read(async ({ ops, refused }) => [(await ops.getAll()).length, (await refused.getAll()).length])

  await phone.wake()
  assert.deepEqual([asked, phone.reachesServer()], [1, false], 'without a network')

  answer = () => Promise.reject(new WaybillError(429, { code: 'RATE_LIMITED' }, 90))
  await phone.wake()
  assert.deepEqual([asked, laterMs, phone.reachesServer()], [2, 90_000, true])
  assert.deepEqual(await kept(), [1, 0])

  nowMs += 60_000
  await phone.wake()
  assert.deepEqual([asked, laterMs], [2, 30_000], 'whatever the driver does meanwhile')
  nowMs += 30_000
  later()
  await phone.wake()
  assert.ok(asked >= 3)
  assert.deepEqual(await kept(), [1, 0])

  answer = () => Promise.reject(new WaybillError(429, { code: 'RATE_LIMITED' }, 86_400))
  nowMs += 600_000
  await phone.wake()
  assert.ok(laterMs <= 600_000, 'a proxy that says tomorrow does not stop a shift')
})
