import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { signIn } from '../../server/test/people.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

test('the audit log', async (t) => {
  const console = await startConsole(t)
  const { person } = console
  const admin = (path: string, body: object) => person.call('PUT')(path, body)
  await person.post('/keys', { name: 'Shop', scopes: ['tasks:read'] })
  await admin('/company', { phone: '021 123', settings: { enableAWB: false } })
  await signIn(console.url, person.email, 'wrong password')
  await until('the line', async () => (await console.get('/audit?kind=person.passwordWrong')).body.entries.length > 0)
  const step = inOneGo(t)
  const page = await console.open('/audit')
  const lines = page.locator('main li')

  await step('shows who did what, newest first, and what was there before', async () => {
    await page.getByText('Wrong password').waitFor()
    assert.match((await lines.first().textContent()) ?? '', /UnknownWrong passwordAna Pop/)
    await page.getByText('Changed settings').click()
    const change = page.getByRole('row').filter({ hasText: 'Own AWBs' })
    assert.equal(await change.textContent(), 'Own AWBsYesNo')
    await page.getByRole('row').filter({ hasText: 'Phone' }).getByText('not recorded').first().waitFor()
    await assertAccessible(page, 'the audit log')
  })

  await step('is searched by who, what and day', async () => {
    await page.getByLabel('What').selectOption('Keys and webhooks')
    await page.getByText('Wrong password').waitFor({ state: 'detached' })
    assert.match((await lines.first().textContent()) ?? '', /Ana PopCreated a keyShop/)
    await page.getByLabel('Person, AWB or address').fill('nobody at all')
    await page.getByText('Nothing found').waitFor()
    await assertAccessible(page, 'nothing found')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('Wrong password').waitFor()
    await page.getByLabel('Day').fill('2020-02-29')
    await page.getByText('Nothing found').waitFor()
    await page.getByLabel('Day').fill('')
    await page.getByLabel('Person, AWB or address').fill('shop')
    await until('one line', async () => (await lines.count()) === 1)
  })

  await step('is saved as a file, which the log then knows', async () => {
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const file = await readFile(await (await saving).path(), 'utf8')
    assert.match(file, /Ana Pop[;,]Created a key[;,]Shop/)
    await page.getByText('1 entry exported').waitFor()
    const [entry] = (await console.get('/audit?kind=list.exported')).body.entries
    assert.deepEqual(entry.changes, [
      { field: 'list', after: 'audit' },
      { field: 'format', after: 'csv' },
      { field: 'rows', after: 1 },
    ])
  })

  await step('is for admins', async () => {
    const other = await startConsole(t, 'dispatcher')
    const theirs = await other.open('/audit')
    await theirs.getByText('Admins only').waitFor()
    assert.equal(await theirs.getByRole('link', { name: 'Audit log' }).count(), 0)
  })
})
