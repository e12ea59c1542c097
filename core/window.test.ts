import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstWindow, largestWindow, nextWindow } from './window.ts'

test('a receiver that answers well is at full speed after a few answers', () => {
  let window = firstWindow
  for (let answers = 0; answers < 4; answers++) window = nextWindow(window, true)
  assert.equal(window, largestWindow)
  assert.equal(nextWindow(window, true), largestWindow)
})

test('a receiver that fails holds one place at most, and never none', () => {
  let window = largestWindow
  for (let failures = 0; failures < 10; failures++) window = nextWindow(window, false)
  assert.equal(window, 1)
})
