import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { aTask } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'

const street = {
  address: 'Strada Lipscani 12, București',
  streetName: 'Strada Lipscani',
  streetNumber: '12',
  city: 'București',
  lat: 44.431701,
  lng: 26.101501,
}
const drawn = { draws: true, viewport: { width: 1100, height: 800 } }

/** An office that has been to two addresses of one street. */
async function anOffice(t: TestContext) {
  const server = await startConsole(t, 'dispatcher')
  await server.post('/tasks', aTask({ awb: 'OLD-1', address: street }))
  await server.post(
    '/tasks',
    aTask({
      awb: 'OLD-2',
      address: { ...street, address: 'Strada Lipscani 40, București', streetNumber: '40', lat: 44.44 },
    }),
  )
  return server
}

const dialog = (page: Page) => page.getByRole('dialog')
const field = (page: Page) => dialog(page).getByLabel('Address', { exact: true })
const options = (page: Page) => page.getByRole('listbox', { name: 'Suggested places' }).getByRole('option')
const create = (page: Page) => dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
const newest = async (server: Awaited<ReturnType<typeof anOffice>>) => {
  const { tasks } = (await server.get('/tasks?order=newest&limit=1')).body
  return tasks[0]
}
const untilCreated = (server: Awaited<ReturnType<typeof anOffice>>) =>
  until('the task to be created', async () => {
    const task = await newest(server)
    return !task.awb.startsWith('OLD') && task
  })
/** As if it had been copied somewhere else. */
const paste = (page: Page, text: string) =>
  field(page).evaluate((element, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('an address is typed in part and chosen by keyboard, and the task has its place and its parts', async (t) => {
  const server = await anOffice(t)
  const page = await server.open('/?view=table')
  await page.getByRole('button', { name: 'New task' }).click()
  await field(page).pressSequentially('lipsc')
  await options(page).nth(1).waitFor()
  await assertAccessible(page, 'suggestions of addresses')

  await page.keyboard.press('ArrowDown')
  assert.equal(await options(page).first().getAttribute('aria-selected'), 'true')
  await page.keyboard.press('Escape')
  await options(page).first().waitFor({ state: 'hidden' })
  assert.equal(await field(page).inputValue(), 'lipsc', 'and the form stays open')

  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await field(page).inputValue(), street.address)
  await create(page)
  const { address } = await untilCreated(server)
  const { lat, lng, streetName, streetNumber, city, precision } = address
  assert.deepEqual(
    { lat, lng, streetName, streetNumber, city, precision },
    {
      lat: street.lat,
      lng: street.lng,
      streetName: street.streetName,
      streetNumber: '12',
      city: 'București',
      precision: 'exact',
    },
  )
})

test('whoever types on after choosing gives up the place of what was chosen', async (t) => {
  const server = await anOffice(t)
  const page = await server.open('/?view=table')
  await page.getByRole('button', { name: 'New task' }).click()
  await field(page).fill('lipscani 40')
  await options(page).first().click()
  await field(page).fill('Calea Moșilor 8, București')
  await create(page)
  const { address } = await untilCreated(server)
  assert.deepEqual([address.address, address.streetName, address.lat], ['Calea Moșilor 8, București', null, null])
})

test('the pin is shown at once, and can be dragged, clicked or pasted somewhere else', async (t) => {
  const server = await anOffice(t)
  const page = await server.open('/?view=table', drawn)
  await page.getByRole('button', { name: 'New task' }).click()
  await field(page).fill('lipscani 12')
  await options(page).first().click()
  const pin = page.getByRole('img', { name: 'Pin of the address' })
  await pin.waitFor()
  await assertAccessible(page, 'the pin of an address')
  await dialog(page).getByText('Address details').click()
  const coordinates = dialog(page).getByLabel('Coordinates')
  const read = async () => (await coordinates.inputValue()).split(', ').map(Number) as [number, number]
  assert.deepEqual(await read(), [street.lat, street.lng])

  await pin.scrollIntoViewIfNeeded()
  const box = (await pin.boundingBox()) as { x: number; y: number; width: number; height: number }
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 30, y + 5, { steps: 5 })
  await page.mouse.move(x + 60, y + 10, { steps: 5 })
  await page.mouse.up()
  const dragged = await until('the pin to be dragged', async () => {
    const point = await read()
    return point[1] > street.lng && point
  })
  assert.ok(dragged[0] < street.lat && dragged[1] - street.lng < 0.01, String(dragged))

  await page.mouse.click(x - 80, y - 20)
  await until('the pin to be put where the map was clicked', async () => (await read())[1] < street.lng)

  await field(page).press('End')
  await paste(page, 'https://www.openstreetmap.org/?mlat=44.4392&mlon=26.0963#map=17/44.5/26.5')
  await until('the link to be read', async () => String(await read()) === '44.4392,26.0963')
  assert.equal(await field(page).inputValue(), street.address, 'the address stays as it was')
  await create(page)
  const { address } = await untilCreated(server)
  assert.deepEqual([address.lat, address.lng, address.precision], [44.4392, 26.0963, 'exact'])
})

