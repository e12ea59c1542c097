import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doFewAtOnce } from './few-at-once.ts'

const items = Array.from({ length: 20 }, (_, at) => at)
const wants = (act: (item: number) => Promise<unknown>, isHopeless = () => false) => ({ act, isHopeless })

test('a refused task does not keep the others from being done', async () => {
  const finished: number[] = []
  const { left, why } = await doFewAtOnce(items, {
    ...wants(async (item) => {
      if (item % 7 === 3) throw new Error(`no ${item}`)
    }),
    onProgress: (count) => finished.push(count),
  })
  assert.deepEqual(left, [3, 10, 17])
  assert.equal((why as Error).message, 'no 3')
  assert.equal(finished.at(-1), 20)
})

test('never more than six run at the same time', async () => {
  let [running, most] = [0, 0]
  await doFewAtOnce(items, {
    ...wants(async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
    }),
    onProgress: () => {},
  })
  assert.equal(most, 6)
})

test('when the connection is lost, the rest is not tried and is returned as undone', async () => {
  const tried: number[] = []
  const { left } = await doFewAtOnce(items, {
    ...wants(
      async (item) => {
        tried.push(item)
        if (item === 0) throw new Error('lost')
        await new Promise(setImmediate)
      },
      () => true,
    ),
    onProgress: () => {},
  })
  assert.ok(tried.length <= 6, `${tried.length} were tried`)
  assert.equal(left.length, items.length - tried.length + 1)
})
