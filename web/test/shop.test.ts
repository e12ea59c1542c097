import assert from 'node:assert/strict'
import { makeDriver } from '../../server/test/factories.ts'
import { addPerson } from '../../server/test/people.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { aPhone, says, tap } from './driver.ts'
import { inOneGo } from './steps.ts'
import { partnerSayIn, sayIn } from './words.ts'

test('a shop’s whole day', async (t) => {
  const console = await startConsole(t)
  const courier = await console.another()
  await console.put('/company', { name: 'Librăria Foișor', settings: { shopConsole: true } })
  await courier.put('/company', { name: 'Curier Rapid' })
  await console.post('/partners', { companyId: courier.organisationId })
  await courier.post('/partners', { companyId: console.organisationId })
  const dispatcher = await addPerson({ ...console, organisationId: courier.organisationId }, 'dispatcher', 'Radu Ene')
  const driver = await makeDriver(courier, { name: 'Dan Pop' })
  await courier.post('/reasons', { code: 'nobody', label: 'Nobody at home' })
  const say = sayIn('en')
  const partnerSay = partnerSayIn('en')
  const step = inOneGo(t)
  const prices: Record<string, string> = { 'CARTE-1': '89', 'CARTE-2': '45' }
  // Each at a door of its own, or they would be one stop.
  const places: Record<string, string> = { 'CARTE-1': '44.4353, 26.1025', 'CARTE-2': '44.4383, 26.1065' }
  // The route decides which comes first.
  let [delivered, failed] = Object.keys(prices) as [string, string]
  const shop = await console.open('/')
  const office = await console.open('/?view=table', { as: dispatcher.cookie })
  const row = (awb: string, more = '') => shop.getByRole('row', { name: new RegExp(`${RegExp.escape(awb)}.*${more}`) })

  await step('its console shows its parcels, and nothing of drivers and planning', async () => {
    await shop.getByRole('heading', { level: 1, name: say('taskList') }).waitFor()
    await shop.getByText(say('noTasks')).waitFor()
    const links = await shop.getByRole('navigation').getByRole('link').allTextContents()
    assert.deepEqual(links.filter(Boolean), [say('taskList'), say('partners'), say('people'), say('settings')])
    assert.equal(await shop.getByRole('button', { name: say('showDrivers') }).count(), 0)
    assert.equal(await shop.getByRole('group', { name: say('view') }).count(), 0)
    await shop.keyboard.press('1')
    assert.equal(await shop.locator('[data-driver-side], canvas').count(), 0)
    await assertAccessible(shop, 'the console of a shop')
  })

  await step('creates two parcels, and gives them to its courier', async () => {
    for (const [awb, price] of Object.entries(prices)) {
      await shop
        .getByRole('button', { name: say('newTask') })
        .first()
        .click()
      const form = shop.getByRole('dialog')
      await form.getByLabel(say('address'), { exact: true }).fill(places[awb] as string)
      await form.getByLabel(say('customerName')).fill('Ioana Țurcanu')
      await form.getByLabel(say('awb'), { exact: true }).fill(awb)
      assert.equal(await form.getByText(say('driver'), { exact: true }).count(), 0)
      await form.getByText(say('payment'), { exact: true }).click()
      await form.getByLabel(say('totalPrice'), { exact: true }).fill(price)
      await form.getByRole('button', { name: say('create'), exact: true }).click()
      await row(awb).waitFor()
    }
    await shop.getByLabel(say('selectAll')).click()
    const bar = shop.locator('[data-bulk]')
    await bar.getByRole('button', { name: partnerSay('giveToPartner') }).click()
    assert.equal(await bar.getByRole('button', { name: say('assignTo') }).count(), 0)
    await shop
      .getByRole('dialog')
      .getByRole('button', { name: partnerSay('givePartner'), exact: true })
      .click()
    await row('CARTE-1', 'With Curier Rapid').waitFor()
    await row('CARTE-2', say('stateWithPartner')).waitFor()
  })

  await step('the courier’s dispatcher gives them to a driver, and the shop sees who it is', async () => {
    await office.getByRole('row', { name: /CARTE-1.*From Librăria Foișor/ }).waitFor()
    await courier.put(`/drivers/${driver.id}/duty`, { inShift: true })
    await office.getByLabel(say('selectAll')).click()
    await office
      .locator('[data-bulk]')
      .getByRole('button', { name: say('assignTo') })
      .click()
    await office.getByRole('option', { name: /Dan Pop/ }).click()
    await row('CARTE-1', 'Dan Pop').waitFor()
    await row('CARTE-2', `${say('state6')}.*Dan Pop`).waitFor()
  })

  await step('the driver delivers one for cash and cannot deliver the other', async () => {
    const { link } = (await courier.post(`/drivers/${driver.id}/invite`)).body
    const phone = await aPhone(t, console.url)
    await phone.page.goto(`${console.url}/driver#${link.split('#')[1]}`)
    const { page } = phone
    await page.getByRole('switch').waitFor()
    const intro = page.getByRole('button', { name: 'Got it' })
    if (await intro.isVisible()) await intro.click()
    await tap(page, 'Start')
    await tap(page, 'I have arrived')
    await tap(page, 'Take the payment')
    await page.getByText('Cash', { exact: true }).click()
    await tap(page, 'Complete')
    const isSecond = async () => (await row(failed, say('state9')).count()) > 0
    await until('one is delivered', async () => (await isSecond()) || (await row(delivered, say('state9')).count()) > 0)
    if (await isSecond()) [delivered, failed] = [failed, delivered]
    await tap(page, 'Start')
    await row(failed, say('state7')).waitFor()
    await page.getByRole('link', { name: 'Fail' }).click()
    await page.getByText('Nobody at home').click()
    await tap(page, 'Mark as failed')
    await says(page, 'All stops done')
    await row(failed, say('state10')).waitFor()
  })

  await step('the shop reads how it went, has the proof, and sees what it is owed', async () => {
    await row(failed).click()
    const panel = shop.locator('[data-panel]')
    await panel.getByText('Nobody at home').first().waitFor()
    await panel.getByText('With Curier Rapid', { exact: true }).waitFor()
    await shop.keyboard.press('Escape')
    await row(delivered).click()
    await panel.getByRole('button', { name: say('more') }).click()
    await shop.getByRole('menuitem', { name: say('proof') }).click()
    await shop.getByRole('dialog').waitFor()
    await shop.keyboard.press('Escape')

    await shop.getByRole('link', { name: say('partners') }).click()
    await shop.getByRole('button', { name: partnerSay('balance') }).click()
    const dialog = shop.getByRole('dialog')
    await dialog.getByText(partnerSay('collectedByThem', { partner: 'Curier Rapid' })).waitFor()
    await until('the money', async () => (await dialog.textContent())?.includes(prices[delivered] as string))
    await assertAccessible(shop, 'the balance with a partner')
  })
})
