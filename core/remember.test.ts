import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remember } from './remember.ts'

test('a result is made once, as long as it is among the latest', () => {
  const made: string[] = []
  const join = remember((one: string, other: string) => {
    made.push(one + other)
    return { text: one + other }
  }, 2)

  assert.equal(join('a', 'b'), join('a', 'b'))
  join('c', 'd')
  join('a', 'b')
  join('e', 'f')
  assert.deepEqual(made, ['ab', 'cd', 'ef'])
  join('a', 'b')
  join('c', 'd')
  assert.deepEqual(made, ['ab', 'cd', 'ef', 'cd'])
})

test('what is nothing is remembered, too', () => {
  let count = 0
  const nothing = remember((_: string) => {
    count += 1
  })
  nothing('a')
  nothing('a')
  assert.equal(count, 1)
})
