import assert from 'node:assert/strict'
import { startConsole, test } from './console.ts'

test('a test finds nothing that an earlier one left in the browser', async (t) => {
  for (const turn of ['first', 'second'])
    await t.test(`the ${turn} of two`, async (t) => {
      const { open } = await startConsole(t)
      const page = await open('/sign-in')
      const count = () =>
        page.evaluate(async () => [
          localStorage.length,
          sessionStorage.length,
          (await indexedDB.databases()).length,
          (await caches.keys()).length,
          (await navigator.serviceWorker.getRegistrations()).length,
        ])
      assert.deepEqual(await count(), [0, 0, 0, 0, 0])
      assert.equal((await page.context().cookies()).length, 1)
      await page.evaluate(async () => {
        for (const storage of [localStorage, sessionStorage]) storage.setItem('left', 'here')
        await caches.open('left')
        await new Promise((done) => {
          indexedDB.open('left').onsuccess = done
        })
        await navigator.serviceWorker.register('/driver-worker.js')
      })
      assert.ok((await count()).every((left) => left > 0))
    })
})
