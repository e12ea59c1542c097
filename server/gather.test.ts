import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from './db/db.ts'
import { createSharedReads, gatherSets } from './gather.ts'

/** Readings that end when they are told to, each with its number. */
function start() {
  const share = createSharedReads()
  const service = { database: {} as Database }
  const readings: PromiseWithResolvers<void>[] = []
  const read = (name = 'link') =>
    share(service, name, async () => {
      const reading = Promise.withResolvers<void>()
      const number = readings.push(reading)
      await reading.promise
      return number
    })
  const begun = async (count: number) => {
    while (readings.length < count) await new Promise((resolve) => setImmediate(resolve))
    return readings[count - 1] as PromiseWithResolvers<void>
  }
  return { read, begun, readings }
}

test('those who come during a reading share the next one, however many they are', async () => {
  const { read, begun, readings } = start()
  const first = [read(), read()]
  const one = await begun(1)
  const later = Array.from({ length: 50 }, () => read())
  one.resolve()
  assert.deepEqual(await Promise.all(first), [1, 1])
  ;(await begun(2)).resolve()
  assert.deepEqual(new Set(await Promise.all(later)), new Set([2]), 'nobody gets what was read before they asked')
  assert.equal(readings.length, 2)
})

test('other names wait for nobody', async () => {
  const { read, begun } = start()
  const slow = read('slow')
  const stuck = await begun(1)
  const quick = read('quick')
  ;(await begun(2)).resolve()
  assert.equal(await quick, 2)
  stuck.resolve()
  assert.equal(await slow, 1)
})

test('a reading that fails, fails for those who shared it, and the next is made', async () => {
  const { read, begun } = start()
  const first = Promise.allSettled([read(), read()])
  ;(await begun(1)).reject(new Error('gone'))
  assert.deepEqual(
    (await first).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  const second = read()
  ;(await begun(2)).resolve()
  assert.equal(await second, 2)
})

test('who has little does not wait for those with much, who still get half of every set', async () => {
  const sets: number[][] = []
  const gather = gatherSets(
    { mostAtOnce: 1, largestSet: 100, sizeOf: (size: number) => size, small: 5 },
    async (set) => {
      sets.push(set)
      return set
    },
  )
  const much = Array.from({ length: 10 }, () => gather(20))
  const little = Array.from({ length: 30 }, () => gather(3))
  assert.deepEqual(await Promise.all([...much, ...little]), [...much.map(() => 20), ...little.map(() => 3)])
  const countOf = (set: number[] | undefined, size: number) => set?.filter((one) => one === size).length
  assert.deepEqual([countOf(sets[0], 3), countOf(sets[0], 20)], [16, 2], 'half of the first set')
  assert.deepEqual([countOf(sets[1], 3), countOf(sets[1], 20)], [14, 2])
  assert.equal(sets.length, 4, 'the rest in sets as large as they can be')
})

test('what takes a whole set is passed over once, however many with little keep coming', async () => {
  const sets: number[][] = []
  const gather = gatherSets(
    { mostAtOnce: 1, largestSet: 100, sizeOf: (size: number) => size, small: 5 },
    async (set) => {
      if (sets.push(set) < 10) void gather(1)
      return set
    },
  )
  await Promise.all([gather(100), gather(1)])
  assert.deepEqual(sets.slice(0, 2), [[1], [100]])
})
