import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { aTask, makeDriver, signIn } from '../../server/test/factories.ts'
import { photo } from '../../server/test/pictures.ts'
import { request, type TestServer } from '../../server/test/server.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'
import { sayIn } from './words.ts'

/** A driver with a task, and their phone. */
async function aPhone({ post, url }: Pick<TestServer, 'post' | 'url'>, awb: string) {
  const driver = await makeDriver({ post })
  const { task } = (await post('/tasks', aTask({ awb, userId: driver.id }))).body
  const key = await signIn({ post }, driver)
  let cursor: string | undefined
  return {
    driver,
    task,
    async sync(ops: object[] = [], device?: object) {
      const deviceTime = new Date().toISOString()
      const named = ops.map((op) => ({ opId: randomUUID(), taskId: task.id, occurredAt: deviceTime, ...op }))
      const body = { deviceTime, cursor, ops: named, device }
      cursor = (await request(url, 'POST', '/api/v1/driver/sync', { key, body })).body.cursor
    },
    upload: (fileId: string) =>
      request(url, 'PUT', `/api/v1/driver/files/${fileId}`, {
        key,
        raw: photo,
        headers: { 'content-type': 'image/jpeg' },
      }),
  }
}

test('what a driver sends to the office', async (t) => {
  const console = await startConsole(t)
  const phone = await aPhone(console, 'PIC-1')
  const [door, signed, missing] = [randomUUID(), randomUUID(), randomUUID()]
  await phone.sync([
    { type: 'photo', fileId: door, note: 'At the door' },
    { type: 'signature', fileId: signed, name: 'Radu' },
    { type: 'photo', fileId: missing },
  ])
  await phone.upload(door)
  await phone.upload(signed)
  const page = await console.open(`/?view=table&task=${phone.task.id}`)
  const step = inOneGo(t)

  await step('a dispatcher looks through the photos and signatures of a task, with the keyboard too', async () => {
    const panel = page.getByRole('complementary', { name: /PIC-1/ })
    await panel.getByText('The picture has not arrived yet').waitFor()
    const first = panel.getByRole('button', { name: `Photo by ${phone.driver.name}` })
    await first.focus()
    await page.keyboard.press('Enter')

    const dialog = page.getByRole('dialog')
    await dialog.locator(`img[src="/files/${door}"]`).waitFor()
    await dialog.getByText('At the door').waitFor()
    await dialog.getByText('1 of 2').waitFor()
    await assertDialogAccessible(page, 'a picture of a task')
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('heading', { name: `Signature, taken by ${phone.driver.name}` }).waitFor()
    await dialog.locator(`img[src="/files/${signed}"]`).waitFor()
    await page.keyboard.press('ArrowRight')
    await dialog.getByText('1 of 2').waitFor()
    await dialog.getByRole('button', { name: 'Previous picture' }).click()
    await dialog.getByText('2 of 2').waitFor()

    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await first.and(page.locator(':focus')).waitFor()
    assert.ok(await panel.isVisible())
  })

  await step(
    'a message of a driver is marked until somebody opens the task, and one of the office until the driver has seen it',
    async () => {
      const phone = await aPhone(console, 'MSG-1')
      await phone.sync()
      const row = page.getByRole('row', { name: /MSG-1/ })
      await row.waitFor()
      await phone.sync([{ type: 'note', note: 'Nobody is there' }])

      const mark = row.getByRole('img', { name: 'New message from the driver' })
      await mark.waitFor()
      for (const view of ['Map', 'Board', 'Table']) {
        await page.getByRole('button', { name: view, exact: true }).click()
        await page.getByRole('button', { name: view, exact: true, pressed: true }).waitFor()
        await page.getByRole('img', { name: 'New message from the driver' }).first().waitFor()
      }
      await page.getByRole('button', { name: '1 new message from drivers' }).click()
      await assertAccessible(page, 'new messages')
      await page.getByRole('button', { name: /Nobody is there/ }).click()

      const panel = page.getByRole('complementary', { name: /MSG-1/ })
      const message = panel.getByRole('listitem').filter({ hasText: 'Nobody is there' }).first()
      await message.getByText('New', { exact: true }).waitFor()
      await mark.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: /new message/ }).waitFor({ state: 'detached' })

      await panel.getByLabel('Add note').fill('Call the neighbour')
      await panel.getByRole('button', { name: 'Add note' }).click()
      const answer = panel.getByRole('listitem').filter({ hasText: 'Call the neighbour' }).first()
      await answer.getByText('not seen by the driver yet').waitFor()
      await assertAccessible(page, 'notes that were seen and not seen')
      await phone.sync()
      await phone.sync([{ type: 'seen' }])
      await answer.getByText(/· seen by the driver/).waitFor()
    },
  )

  await step('the page of the drivers says what each phone last reported, and when', async () => {
    const [one, other] = [await aPhone(console, 'APP-1'), await aPhone(console, 'APP-2')]
    await one.sync([], { name: 'Galaxy A54', battery: 18, pending: 3, version: '1.4.2' })
    await other.sync([], { battery: 90, pending: 0, version: '1.4.3' })
    await page.getByRole('link', { name: 'Drivers', exact: true }).click()
    const rowOf = ({ driver }: typeof one) => page.getByRole('row', { name: new RegExp(driver.name) })
    for (const text of ['3 entries not sent', 'Battery 18% · 1.4.2', 'reported just now'])
      await rowOf(one).getByText(text).waitFor()
    await rowOf(other).getByText('Everything sent').waitFor()
    await assertAccessible(page, 'drivers with their phones')
  })

  await step('pictures and phones are described in Romanian too', async () => {
    const romanian = await console.open(`/?view=table&task=${phone.task.id}`, { locale: 'ro-RO' })
    await romanian.getByRole('button', { name: `Semnătură, luată de ${phone.driver.name}` }).click()
    await romanian.getByRole('dialog').getByText('2 din 2').waitFor()
    await romanian.keyboard.press('Escape')
    await romanian.getByRole('link', { name: sayIn('ro')('drivers'), exact: true }).click()
    await romanian.getByText('raportat chiar acum').first().waitFor()
  })
})
