import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { signIn } from '../../server/test/factories.ts'
import { request } from '../../server/test/server.ts'
import type { Word } from '../words/driver.ts'
import { test } from './console.ts'
import { startDriver } from './driver.ts'
import { misfitsOf } from './fits.ts'
import { driverSayIn as sayIn } from './words.ts'

const go = (page: Page, screen: string) => page.evaluate(`location.hash = '#/${screen}'`)
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** Long names, a large amount and a window that has passed. */
const aLongStop = (awb: string) => ({
  address: {
    address: 'Bulevardul General Gheorghe Magheru 230A, București',
    addressSecondLine: 'Bl. 14, sc. B, et. 7, ap. 123',
    lat: 44.4,
    lng: 26,
  },
  customer: { name: `Mihaela-Alexandra Constantinescu ${awb}`, phone: '0712345678' },
  totalPrice: 12_345,
  collectPayment: true,
  details: 'Fragile',
  quantity: 2,
  completeAfter: inHours(-3),
  completeBefore: inHours(-1.5),
})

const fields = [
  { field_key: 'who', label: 'Cine a primit coletul', type: 'text', required: true },
  { field_key: 'where', label: 'Unde', type: 'choice', choices: ['Destinatar', 'Vecin', 'Recepție'], required: true },
  { field_key: 'how', label: 'Starea ambalajului', type: 'choice', choices: ['Intact', 'Desfăcut', 'Rupt', 'Ud'] },
  { field_key: 'ok', label: 'Verificat la livrare', type: 'check', required: true },
  { field_key: 'seal', label: 'Sigiliu', type: 'photo' },
  { field_key: 'door', label: 'Ușa', type: 'photo', at: 'fail' },
]

test('every screen holds on the narrowest phone and with text of twice the size', async (t) => {
  const awbs = ['WB-000001', 'WB-000002', 'WB-000003', 'WB-000004', 'WB-000005', 'WB-000006']
  const { signedIn, server, driver, tasks, wire } = await startDriver(t, awbs, aLongStop)
  const [moving, waiting, delivered, failed, taken] = tasks
  const settings = { makeSignaturesMandatory: true, allowPartialPayments: true, imageOption: 'both' }
  await server.put('/company', { settings })
  await server.post('/forms', { name: 'Ușă', isDefault: true, fields })
  const reason = { code: 'nobody', label: 'Destinatarul nu răspunde la interfon', photoRequired: true }
  await server.post('/reasons', reason)
  await server.post(`/tasks/awb/${moving.awb}/notes`, { note: 'Sună de două ori la interfon, e defect.' })
  const key = await signIn(server, driver)
  const does = (verb: string, taskId: number) =>
    request(server.url, 'POST', `/api/v1/driver/tasks/${taskId}/${verb}`, { key, body: {} })
  await does('start', moving.id)
  await server.put(`/tasks/awb/${delivered.awb}/forceComplete`, { success: true })
  await server.put(`/tasks/awb/${failed.awb}/forceComplete`, { success: false, failureReason: 'Adresă greșită' })

  const { page } = await signedIn({ readsIntro: false })
  const all: string[] = []
  const check = async (screen: string) => {
    all.push(...(await misfitsOf(page, screen)))
  }
  for (const language of ['en', 'ro'] as const) {
    const say = sayIn(language)
    const inThis = (text: string) => `${text} (${language})`
    const button = (word: Word) => page.getByRole('button', { name: say(word) }).first()
    await go(page, 'me')
    await page.locator('select').first().selectOption(language)
    await button('signOut').waitFor()
    await check(inThis('the account'))
    await button('signOut').click()
    await page.getByText(say('signOutPlainAsk')).waitFor()
    await check(inThis('signing out'))
    await button('staySignedIn').click()
    await go(page, 'locked')
    await page.getByText(say('traccarEnd')).waitFor()
    await check(inThis('reporting while locked'))
    await go(page, '')
    if (language === 'en') {
      await button('introClose').waitFor()
      await check('the introduction')
      await button('introClose').click()
    }
    await page.getByText(say('yourNextStop')).waitFor()
    await check(inThis('the route'))
    await button('findStop').click()
    await page.getByRole('dialog').locator('input').fill('Magheru')
    await check(inThis('finding a stop'))
    await page.keyboard.press('Escape')
    await go(page, 'load')
    await button('loadScan').click()
    await page.getByLabel(say('parcelCode')).fill('PARTNER-2026-0000000099')
    await page.keyboard.press('Enter')
    await page.getByText(say('loadIt_unknown')).first().waitFor()
    await check(inThis('scanning a parcel that nobody knows'))
    await page.keyboard.press('Escape')
    await page.getByText(say('loadOut'), { exact: true }).waitFor()
    await check(inThis('the load'))
    await go(page, `stop/${waiting.id}`)
    await page.getByText(say('totalToCollect')).waitFor()
    await check(inThis('a stop of several parcels'))
    await go(page, 'map')
    await page.getByText(say('mapCannot')).waitFor()
    await check(inThis('the map where none can be drawn'))
    for (const [what, task] of Object.entries({ moving, waiting, delivered, failed })) {
      await go(page, `task/${task.id}`)
      await page.getByText(`Constantinescu ${task.awb}`).waitFor()
      await check(inThis(`a stop that is ${what}`))
    }
    await go(page, `task/${moving.id}`)
    await button('navigateTo').click()
    await page.getByRole('dialog').waitFor()
    await check(inThis('navigation'))
    await page.keyboard.press('Escape')
    await button('addNote').click()
    await page.getByRole('dialog').waitFor()
    await check(inThis('writing a note'))
    await page.keyboard.press('Escape')
    await button('didScan').click()
    await page.getByText(say('parcelCode')).waitFor()
    await check(inThis('scanning'))
    await page.keyboard.press('Escape')
    await go(page, `task/${moving.id}/complete`)
    await button('completeTask').waitFor()
    await check(inThis('completing'))
    await button('takePhoto').click()
    await page.getByRole('dialog').waitFor()
    await check(inThis('taking a photo'))
    await page.keyboard.press('Escape')
    await go(page, `task/${moving.id}/fail`)
    await page.getByText(reason.label).click()
    await check(inThis('failing'))
    await go(page, 'waiting')
    await page.getByText(say('nothingWaits')).waitFor()
    await check(inThis('nothing that waits'))
  }
  // The office takes a stop back, and something waits.
  const say = sayIn('ro')
  await go(page, '')
  await server.post('/tasks/bulkUnassign', { tasks: [taken.awb] })
  await page.getByText(taken.awb).first().waitFor({ state: 'detached' })
  wire.cut()
  await page.getByRole('switch').click()
  await check('the question before the end of duty')
  await page.getByRole('button', { name: say('endDuty') }).click()
  await check('the route with a stop that was taken back')
  await go(page, `task/${taken.id}`)
  await page.getByText(say('taskNotYoursLead')).waitFor()
  await check('a stop that was taken back')
  await go(page, 'waiting')
  await page.getByRole('button', { name: say('sendNow') }).waitFor()
  await check('what waits')
  await go(page, 'me')
  await page.getByRole('button', { name: say('signOut') }).click()
  await page.getByRole('button', { name: say('signOutAndDelete') }).click()
  await page.getByLabel(say('yourPhone')).waitFor()
  await check('signing in')
  assert.deepEqual(all, [])
})
