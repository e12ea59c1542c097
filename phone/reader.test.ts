import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { createReader } from './reader.ts'

/** A store that answers what it is told to: a number, or an error. */
function startReader(...answers: (number | Error)[]) {
  const shown: (number | 'failed')[] = []
  const retries: (() => void)[] = []
  const read = async () => {
    const answer = answers.shift()
    if (answer === undefined || answer instanceof Error) throw answer
    return answer
  }
  const ask = createReader(
    read,
    { onRead: (value) => shown.push(value), onFailed: () => shown.push('failed') },
    (run) => retries.push(run),
  )
  return { ask, shown, retries, answers }
}

test('what changes while it reads is read once more, and only the last is shown', async () => {
  const { ask, shown, answers } = startReader(1, 2, 3)
  await Promise.all([ask(), ask(), ask()])
  assert.deepEqual([shown, answers], [[2], [3]])
})

test('a read that fails once is said, tried again by itself, and leaves nobody deaf', async () => {
  const { ask, shown, retries } = startReader(new Error('Broken'), 2, 3)
  await ask()
  assert.deepEqual([shown, retries.length], [['failed'], 1])
  retries[0]?.()
  void ask()
  await settled()
  assert.deepEqual(shown, ['failed', 3], 'what it is asked meanwhile is read too')
})

test('however often it is asked of a store that is broken, one retry comes at a time', async () => {
  const { ask, shown, retries } = startReader(...Array.from({ length: 3 }, () => new Error('Broken')))
  for (const _ of [1, 2, 3]) await ask()
  assert.deepEqual([shown.length, retries.length], [3, 1])
})