test('without a server an address is typed like any other text', async (t) => {
  const server = await anOffice(t)
  const page = await server.open('/?view=table')
  await page.getByRole('button', { name: 'New task' }).click()
  await page.route('**/api/v1/places**', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed')
  await field(page).pressSequentially('Strada Lipscani 12')
  await failed
  await page.keyboard.press('ArrowDown')
  assert.equal(await options(page).count(), 0)
  await page.unroute('**/api/v1/places**')
  await create(page)
  assert.equal((await untilCreated(server)).address.address, 'Strada Lipscani 12')
})

test('an answer that comes late replaces none that is newer', async (t) => {
  const server = await anOffice(t)
  const page = await server.open('/?view=table')
  await page.getByRole('button', { name: 'New task' }).click()
  let answerLate = () => {}
  await page.route('**/api/v1/places?q=lipscani', async (route) => {
    await new Promise<void>((resolve) => {
      answerLate = resolve
    })
    await route.continue()
  })
  const asked = page.waitForRequest('**/api/v1/places?q=lipscani')
  await field(page).fill('lipscani')
  await asked
  await field(page).fill('lipscani 40')
  await options(page).getByText('Strada Lipscani 40, București').waitFor()
  const late = page.waitForResponse('**/api/v1/places?q=lipscani')
  answerLate()
  await late
  assert.deepEqual(await options(page).locator('span:first-child').allTextContents(), ['Strada Lipscani 40, București'])
})

test('a hub is found while its address is typed, and its pin is put right on the map', async (t) => {
  const server = await anOffice(t)
  const page = await server.open('/hubs', drawn)
  await page.getByRole('button', { name: 'New hub' }).first().click()
  await dialog(page).getByLabel('Name').fill('Depozit')
  await field(page).fill('lipscani 12')
  await options(page).first().click()
  await page.getByRole('img', { name: 'Pin of the address' }).waitFor()
  await assertAccessible(page, 'the form of a hub')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  const hub = await until('the hub to be saved', async () => (await server.get('/hubs')).body.hubs[0])
  assert.deepEqual([hub.lat, hub.lng, hub.address, hub.precision], [street.lat, street.lng, street.address, 'exact'])
})

test('a pin corrected in the panel of a task is where the address is the next time', async (t) => {
  const server = await startConsole(t, 'dispatcher', { WAYBILL_GEOCODER: 'embedded' })
  const placed = (awb: string) =>
    until(`${awb} to be found`, async () => {
      const { address } = (await server.get(`/tasks/awb/${awb}`)).body.task
      return address.lat !== null && address
    })
  await server.post('/tasks', aTask({ awb: 'A', address: { address: 'Strada Nouă 5, Timișoara' } }))
  await placed('A')
  const page = await server.open('/?view=table', drawn)
  await page.getByTitle('Open A', { exact: true }).click()
  await page.getByRole('button', { name: 'Correct address' }).click()
  await page.getByText('This is only near. Drag the pin to the door.').waitFor()
  await page.getByRole('button', { name: 'Pin in the middle' }).focus()
  await page.locator('.map-frame canvas').last().focus()
  for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('ArrowRight')
  const before = await page.getByLabel('Coordinates').inputValue()
  await until('the map to have moved', async () => {
    await page.getByRole('button', { name: 'Pin in the middle' }).press('Enter')
    return (await page.getByLabel('Coordinates').inputValue()) !== before
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Address corrected').waitFor()
  const { lat } = (await server.get('/tasks/awb/A')).body.task.address
  await server.post('/tasks', aTask({ awb: 'B', address: { address: 'str noua nr 5', city: 'Timisoara' } }))
  const next = await placed('B')
  assert.deepEqual([next.lat, next.precisionDetail], [lat, 'learned'])
})

test('suggestions speak Romanian, also in a small window with large text', async (t) => {
  const server = await anOffice(t)
  const page = await server.open('/?view=table', { locale: 'ro-RO', viewport: { width: 390, height: 700 } })
  await page.getByRole('button', { name: 'Comandă nouă' }).click()
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  await dialog(page).getByLabel('Adresă', { exact: true }).fill('lipscani')
  await page.getByText('folosită înainte').first().waitFor()
  await page.getByText('2 sugestii').waitFor({ state: 'attached' })
  const list = (await page.getByRole('listbox', { name: 'Locuri sugerate' }).boundingBox()) as {
    x: number
    width: number
  }
  assert.ok(list.x >= 0 && list.x + list.width <= 390, JSON.stringify(list))
})
