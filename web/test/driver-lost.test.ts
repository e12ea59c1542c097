import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { makeDriver, signIn } from '../../server/test/factories.ts'
import { makeNoise } from '../../server/test/pictures.ts'
import { amountsOf, tellNumbers } from '../../server/test/proofs.ts'
import { request } from '../../server/test/server.ts'
import { until } from '../../server/test/until.ts'
import { test } from './console.ts'
import { givePhoto, says, sendNow, startDriver, takePhoto, tap } from './driver.ts'
import { startUpdates } from './updates.ts'

/* Whatever happens to the phone, the network or the server: nothing is lost, and nothing arrives twice. */

const types = (notes: { type: number }[]) => notes.map(({ type }) => type).sort()

/** From the route: starts the next stop, takes a photo and completes it. */
async function doStop(page: Page) {
  await tap(page, 'Start')
  await tap(page, 'I have arrived')
  await tap(page, 'Complete')
  await takePhoto(page)
  await tap(page, 'Complete')
}

test('an app killed with a shift of ops and photos waiting sends each of them once', async (t) => {
  const { stops } = amountsOf('phone offline')
  const awbs = Array.from({ length: stops }, (_, at) => `A-${at + 1}`)
  const { signedIn, wire, look, server } = await startDriver(t, awbs)
  const phone = await signedIn()
  wire.cut()
  for (const _ of awbs) await doStop(phone.page)
  await says(phone.page, `${stops * 5} not sent yet`)
  await phone.page.close({ runBeforeUnload: false })

  const page = await phone.reopen()
  await says(page, `${stops * 5} not sent yet`)
  await says(page, `${stops} of ${stops}`)
  // The server gets the first batch, and the answer is lost.
  wire.mend()
  wire.loseAnswers()
  await until('the server to have it', async () => (await look(`A-${stops}`)).statusId === 9)
  assert.ok(await page.getByText(/not sent yet/).count())
  wire.mend()
  await sendNow(page)
  for (const awb of awbs) {
    const task = await look(awb)
    assert.equal(task.statusId, 9)
    assert.deepEqual(types(task.notes), [2], awb)
    await until('the picture', async () => (await look(awb)).notes[0].image !== null)
    const triggers = await server.triggers(awb)
    assert.equal(triggers.filter((name) => name === 'TASK_START' || name === 'TASK_COMPLETE').length, 2, awb)
  }
  tellNumbers(t, 'phone offline', { stops, ops: stops * 4, photos: stops })
})

test('a stop with photo, signature, payment and form says what is missing, and all of it arrives', async (t) => {
  const { signedIn, wire, look, server } = await startDriver(t, ['A-1'], () => ({
    totalPrice: 158,
    customer: { name: 'Mihaela Bălan', phone: '0712345678' },
  }))
  await server.put('/company', { settings: { makeSignaturesMandatory: true } })
  const field = { field_key: 'pack', label: 'Old packaging taken back?', type: 'check', required: true }
  await server.post('/forms', { name: 'Door', isDefault: true, fields: [field] })
  const phone = await signedIn()
  let { page } = phone
  wire.cut()
  await tap(page, 'Start')
  await tap(page, 'I have arrived')
  await tap(page, 'Get the signature')
  await says(page, 'Still missing: Signature')
  const complete = page.getByRole('button', { name: 'Complete' })
  assert.equal(await complete.getAttribute('aria-disabled'), 'true')
  const pad = await page.getByRole('img', { name: 'Place for the signature' }).boundingBox()
  assert.ok(pad)
  await page.mouse.move(pad.x + 30, pad.y + 40)
  await page.mouse.down()
  await page.mouse.move(pad.x + 120, pad.y + 70, { steps: 5 })
  await page.mouse.up()
  await says(page, 'Still missing: Payment')
  await page.getByText('Cash', { exact: true }).click()
  await says(page, 'Still missing: Old packaging taken back?')

  // What is filled in is there again after the app was killed.
  page = await phone.reopen()
  await page.getByRole('button', { name: 'Open' }).click()
  await tap(page, 'Fill in the form')
  await page.getByText('No', { exact: true }).click()
  await says(page, 'Nothing missing')
  await tap(page, 'Complete')
  await says(page, /waits to be sent/)
  wire.mend()
  await sendNow(page)

  const task = await look()
  assert.deepEqual([task.statusId, task.leftToBePaid, types(task.notes)], [9, 0, [3]])
  assert.equal(task.notes[0].note, 'Mihaela Bălan')
  assert.deepEqual(JSON.parse(task.mobileTaskForm), [{ field_key: 'pack', answer: false }])
})

