import assert from 'node:assert/strict'
import { until } from '../../server/test/until.ts'
import { test } from './console.ts'
import { letGo, says, sendNow, startDriver, takePhoto, tap } from './driver.ts'

/* What drivers do by mistake every day: money typed wrongly, taps too many, the wrong stop. */

// biome-ignore lint/suspicious/noExplicitAny: assertConforms checks the shape
type Wire = any

const toCollect = () => ({ totalPrice: 78, collectPayment: true })

test('money that cannot be taken is named before the last tap, and money that was forgotten is asked about', async (t) => {
  const { signedIn, server, tasks, look } = await startDriver(t, ['A-1', 'A-2'], toCollect)
  await server.put('/company', { settings: { allowPartialPayments: true } })
  const { page } = await signedIn()
  await page.evaluate(`location.hash = '#/task/${tasks[0].id}/complete'`)
  await says(page, 'Start this stop first')
  assert.equal(await page.getByText('Nothing missing').count(), 0)
  await page.getByText('Start this stop first').click()
  await tap(page, /^Start$/)
  await tap(page, 'I have arrived')
  await tap(page, 'Complete')
  const amount = page.getByLabel('Amount received')
  assert.equal(await amount.inputValue(), '78')

  await page.getByText('Cash', { exact: true }).click()
  await says(page, 'Nothing missing')
  for (const [typed, words] of [
    ['500', '“500” is more than'],
    ['12,50', '“12,50” cannot be recorded'],
    ['a few', '“a few” is not an amount'],
  ] as const) {
    await amount.fill(typed)
    await says(page, words)
    assert.equal(await page.getByText('Nothing missing').count(), 0)
    await page.getByRole('button', { name: 'Complete' }).click({ force: true })
    assert.match(page.url(), /complete/)
  }
  await tap(page, 'Clear the payment')
  await says(page, 'Nothing missing')
  await tap(page, 'Complete')
  await says(page, 'Collected nothing?')
  await tap(page, 'Back to the payment')
  await amount.fill('30')
  await says(page, 'Choose cash or card')
  await page.getByText('Cash', { exact: true }).click()
  await tap(page, 'Complete')
  await says(page, 'It is sent in a few seconds')
  await letGo(page)
  await until('the office to know', async () => (await look()).statusId === 9)
  assert.equal((await look()).leftToBePaid, 48)

  await tap(page, /^Start$/)
  await tap(page, 'I have arrived')
  await tap(page, 'Complete')
  await tap(page, 'Complete')
  await tap(page, 'Complete without payment')
  await says(page, 'It is sent in a few seconds')
  await letGo(page)
  await until('the office to know', async () => (await look('A-2')).statusId === 9)
  assert.equal((await look('A-2')).leftToBePaid, 78)
})

test('four quick taps at one place start a stop, and that can be taken back', async (t) => {
  const { signedIn, tasks, look, server } = await startDriver(t)
  const { page } = await signedIn()
  await page.evaluate(`location.hash = '#/task/${tasks[0].id}'`)
  const box = await page.getByRole('button', { name: 'Start', exact: true }).boundingBox()
  assert.ok(box)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  // In the page, because between two commands to it more time may pass than between two taps.
  await page.evaluate(
    ([x, y]) => {
      let taps = 0
      return new Promise<void>((done) => {
        const timer = setInterval(() => {
          const target = document.elementFromPoint(x as number, y as number)
          target?.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: x as number, clientY: y as number }))
          taps += 1
          if (taps === 4) done(clearInterval(timer))
        }, 150)
      })
    },
    [x, y],
  )
  await until('the start to be sent', async () => (await look()).statusId === 7)
  await says(page, 'All sent')
  assert.deepEqual(await server.triggers('A-1'), ['TASK_CREATED', 'TASK_ASSIGNED', 'TASK_START'])

  await tap(page, 'I have arrived')
  await tap(page, 'Undo arrival')
  await page.getByRole('button', { name: 'I have arrived' }).waitFor()
  await tap(page, 'Undo start')
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor()
  await until('the office to know', async () => (await look()).statusId === 6)
  const { startedAt, arrivalTime } = await look()
  assert.deepEqual([startedAt, arrivalTime], [null, null])
  assert.equal(await page.getByRole('button', { name: /^Undo/ }).count(), 0)
})

