import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { fetchAgain } from './fetch-again.ts'

/** Somebody looks at drivers, whom the server tells when the test says so. */
function look() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const asked: PromiseWithResolvers<string>[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['drivers'],
    queryFn() {
      asked.push(Promise.withResolvers())
      return (asked.at(-1) as PromiseWithResolvers<string>).promise
    },
  })
  const leave = observer.subscribe(() => {})
  return {
    asked,
    answer: async (index: number, answer: string) => {
      asked[index]?.resolve(answer)
      await new Promise(setImmediate)
    },
    change: () => fetchAgain(client, { queryKey: ['drivers'] }),
    seen: () => observer.getCurrentResult().data,
    [Symbol.dispose]() {
      leave()
      client.clear()
    },
  }
}

test('what changed while a list was loaded for the first time is shown', async () => {
  using page = look()
  page.change()
  page.change()
  await page.answer(0, 'before the changes')
  assert.deepEqual([page.seen(), page.asked.length], ['before the changes', 2], 'shown, and asked for once more')
  await page.answer(1, 'after them')
  assert.equal(page.seen(), 'after them')
  page.change()
  await page.answer(2, 'later')
  assert.deepEqual([page.seen(), page.asked.length], ['later', 3])
})

test('a list that could not be loaded is left to whoever tries again', async () => {
  using page = look()
  page.change()
  page.asked[0]?.reject(new Error('gone'))
  await new Promise(setImmediate)
  assert.deepEqual([page.seen(), page.asked.length], [undefined, 1])
})