test('a task fails with a reason of the organisation and the proof it wants', async (t) => {
  const { signedIn, look, server } = await startDriver(t)
  await server.post('/reasons', { code: 'nobody', label: 'Nobody answers', photoRequired: true, noteRequired: true })
  const { page } = await signedIn()
  await tap(page, 'Start')
  await page.getByRole('link', { name: 'Fail' }).click()
  await says(page, 'Still missing: the reason')
  await page.getByText('Nobody answers').click()
  await says(page, 'Still missing: Photo')
  await takePhoto(page)
  await says(page, 'Still missing: Note')
  await page.getByLabel('Note for the office, required').fill('The bell is broken')
  await tap(page, 'Mark as failed')
  await says(page, 'All stops done')
  const task = await until('the office to see it', async () => {
    const now = await look()
    return now.statusId === 10 && now
  })
  assert.deepEqual([task.cancelReasonCode, types(task.notes)], ['nobody', [2]])
})

test('two phones of one driver end with one truth, and signing out on a third leaves them signed in', async (t) => {
  const { signedIn, look, server, wire, driver } = await startDriver(t)
  const [one, other] = [await signedIn(), await signedIn()]
  const key = await signIn(server, driver)
  assert.equal((await request(server.url, 'DELETE', '/api/v1/driver/session', { key })).status, 200)
  await tap(one.page, 'Start')
  await says(one.page, 'In transit')
  await says(one.page, 'All sent')
  await tap(other.page, 'Open')
  await says(other.page, 'In transit')
  wire.cut()
  for (const { page } of [one, other]) {
    await tap(page, 'I have arrived')
    await tap(page, 'Complete')
    await tap(page, 'Complete')
    await says(page, /waits to be sent/)
  }
  wire.mend()
  for (const { page } of [one, other]) await sendNow(page)
  assert.equal((await look()).statusId, 9)
  assert.equal((await server.triggers('A-1')).filter((name) => name === 'TASK_COMPLETE').length, 1)
})

test('a clock that is three hours wrong changes no time, on the phone or at the office', async (t) => {
  const { takePhone, wire, invite, look } = await startDriver(t)
  const { page } = await takePhone()
  await page.addInitScript(`{
    const Real = Date
    const ahead = 3 * 3_600_000
    globalThis.Date = class extends Real {
      constructor(...given) { given.length ? super(...given) : super(Real.now() + ahead) }
      static now() { return Real.now() + ahead }
    }
  }`)
  await page.goto(`${wire.url}/driver#${(await invite()).link.split('#')[1]}`)
  await page.getByRole('switch').waitFor()
  wire.cut()
  await tap(page, 'Start')
  await tap(page, 'I have arrived')
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Bucharest', timeStyle: 'short' })
  const shown = (await page.getByText(/^Arrived/).textContent()) ?? ''
  const about = [-60_000, 0, 60_000].map((ms) => `Arrived ${clock.format(Date.now() + ms)}`)
  assert.ok(about.includes(shown), shown)
  wire.mend()
  await sendNow(page)
  const { arrivalTime } = await look()
  assert.ok(Math.abs(Date.parse(arrivalTime) - Date.now()) < 120_000, arrivalTime)
})

test('work of a driver who was signed out waits for that driver, and nobody else sends it', async (t) => {
  const { signedIn, invite, look, server, driver, wire } = await startDriver(t)
  const phone = await signedIn()
  const { page } = phone
  wire.cut()
  await tap(page, 'Start')
  await says(page, 'I have arrived')
  const { devices } = (await server.get(`/drivers/${driver.id}/devices`)).body
  await server.delete(`/drivers/${driver.id}/devices/${devices[0].id}`)
  wire.mend()
  await says(page, 'This phone was signed out')
  await says(page, /1 entry on this phone is not sent yet/)

  const ana = await makeDriver(server, { name: 'Ana Radu' })
  const signInAs = async (phoneNumber: string, code: string) => {
    await page.getByLabel('Your phone number').fill(phoneNumber)
    await page.getByLabel('Code').fill(code)
    await tap(page, 'Sign in')
    await says(page, 'All sent')
  }
  await signInAs(ana.phone, (await server.post(`/drivers/${ana.id}/invite`)).body.code)
  await says(page, 'No stops')
  await page.getByText('All sent').click()
  await says(page, /1 entry of another driver is not sent yet/)
  assert.equal((await look()).statusId, 6)
  await page.evaluate(`location.hash = '#/me'`)
  await tap(page, 'Sign out')
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await says(page, /Your office gives you a code/)

  await signInAs(driver.phone, (await invite()).code)
  await until('the work to be sent', async () => (await look()).statusId === 7)
  assert.equal((await server.triggers('A-1')).filter((name) => name === 'TASK_START').length, 1)
})

test('signing out with unsent work asks first, and leaves nothing on the phone', async (t) => {
  const { signedIn, wire } = await startDriver(t)
  const { page } = await signedIn()
  wire.cut()
  await tap(page, 'Start')
  await says(page, 'I have arrived')
  await page.evaluate(`location.hash = '#/me'`)
  await tap(page, 'Sign out')
  await says(page, /1 entry has not been sent.*deleted/)
  await tap(page, 'Stay signed in')
  await says(page, /1 not sent yet/)
  await tap(page, 'Sign out')
  await tap(page, 'Delete and sign out')
  await says(page, /Your office gives you a code/)
  const left = await page.evaluate(`new Promise((done) => {
    const opening = indexedDB.open('waybill-driver')
    opening.onsuccess = () => {
      const names = [...opening.result.objectStoreNames]
      const reading = opening.result.transaction(names)
      Promise.all(names.map((name) => new Promise((counted) => {
        const request = reading.objectStore(name).count()
        request.onsuccess = () => counted(request.result)
      }))).then((counts) => done(counts.reduce((sum, one) => sum + one, 0)))
    }
  })`)
  assert.equal(left, 0)
})

