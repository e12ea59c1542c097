import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type Language, languageCodes } from '../../core/words/languages.ts'
import { amountsOf, tellNumbers } from '../../server/test/proofs.ts'
import { test } from './console.ts'
import { aFullOffice } from './full-office.ts'
import { sizeName, windowSizes } from './misplaced.ts'
import { consoleScreens, misplacedOn, showIn, type Visit } from './screens.ts'

const sizes = windowSizes.slice(0, amountsOf('screens').sizes)

test('every screen of the console fits every window in every language', async (t) => {
  const { server, taskId, driverId } = await aFullOffice(t)
  let looks = 0
  const lookAt = async (language: Language, name: string, open: (visit: Visit) => Promise<void>, page: Page) => {
    const found: string[] = []
    await open({ page, url: server.url, language, taskId, driverId }).catch((error: Error) => {
      throw new Error(`${name} cannot be opened`, { cause: error })
    })
    for (const size of sizes) {
      await showIn(page, size)
      looks += 1
      for (const one of await misplacedOn(page)) found.push(`${name} (${language}, ${sizeName(size)}): ${one}`)
    }
    return found
  }
  for (const language of languageCodes)
    await t.test(`in ${language} nothing is outside the window or under something else`, async () => {
      const page = await server.open('about:blank', { locale: language })
      const found: string[] = []
      for (const [name, open] of Object.entries(consoleScreens))
        found.push(...(await lookAt(language, name, open, page)))
      assert.deepEqual(found, [])
    })
  tellNumbers(t, 'screens', { screens: Object.keys(consoleScreens).length, sizes: sizes.length, looks })
})
