import assert from 'node:assert/strict'
import { sharedBrowser, test } from './console.ts'
import { takeContext } from './contexts.ts'
import { getsNoFrame } from './drawing.ts'

test('a page that gets no frames is noticed, and one that is drawn is not', async (t) => {
  const page = await (await takeContext(t, await sharedBrowser(), {})).newPage()
  assert.equal(await page.evaluate(getsNoFrame), false)

  // What is bound looks like the browser's own.
  await page.evaluate(() => {
    window.requestAnimationFrame = (() => 0).bind(undefined)
  })
  assert.equal(await page.evaluate(getsNoFrame), true)
})
