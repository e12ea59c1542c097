import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fetchAhead, firstWindow, largestWindow, nextWindow, smoothedMs } from './sending-window.ts'

test('a receiver that answers well gets full speed after a few answers', () => {
  let window = firstWindow
  for (let answers = 0; answers < 5; answers++) window = nextWindow(window, true)
  assert.equal(window, largestWindow)
  assert.equal(nextWindow(window, true), largestWindow)
})

test('a failing receiver gets one delivery at a time, never none', () => {
  let window = largestWindow
  for (let failures = 0; failures < 10; failures++) window = nextWindow(window, false)
  assert.equal(window, 1)
})

test('deliveries are fetched in advance only for a fast receiver at full speed', () => {
  assert.equal(fetchAhead(largestWindow, 5), largestWindow * 6)
  assert.equal(fetchAhead(largestWindow, 9_000), largestWindow)
  assert.equal(fetchAhead(firstWindow, 5), firstWindow)
  let usual = 5
  for (let answers = 0; answers < 4; answers++) usual = smoothedMs(usual, 9_000)
  assert.ok(usual > 1_000, 'a receiver that gets slow is soon known to be')
})
