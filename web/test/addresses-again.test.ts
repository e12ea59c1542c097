import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Task } from '../../contract/task.ts'
import { importTown } from '../../server/test/town.ts'
import { until } from '../../server/test/until.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'
import { screenSayIn } from './words.ts'

const say = screenSayIn('en')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name })

/** Customers and their addresses, as their shop writes them each time. */
const customers = [
  ['Ana Pop', '0712345601', 'Str. Morii nr. 10, Dealu'],
  ['Ion Rusu', '0712345602', 'Florilor 1, Dealu'],
  ['Dan Ilie', '0712345603', 'Drumul Fermei 7, Dealu'],
  ['Eva Moga', '0712345604', 'Str. Necunoscută 4, ap. 2, Dealu'],
  ['Oana Lupu', '0712345605', 'Nicăieri 7'],
  ['Dan Ilie', '0712345603', 'Drumul Fermei nr. 7, et. 1, Dealu'],
] as const

/** A list of orders, with AWBs that begin with this. */
const listOf = (prefix: string) => ({
  name: `${prefix}.csv`,
  mimeType: 'text/csv',
  buffer: Buffer.from(
    ['AWB;Name;Phone;Address', ...customers.map((cells, at) => [`${prefix}-${at + 1}`, ...cells].join(';'))].join('\n'),
  ),
})

async function importList(page: Page, prefix: string) {
  const dialog = page.getByRole('dialog')
  await page
    .getByRole('button', { name: say('import') })
    .first()
    .click()
  await page.getByLabel(say('importFile'), { exact: true }).setInputFiles(listOf(prefix))
  await dialog.getByRole('button', { name: say('next') }).click()
  await dialog.getByRole('button', { name: say('importNow', { n: customers.length }) }).click()
}

test('customers whose addresses were put right once come again, and nothing is left to do', async (t) => {
  const server = await startConsole(t, 'dispatcher', { WAYBILL_GEOCODER: 'embedded' })
  await importTown(server)
  const page = await server.open('/?view=table')
  const step = inOneGo(t)
  const addressOf = async (awb: string): Promise<Task['address']> =>
    (await server.get(`/tasks/awb/${awb}`)).body.task.address
  const placeOf = async (awb: string) => {
    const { lat, lng, precision } = await addressOf(awb)
    return { lat, lng, precision }
  }
  const isAt = async (address: string) => {
    await until(`the focus at ${address}`, () =>
      heading(page, address).evaluate((one) => one === document.activeElement),
    )
  }

  await step('of the first import the map knows one house, and says of the others what it does not know', async () => {
    await importList(page, 'MON')
    await page.getByText(say('addressesDoubtful', { n: 5 })).waitFor()
    const details = await Promise.all(customers.map((_, at) => addressOf(`MON-${at + 1}`)))
    assert.deepEqual(
      details.map(({ precisionDetail }) => precisionDetail),
      ['house', 'street', 'city', 'city', null, 'city'],
    )
    await page.getByRole('button', { name: say('checkAddresses') }).click()
  })

  await step('a house of the map that was meant is chosen among the suggestions', async () => {
    await isAt('Florilor 1, Dealu')
    await page.keyboard.press('/')
    await page.keyboard.insertText('Aleea Florilor 1')
    const options = page.getByRole('listbox', { name: say('suggestedPlaces') }).getByRole('option')
    await options.filter({ hasText: 'Aleea Florilor 1, ' }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await isAt('Drumul Fermei 7, Dealu')
    assert.equal((await addressOf('MON-2')).address, 'Florilor 1, Dealu', 'it is written as it will come again')
  })

  await step('one is right where it is, and so is what else comes to that house', async () => {
    await page.getByText(say('addressAt', { at: 1, n: 4 })).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText(say('addressAt', { at: 1, n: 2 })).waitFor()
    assert.equal((await addressOf('MON-6')).precisionDetail, 'learned')
  })

  await step('of the other two the coordinates are known', async () => {
    for (const [address, coordinates] of [
      ['Str. Necunoscută 4, ap. 2, Dealu', '45.0031, 21.0042'],
      ['Nicăieri 7', '45.0122, 21.0071'],
    ] as const) {
      await isAt(address)
      await page.keyboard.press('/')
      await page.keyboard.insertText(coordinates)
      await page.keyboard.press('Enter')
    }
    await page.getByRole('heading', { name: say('noAddressesToCheck') }).waitFor()
  })

  await step('the second import says that all addresses were found', async () => {
    await page.goto(new URL('/?view=table', server.url).href)
    await importList(page, 'TUE')
    await page.getByText(say('addressesFine')).waitFor()
    await page.keyboard.press('Escape')
  })

  await step('they are where they were put, because that was learned, and nobody has to look at them', async () => {
    const details = await Promise.all(customers.map((_, at) => addressOf(`TUE-${at + 1}`)))
    assert.deepEqual(
      details.map(({ precisionDetail }) => precisionDetail),
      ['house', 'learned', 'learned', 'learned', 'learned', 'learned'],
    )
    for (const at of customers.keys())
      assert.deepEqual(await placeOf(`TUE-${at + 1}`), await placeOf(`MON-${at + 1}`), `customer ${at + 1}`)
    await page.goto(new URL('/addresses', server.url).href)
    await page.getByRole('heading', { name: say('noAddressesToCheck') }).waitFor()
    assert.deepEqual((await server.get('/tasks?doubtful=true')).body.tasks, [])
  })
})
