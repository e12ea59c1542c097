import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Task } from '../../contract/task.ts'
import type { Language } from '../../core/words/languages.ts'
import { sql } from '../../server/db/sql.ts'
import { aTask } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'
import { screenSayIn } from './words.ts'

/** Knows only cities: every street of it is in doubt. */
const citiesOnly = { WAYBILL_GEOCODER: 'embedded' }
const locales: Record<Language, string> = { en: 'en-GB', ro: 'ro-RO' }
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name })
const isFocused = (page: Page, name: string) =>
  until(`the focus at ${name}`, () => heading(page, name).evaluate((one) => one === document.activeElement))

/** By the keyboard: on to the button with this name, and pressed. */
async function pressButton(page: Page, name: string) {
  const button = page.getByRole('dialog').getByRole('button', { name }).first()
  await button.waitFor()
  for (let tabs = 0; tabs < 60; tabs += 1) {
    if (await button.evaluate((one) => one === document.activeElement)) return page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
  }
  throw new Error(`No tab leads to ${name}`)
}

for (const language of ['en', 'ro'] as const)
  test(`an import of doubtful rows is put right by the keyboard alone (${language})`, async (t) => {
    const server = await startConsole(t, 'dispatcher', citiesOnly)
    const say = screenSayIn(language)
    const page = await server.open('/?view=table', { locale: locales[language], draws: language === 'en' })
    const step = inOneGo(t)
    const addressOf = async (awb: string): Promise<Task['address']> =>
      (await server.get(`/tasks/awb/${awb}`)).body.task.address

    await step('the report leads from the import to its addresses', async () => {
      const rows = [
        'AWB,Address',
        'D-1,"Strada Memorandumului 1, Cluj-Napoca"',
        'D-2,"Strada Lipscani 12, București"',
        'D-3,"Strada Unirii 3, Timișoara"',
        'D-4,"Bulevardul 21 Decembrie 5, Cluj-Napoca"',
        'D-5,Nicăieri 7',
      ]
      await page
        .getByRole('button', { name: say('import') })
        .first()
        .focus()
      await page.keyboard.press('Enter')
      const file = { name: 'lista.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) }
      await page.getByLabel(say('importFile'), { exact: true }).setInputFiles(file)
      await pressButton(page, say('next'))
      await pressButton(page, say('importNow', { n: 5 }))
      await page.getByText(say('addressesDoubtful', { n: 5 })).waitFor()
      await pressButton(page, say('checkAddresses'))
      await page.getByRole('heading', { level: 1, name: say('addressesToCheck') }).waitFor()
      await isFocused(page, 'Strada Memorandumului 1, Cluj-Napoca')
      await page.getByText(say('addressAt', { at: 1, n: 5 })).waitFor()
      await page.getByText(say('certainty_city')).waitFor()
      await assertAccessible(page, 'the addresses to check')
    })

    await step('what is right is confirmed where it is, and the next one follows', async () => {
      const before = await addressOf('D-1')
      await page.keyboard.press('Enter')
      await isFocused(page, 'Strada Lipscani 12, București')
      const { precision, lat } = await addressOf('D-1')
      assert.deepEqual([precision, lat], ['exact', before.lat])
      await page.getByText(say('addressAt', { at: 1, n: 4 })).waitFor()
    })

    await step('pasted coordinates are the place', async () => {
      await page.keyboard.press('/')
      await page.keyboard.insertText('https://www.google.com/maps/@44.4317,26.1015,17z')
      await page.getByText(say('readAsPlace', { place: '44.43170, 26.10150' })).waitFor()
      await page.keyboard.press('Enter')
      await isFocused(page, 'Strada Unirii 3, Timișoara')
      const { precision, lat, lng, address } = await addressOf('D-2')
      assert.deepEqual([precision, lat, lng, address], ['exact', 44.4317, 26.1015, 'Strada Lipscani 12, București'])
    })

    await step('one goes on and back without deciding, and what was typed is still there', async () => {
      await page.keyboard.press('/')
      await page.keyboard.insertText('Strada Unirii 3, Arad')
      // The first may only close the suggestions.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await isFocused(page, 'Strada Unirii 3, Timișoara')
      await page.keyboard.press('j')
      await isFocused(page, 'Bulevardul 21 Decembrie 5, Cluj-Napoca')
      await page.keyboard.press('k')
      await isFocused(page, 'Strada Unirii 3, Timișoara')
      assert.equal(await page.getByLabel(say('whereItIs')).inputValue(), 'Strada Unirii 3, Arad')
    })

    await step('a corrected text is located again, and comes back if it is still in doubt', async () => {
      await page.keyboard.press('/')
      await page.keyboard.press('Enter')
      await isFocused(page, 'Bulevardul 21 Decembrie 5, Cluj-Napoca')
      const found = await until('Arad to be found', async () => {
        const address = await addressOf('D-3')
        return address.lat !== null && address
      })
      assert.deepEqual([found.address, found.precisionDetail], ['Strada Unirii 3, Arad', 'city'])
      await page.getByText(say('addressAt', { at: 2, n: 3 })).waitFor()
      await page.keyboard.press('k')
      await isFocused(page, 'Strada Unirii 3, Arad')
      await page.keyboard.press('j')
    })

    if (language === 'en')
      await step('the map is moved by the arrow keys, and the pin put in its middle', async () => {
        const before = await addressOf('D-4')
        await page.locator('[data-address] canvas').waitFor()
        await page.keyboard.press('m')
        await until('the map to have the focus', () => page.evaluate(() => document.activeElement?.matches('canvas')))
        await page.keyboard.press('ArrowRight')
        await page
          .locator('[data-address] canvas')
          .evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
        await page.keyboard.press('c')
        await page.getByRole('button', { name: say('usePlace') }).waitFor()
        await page.keyboard.press('Enter')
        const after = await until('the pin to be there', async () => {
          const address = await addressOf('D-4')
          return address.precision === 'exact' && address
        })
        assert.ok((after.lng as number) > (before.lng as number))
      })

    await step('the last ones done, nothing is left to check', async () => {
      for (let left = language === 'en' ? 2 : 3; left > 0; left -= 1) {
        await page.getByText(new RegExp(`^${say('addressAt', { at: '\\d', n: left })}$`)).waitFor()
        await page.keyboard.press('/')
        await page.keyboard.insertText(`46.${left}, 21.${left}`)
        await page.keyboard.press('Enter')
      }
      await page.getByRole('heading', { name: say('noAddressesToCheck') }).waitFor()
      await assertAccessible(page, 'no addresses to check')
      assert.deepEqual((await server.get('/tasks?doubtful=true')).body.tasks, [])
    })
  })

const inCity = (server: Awaited<ReturnType<typeof startConsole>>) =>
  server.database.everyone.run(sql`
    update addresses set precision = 'approximate', precision_detail = 'city'
    where organisation_id = ${server.organisationId}`)

test('addresses to check, with others at work and a server that stops', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const tasks = ['A', 'B', 'C'].map((awb, at) =>
    aTask({ awb, address: { address: `Strada ${awb} 1`, lat: 45.7 + at / 100, lng: 21.2 } }),
  )
  await server.post('/tasks/bulkCreate', { tasks })
  await inCity(server)
  const page = await server.open('/?view=table', { complains: /Failed to load|net::ERR/ })
  const step = inOneGo(t)

  await step('the day says how many there are, shows only them, and leads to them', async () => {
    await page
      .getByRole('row', { name: /Strada A 1/ })
      .getByRole('img', { name: 'Address to check' })
      .waitFor()
    await page.getByRole('button', { name: /^Filters/ }).click()
    await page.getByLabel('Only addresses to check').check()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /Addresses to check/ }).waitFor()
    await page.getByRole('link', { name: '3 addresses to check' }).click()
    await isFocused(page, 'Strada A 1')
  })

  await step('what somebody else corrects meanwhile is not written over', async () => {
    await server.put('/tasks/awb/A', { address: { lat: 45.1, lng: 21.1 } })
    await page.getByText('This address has been corrected meanwhile.').waitFor()
    await isFocused(page, 'Strada A 1')
    await page.keyboard.press('j')
    await isFocused(page, 'Strada B 1')
    await page.getByText('Address 1 of 2').waitFor()
  })

  await step('while the server does not answer nothing is lost', async () => {
    await page.route('**/api/v1/tasks/**', (route) => route.abort())
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.unroute('**/api/v1/tasks/**')
    await page.keyboard.press('Enter')
    await isFocused(page, 'Strada C 1')
    assert.equal((await server.get('/tasks/awb/B')).body.task.address.precision, 'exact')
  })

  await step('a slip is put right by going back to it', async () => {
    await page.getByRole('button', { name: 'Back to it' }).first().click()
    await isFocused(page, 'Strada B 1')
  })
})
