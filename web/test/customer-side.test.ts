import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { makeDriver } from '../../server/test/factories.ts'
import { readPdf } from '../../server/test/pdf.ts'
import { request } from '../../server/test/server.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

/* The office's view of what customers and senders get: proofs, messages, feedback. */

const address = { address: 'Strada Lipscani 12', lat: 44.43, lng: 26.1 }
type Server = Awaited<ReturnType<typeof startConsole>>

async function addEnded(server: Server, awb: string, given: object = {}) {
  const driver = await makeDriver(server, { name: 'Vlad Marin' })
  const { task } = (await server.post('/tasks', { awb, address, userId: driver.id, ...given })).body
  await server.put(`/tasks/awb/${awb}/forceComplete`, {})
  return task as { id: number; uuid: string }
}

const readDownload = async (page: Page, click: () => Promise<unknown>) => {
  const [download] = await Promise.all([page.waitForEvent('download'), click()])
  const parts: Uint8Array[] = []
  for await (const part of await download.createReadStream()) parts.push(part)
  return readPdf(Buffer.concat(parts))
}

test('what customers and senders get', async (t) => {
  const server = await startConsole(t)
  const page = await server.open('about:blank')
  const step = inOneGo(t)

  await step('what customers said about a day stands in its statistics', async () => {
    for (const [awb, rating, comment] of [
      ['GOOD', 5, ''],
      ['BAD', 2, 'Two hours late'],
    ] as const) {
      const { uuid } = await addEnded(server, awb)
      await request(server.url, 'POST', `/t/${uuid}/feedback`, { body: { rating, comment } })
    }
    const { body } = await server.get('/reports/feedback')
    assert.deepEqual([body.count, body.average, body.ended], [2, 3.5, 2])
    assert.deepEqual(
      body.comments.map(({ awb, driver }: Record<string, string>) => [awb, driver]),
      [['BAD', 'Vlad Marin']],
    )

    await page.goto(`${server.url}/statistics`)
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Customer feedback' }) })
    await card.getByText('3.5 of 5').waitFor()
    await card.getByText('Two hours late').waitFor()
    await assertAccessible(page, 'the statistics')
    await card.getByRole('link', { name: 'BAD' }).click()
    await page.getByRole('complementary', { name: /BAD/ }).getByText('Two hours late').first().waitFor()
  })

  await step('a dispatcher saves the proof of a task, and makes a link for its sender and ends it again', async () => {
    await addEnded(server, 'PROOF-1')
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    await page.getByTitle('Open PROOF-1').click()
    const panel = page.getByRole('complementary', { name: /PROOF-1/ })
    await panel.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Proof of delivery' }).click()
    const dialog = page.getByRole('dialog', { name: 'Proof of delivery' })
    const pages = await readDownload(page, () => dialog.getByRole('link', { name: 'Save as PDF' }).click())
    assert.match(pages[0]?.text ?? '', /AWB PROOF-1/)

    await dialog.getByLabel('Valid for').selectOption({ label: '7 days' })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const link = await dialog.locator('code').innerText()
    const { origin, pathname } = new URL(link)
    assert.match((await request(origin, 'GET', pathname)).text, /PROOF-1/)
    await assertDialogAccessible(page, 'the dialog with the proof')
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await dialog.getByText('Links that show this task').waitFor({ state: 'detached' })
    assert.equal((await request(origin, 'GET', pathname)).status, 404)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  await step('the message log says what became of every message, and texts are edited with a preview', async () => {
    await page.getByRole('link', { name: 'Messages', exact: true }).click()
    await page.getByText('This server cannot send messages yet').waitFor()
    await page.getByRole('button', { name: 'See the texts' }).click()
    await page.getByText('This server cannot send SMS or emails yet.').waitFor()
    const isOn = page.getByRole('checkbox', { name: 'On: Delivered' })
    await isOn.click()
    await page.getByRole('checkbox', { name: 'On: Delivered', checked: true, disabled: false }).waitFor()
    assert.equal((await server.get('/company')).body.company.settings.messageDelivered, true)

    await page.getByRole('button', { name: 'Edit: Delivered, en' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delivered' })
    await dialog.getByText(/characters, \d+ SMS \(GSM-7\)/).waitFor()
    await dialog.getByLabel('Text', { exact: true }).fill('{company}: parcel {awb} is with you. {nonsense}')
    await dialog.getByText('The text has something in braces that does not exist').waitFor()
    await dialog.getByLabel('Text', { exact: true }).fill('{company}: parcel {awb} is with you.')
    await dialog.getByText(/parcel WB-1042 is with you/).waitFor()
    await assertDialogAccessible(page, 'the editor of a text')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Own text').waitFor()
    await assertAccessible(page, 'the texts')

    await addEnded(server, 'TOLD-1', { customer: { name: 'Ana', phone: '0722000111' } })
    await page.getByRole('button', { name: 'Log' }).click()
    const why = 'This server is not set up to send such messages'
    await page.getByText(why).waitFor()
    await page.getByLabel('Status').selectOption('sent')
    await page.getByText('No messages found').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText(why).waitFor()
    const search = page.getByRole('searchbox', { name: 'Search' })
    await search.fill('0722 000 999')
    await page.getByText('No messages found').waitFor()
    await search.fill('0722 000 111')
    await page.getByText('TOLD-1', { exact: true }).waitFor()
    // In sight, without opening the entry.
    await page.getByRole('button', { name: 'Send again: Delivered, TOLD-1' }).click()
    await page.getByText('The message is sent again').waitFor()
    await page.getByText('TOLD-1', { exact: true }).click()
    await assertAccessible(page, 'the log of messages')
    await page.getByRole('link', { name: 'Dispatch', exact: true }).click()
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    await page.getByTitle('Open TOLD-1').click()
    const panel = page.getByRole('complementary', { name: /TOLD-1/ })
    await panel.getByText('Messages to the customer').waitFor()
    await panel.getByText(why, { exact: true }).waitFor()
    await panel.getByText(`Delivered · Not sent · ${why}`).first().waitFor()
  })

  await step('the page of a link can be read by everybody', async () => {
    await addEnded(server, 'PAGE-1', { customer: { name: 'Ana Pop' }, details: 'Two boxes' })
    await server.post('/tasks', { awb: 'PAGE-2', address })
    const { link } = (await server.post('/proofLinks', { awbs: ['PAGE-1', 'PAGE-2'] })).body.proofLink
    await page.goto(server.url + new URL(link).pathname)
    await page.getByRole('heading', { name: 'Proof of delivery', exact: true }).waitFor()
    await page.getByText('Two boxes').waitFor()
    const pages = await readDownload(page, () => page.getByRole('link', { name: 'Save as PDF' }).click())
    assert.equal(pages.length, 2)
    await assertAccessible(page, 'the page of a link')
  })
})
