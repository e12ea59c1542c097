import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { aTask } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { test } from './console.ts'
import { says, sendNow, startDriver, tap } from './driver.ts'

/* A phone whose memory is full or broken: every tap that fails is told where it was, and nothing stays deaf. */

/** Lets the browser's storage fail as it does on such phones: `full` writes, `broken` reads. */
const failingStorage = () => {
  const flags = window as unknown as { isFull: boolean; isBroken: boolean }
  flags.isBroken = sessionStorage.getItem('isBroken') !== null
  for (const name of ['add', 'put'] as const) {
    const write = IDBObjectStore.prototype[name]
    IDBObjectStore.prototype[name] = function (...given) {
      if (flags.isFull) throw new DOMException('No room', 'QuotaExceededError')
      return write.apply(this, given)
    }
  }
  const begin = IDBDatabase.prototype.transaction
  IDBDatabase.prototype.transaction = function (stores, mode, options) {
    if (flags.isBroken && mode !== 'readwrite') throw new DOMException('Closed', 'InvalidStateError')
    return begin.call(this, stores, mode, options)
  }
}

const set = (page: Page, flag: 'isFull' | 'isBroken', is: boolean) => page.evaluate(`window.${flag} = ${is}`)

async function startFailing(...[t, awbs]: Parameters<typeof startDriver>) {
  const started = await startDriver(t, awbs)
  const phone = await started.takePhone({ complains: /^Failed to load resource|RangeError|time zone/ })
  await phone.page.addInitScript(failingStorage)
  await phone.page.goto(`${started.wire.url}/driver#${(await started.invite()).link.split('#')[1]}`)
  await tap(phone.page, 'Got it')
  await phone.page.evaluate('navigator.serviceWorker.ready.then(() => true)')
  return { ...started, ...phone }
}

test('every tap on a full phone says that it was not kept, and what was typed stays', async (t) => {
  const { page, look, tasks } = await startFailing(t)
  const full = /^Not saved: the phone’s memory is full/
  const tells = async (what: string, tapIt: () => Promise<void>) => {
    await tapIt()
    const alert = page.getByRole('alert').filter({ hasText: full }).first()
    await alert.waitFor()
    if (what === 'duty') await assertAccessible(page, 'a full phone')
    await alert.getByRole('button', { name: 'OK' }).click()
    assert.equal(await page.getByText(full).count(), 0, what)
  }
  await set(page, 'isFull', true)
  await tells('duty', () => page.getByRole('switch').click())
  assert.equal(await page.getByRole('switch').getAttribute('aria-checked'), 'true')
  await tells('start', () => tap(page, 'Start'))
  await page.evaluate(`location.hash = '#/task/${tasks[0].id}'`)
  await tells('start of a stop', () => tap(page, 'Start'))
  await tap(page, 'Add note')
  await page.getByLabel('Note', { exact: true }).fill('The bell is broken')
  await tells('note', () => tap(page, 'Save'))
  assert.equal(await page.getByLabel('Note', { exact: true }).inputValue(), 'The bell is broken')
  await set(page, 'isFull', false)
  await tap(page, 'Save')
  await says(page, 'The bell is broken')

  await tap(page, 'Start')
  await page.getByRole('link', { name: 'Fail' }).click()
  await set(page, 'isFull', true)
  await tells('choice of a draft', () => page.getByText('Something else…').click())
  await page.getByLabel('Note for the office, required').fill('Nobody')
  await tells('text of a draft', () => page.getByLabel('Note for the office, required').fill('Nobody there'))
  await tells('fail', () => tap(page, 'Mark as failed'))
  await set(page, 'isFull', false)
  await tap(page, 'Mark as failed')
  await until('the office to know', async () => (await look()).cancelReason === 'Nobody there')
})

test('a phone that cannot read what it keeps says so, tries again by itself, and hears what came meanwhile', async (t) => {
  const { page, server, driver, look } = await startFailing(t)
  await set(page, 'isBroken', true)
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
  await page.getByRole('status').getByText('The phone’s memory cannot be read').waitFor()
  await server.post('/tasks', aTask({ awb: 'A-2', userId: driver.id, customer: { name: 'Mihaela Bălan' } }))
  await set(page, 'isBroken', false)
  await says(page, 'Mihaela Bălan')
  await says(page, 'All sent')

  // The same when the app is opened.
  await page.evaluate(`sessionStorage.setItem('isBroken', 'yes')`)
  await page.reload()
  await says(page, 'The phone cannot read what it keeps')
  await page.evaluate(`sessionStorage.removeItem('isBroken')`)
  await tap(page, 'Try again')
  await tap(page, 'Start')
  await until('the office to know', async () => (await look()).statusId === 7)
})

test('a screen that fails says so, and opens again with all that waits', async (t) => {
  const { page, wire, look } = await startFailing(t)
  wire.cut()
  await tap(page, 'Start')
  await says(page, '1 not sent yet')
  const setTimezone = (timezone: string) =>
    page.evaluate(async (timezone) => {
      const done = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve) => {
          request.onsuccess = () => resolve(request.result)
        })
      const db = await done(indexedDB.open('waybill-driver'))
      const facts = db.transaction('facts', 'readwrite').objectStore('facts')
      const day = await done(facts.get('day'))
      day.user.company.timezone = timezone
      await done(facts.put(day, 'day'))
      db.close()
    }, timezone)
  await setTimezone('Nowhere')
  await page.evaluate(`location.hash = '#/'`)
  await page.reload()
  await says(page, 'This screen could not be shown')
  await assertAccessible(page, 'a screen that failed')
  await setTimezone('Europe/Bucharest')
  await tap(page, 'Try again')
  await says(page, '1 not sent yet')
  wire.mend()
  await sendNow(page)
  assert.equal((await look()).statusId, 7)
})