test('what was completed can be undone until it is sent, with all that was filled in', async (t) => {
  const { signedIn, look, server } = await startDriver(t, ['A-1', 'A-2'], toCollect)
  await server.put('/company', { settings: { allowPartialPayments: true } })
  const { page } = await signedIn()
  await tap(page, /^Start$/)
  await tap(page, 'I have arrived')
  await tap(page, 'Complete')
  await takePhoto(page)
  const pad = await page.getByRole('img', { name: 'Place for the signature' }).boundingBox()
  assert.ok(pad)
  await page.mouse.move(pad.x + 40, pad.y + 40)
  await page.mouse.down()
  await page.mouse.move(pad.x + 120, pad.y + 60)
  await page.mouse.up()
  await page.getByLabel('Signed by').fill('Ion')
  await page.getByLabel('Amount received').fill('50')
  await page.getByText('Card', { exact: true }).click()
  await tap(page, 'Complete')
  await says(page, 'It is sent in a few seconds')
  await says(page, /not sent yet/)

  await tap(page, 'Undo')
  await page.getByRole('img', { name: 'Photo 1' }).waitFor()
  assert.equal(await page.getByLabel('Amount received').inputValue(), '50')
  assert.equal(await page.getByLabel('Signed by').inputValue(), 'Ion')
  assert.equal(await page.getByLabel('Card').isChecked(), true)
  await page.getByRole('img', { name: 'Signature', exact: true }).waitFor()
  const open = await look()
  assert.deepEqual([open.statusId, open.leftToBePaid, open.notes.length], [7, 78, 0])

  await tap(page, 'Complete')
  await says(page, 'It is sent in a few seconds')
  // Opening another stop is going on.
  await page.evaluate(`location.hash = '#/task/${(await look('A-2')).id}'`)
  await until('the office to know', async () => (await look()).statusId === 9)
  const done = await look()
  assert.deepEqual([done.leftToBePaid, done.notes.map(({ type }: Wire) => type)], [28, [2, 3]])
})

test('a completion that was not sent yet survives a killed app, and goes out with the next start, as of the tap', async (t) => {
  const { signedIn, look, wire } = await startDriver(t)
  const phone = await signedIn()
  await tap(phone.page, 'Start')
  await tap(phone.page, 'I have arrived')
  await tap(phone.page, 'Complete')
  await says(phone.page, 'Nothing missing')
  wire.cut()
  const before = Date.now()
  await tap(phone.page, 'Complete')
  await says(phone.page, 'It is sent in a few seconds')
  const after = Date.now()
  const page = await phone.reopen()
  wire.mend()
  await sendNow(page)
  const { statusId, completedAt } = await look()
  assert.equal(statusId, 9)
  assert.ok(Date.parse(completedAt) >= before - 1_000 && Date.parse(completedAt) <= after + 1_000)
})

test('a start off duty, a second start, and an end of duty on the way are asked about first', async (t) => {
  const { signedIn, look, tasks, setDuty, server, driver } = await startDriver(t, ['A-1', 'A-2'])
  await setDuty(false)
  const { page } = await signedIn()
  await tap(page, /^Start$/)
  await says(page, 'You are off duty')
  await tap(page, 'Close')
  assert.equal((await look()).statusId, 6)
  await tap(page, /^Start$/)
  await tap(page, 'Go on duty and start')
  await until('the start', async () => (await look()).statusId === 7)
  const { users } = (await server.get('/drivers')).body
  assert.equal(users.find(({ id }: Wire) => id === driver.id).inShift, true)

  await page.evaluate(`location.hash = '#/task/${tasks[1].id}'`)
  await tap(page, /^Start$/)
  await says(page, 'Start a second stop?')
  await tap(page, 'Cancel')
  assert.equal((await look('A-2')).statusId, 6)
  await page.evaluate(`location.hash = '#/'`)
  await page.getByRole('switch').click()
  await says(page, 'End duty now?')
  await tap(page, 'Stay on duty')
  assert.equal(await page.getByRole('switch').getAttribute('aria-checked'), 'true')
})