test('a full phone says so, keeps what it has, and goes on once there is room', async (t) => {
  const { takePhone, invite, wire, look } = await startDriver(t)
  const { page, context } = await takePhone({ isNew: true })
  await page.goto(`${wire.url}/brand.svg`)
  const devtools = await context.newCDPSession(page)
  const setQuota = (quotaSize?: number) =>
    devtools.send('Storage.overrideQuotaForOrigin', { origin: wire.url, ...(quotaSize && { quotaSize }) })
  // Less than the photo below has, and set before anything is stored: browsers remember for some seconds how much room
  // there was.
  await setQuota(1_200_000)
  await page.goto(`${wire.url}/driver#${(await invite()).link.split('#')[1]}`)
  await page.getByRole('switch').waitFor()
  wire.cut()
  await tap(page, 'Start')
  await tap(page, 'I have arrived')
  await tap(page, 'Complete')
  await takePhoto(page)
  const folder = await mkdtemp(join(tmpdir(), 'waybill-photo-'))
  t.after(() => rm(folder, { recursive: true }))
  const large = join(folder, 'large.png')
  await writeFile(large, makeNoise(1_400, 1_400))
  await givePhoto(page, large)
  await says(page, /the phone’s memory is full/)
  assert.equal(await page.getByRole('img', { name: /^Photo \d/ }).count(), 1)
  await setQuota()
  await takePhoto(page, large)
  await tap(page, 'Complete')
  wire.mend()
  await sendNow(page)
  assert.deepEqual([(await look()).statusId, types((await look()).notes)], [9, [2, 2]])
})

test('a new version of the app comes with work waiting, and loses none of it', async (t) => {
  const { takePhone, invite, look, server } = await startDriver(t)
  const updates = await startUpdates(t, server.url)
  const { page, context } = await takePhone({ isNew: true })
  await page.goto(`${updates.url}/driver#${(await invite()).link.split('#')[1]}`)
  await page.getByRole('switch').waitFor()
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  updates.refuseWork(true)
  await tap(page, 'Start')
  await says(page, 'I have arrived')
  await says(page, '1 not sent yet')

  updates.publish('second')
  await page.evaluate('navigator.serviceWorker.getRegistration().then((one) => one.update())')
  await page.evaluate(`location.hash = '#/me'`)
  await tap(page, 'Update now')
  await until('the new version', async () => (await versionOf(page)) === 'waybill-driver-second')
  await says(page, '1 not sent yet')
  // And the next one is used by itself when the app is opened.
  updates.publish('third')
  await page.evaluate('navigator.serviceWorker.getRegistration().then((one) => one.update())')
  await says(page, 'A new version is ready')
  await page.close()
  const again = await context.newPage()
  await again.goto(`${updates.url}/driver`)
  await until('the newest version', async () => (await versionOf(again)) === 'waybill-driver-third')
  updates.refuseWork(false)
  await sendNow(again)
  assert.equal((await look()).statusId, 7)
})

/** The name under which the running version keeps its files. */
const versionOf = (page: Page) =>
  page
    .evaluate(`caches.keys().then((names) => names.filter((name) => name.startsWith('waybill-driver-')).join())`)
    .catch(() => '') as Promise<string>

test('what happened to a task meanwhile is told, and what the office has to decide too', async (t) => {
  const { signedIn, look, server, wire, tasks } = await startDriver(t, ['A-1', 'A-2'])
  const { page } = await signedIn()
  wire.cut()
  await tap(page, 'Start')
  await tap(page, 'I have arrived')
  await tap(page, 'Complete')
  await tap(page, 'Complete')
  await says(page, /waits to be sent/)
  await server.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  await server.post('/tasks/awb/A-2/notes', { note: 'Ring twice' })
  wire.mend()
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
  await page.getByRole('status').getByText('3 not accepted').click()
  await says(page, 'The office decides about this')
  await page.getByRole('button', { name: 'OK' }).first().click()
  assert.equal((await server.get('/conflicts')).body.conflicts.length, 1)
  assert.equal((await look()).statusId, 1)

  await page.evaluate(`location.hash = '#/'`)
  await says(page, /Unassigned by the office/)
  await tap(page, 'OK')
  await page.getByText(/Unassigned by the office/).waitFor({ state: 'detached' })
  await page.getByText('New', { exact: true }).waitFor()
  await page.evaluate(`location.hash = '#/task/${tasks[1].id}'`)
  await says(page, 'Ring twice')
  await page.evaluate(`location.hash = '#/'`)
  await page.getByText('New', { exact: true }).waitFor({ state: 'detached' })
})
