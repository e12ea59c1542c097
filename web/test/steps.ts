import type { TestContext } from 'node:test'

/** Tests that go on where the one before ended, in the same page. After one that failed there are no others. */
export const inOneGo = (t: TestContext) => async (sentence: string, run: (t: TestContext) => Promise<void>) => {
  let isDone = false
  await t.test(sentence, async (t) => {
    await run(t)
    isDone = true
  })
  if (!isDone) throw new Error(`not without: ${sentence}`)
}
