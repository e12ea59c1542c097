import assert from 'node:assert/strict'
import { makeDriver, signIn } from '../../server/test/factories.ts'
import { agree } from '../../server/test/partners.ts'
import { startReceiver } from '../../server/test/receiver.ts'
import { request } from '../../server/test/server.ts'
import { until, untilHolds } from '../../server/test/until.ts'
import type { Word } from '../words/console.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'
import { sayIn } from './words.ts'

const pages: Word[] = [
  'drivers',
  'teams',
  'hubs',
  'forms',
  'reasons',
  'statistics',
  'webhooks',
  'keys',
  'partners',
  'people',
  'settings',
]

test('the pages around the dispatch screen', async (t) => {
  const console = await startConsole(t)
  await console.put('/company', { settings: { canExecutorsModifyDelegatedTasks: false } })
  const say = sayIn('en')
  const page = await console.open('/account')
  const dialog = page.getByRole('dialog')
  const step = inOneGo(t)
  const goTo = (name: string) => page.getByRole('link', { name, exact: true }).click()

  await step('are accessible, empty and filled', async () => {
    const look = async (name: Word, what: string, shown = say(name)) => {
      if (name !== 'account') await goTo(say(name))
      await page.getByRole('heading', { level: 1, name: say(name) }).waitFor()
      await page.getByRole('status').filter({ hasText: 'Loading' }).first().waitFor({ state: 'detached' })
      await page.getByText(shown).first().waitFor({ state: 'attached' })
      await assertAccessible(page, `${name}, ${what}`)
    }
    for (const name of ['account', ...pages] as Word[]) await look(name, 'empty')

    await makeDriver(console, { name: 'Ana Radu' })
    await console.post('/hubs', { name: 'Depozit', lat: 44.4, lng: 26.1 })
    await look('drivers', 'filled', 'Ana Radu')
    await look('hubs', 'filled', 'Depozit')
    await look('statistics', 'filled')
  })

  await step('an admin makes, changes and deletes reasons and forms, and another admin sees it at once', async () => {
    await goTo('Reasons')
    const watching = await console.open('/reasons')
    await page.getByRole('button', { name: 'New reason' }).first().click()
    await dialog.getByLabel('Reason as drivers see it').fill('Nobody at home')
    await dialog.getByLabel('Code').fill('NOBODY HOME')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(/letters, digits/).waitFor()
    await dialog.getByLabel('Code').fill('NOBODY_HOME')
    await dialog.getByLabel('Reason (Română)').fill('Nimeni acasă')
    await dialog.getByLabel('Drivers must add a photo').check()
    await assertDialogAccessible(page, 'a reason being made')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await watching.getByRole('rowheader', { name: 'Nobody at home' }).waitFor()

    await page.getByRole('button', { name: /Nobody at home/ }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog.getByLabel('Drivers must write a note').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await watching.getByText('Photo, Note').waitFor()
    const [reason] = (await console.get('/reasons')).body.reasons
    assert.deepEqual([reason.labels, reason.noteRequired], [{ ro: 'Nimeni acasă' }, true])

    await page.getByRole('button', { name: /Nobody at home/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await watching.getByText('No reasons yet').waitFor()

    for (const one of [page, watching]) await one.getByRole('link', { name: 'Forms' }).click()
    const field = (n: number) => dialog.getByRole('group', { name: `Field ${n}` })
    await page.getByRole('button', { name: 'New form' }).first().click()
    await dialog.getByLabel('Name').fill('Delivery')
    await field(1).getByLabel('Question', { exact: true }).fill('Who received it?')
    await field(1).getByLabel('Answer').selectOption({ label: 'One of several' })
    await field(1).getByLabel('Choices').fill('Customer\nNeighbour')
    await field(1).getByLabel('Required').check()
    await dialog.getByRole('button', { name: 'Add field' }).click()
    await field(2).getByLabel('Question', { exact: true }).fill('The door')
    await field(2).getByLabel('Answer').selectOption({ label: 'Photo' })
    await field(2).getByText('Languages and key').click()
    await field(2).getByLabel('Question in Română').fill('Ușa')
    await assertDialogAccessible(page, 'a form being made')
    await dialog.getByRole('button', { name: 'Move field 2 up' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await watching.getByRole('rowheader', { name: 'Delivery' }).waitFor()

    const { forms } = (await console.get('/forms')).body
    const shared = { labels: {}, choices: [], required: false, at: 'complete' }
    assert.deepEqual(forms[0].fields, [
      { ...shared, field_key: 'the_door', label: 'The door', type: 'photo', labels: { ro: 'Ușa' } },
      {
        ...shared,
        field_key: 'who_received_it',
        label: 'Who received it?',
        type: 'choice',
        required: true,
        choices: ['Customer', 'Neighbour'],
      },
    ])

    await page.getByRole('button', { name: 'More: Delivery' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await dialog.getByRole('button', { name: 'Remove field 1' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await watching.getByRole('cell', { name: 'The door' }).waitFor({ state: 'detached' })
  })

  await step('an admin creates a hub, a team and a driver, and invites the driver with a QR code', async () => {
    await goTo('Hubs')
    const save = () => dialog.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('button', { name: 'New hub' }).first().click()
    await dialog.getByLabel('Name').fill('Depozit Vest')
    await dialog.getByLabel('Address').fill('44,43, 26,02')
    await save()
    await page.getByRole('rowheader', { name: 'Depozit Vest' }).waitFor()

    await goTo('Teams')
    await page.getByRole('button', { name: 'New team' }).first().click()
    await dialog.getByLabel('Name').fill('Vest')
    await dialog.getByLabel('Hub').selectOption({ label: 'Depozit Vest' })
    await save()
    await page.getByRole('rowheader', { name: 'Vest' }).waitFor()

    await goTo('Drivers')
    await page.getByRole('button', { name: 'New driver' }).first().click()
    await dialog.getByLabel('Name').fill('Mihai Ionescu')
    await dialog.getByLabel('Phone').fill('12')
    await dialog.getByLabel('Vehicle').selectOption({ label: 'Van' })
    await dialog.getByLabel('Vest').check()
    await save()
    await dialog
      .getByText(/not a possible|phone/i)
      .last()
      .waitFor()
    await dialog.getByLabel('Phone').fill('0712 345 678')
    await save()
    await page.getByRole('rowheader', { name: 'Mihai Ionescu' }).waitFor()
    const { body } = await console.get('/drivers')
    const mihai = body.users.find(({ name }: { name: string }) => name === 'Mihai Ionescu')
    assert.deepEqual([mihai.phone, mihai.driverTransportationId], ['+40712345678', 5])

    await page.getByRole('button', { name: 'Invite: Mihai Ionescu' }).click()
    await dialog.getByRole('img', { name: /QR code/ }).waitFor()
    await dialog.getByText(/^In the driver’s app: scan the QR code, or enter \+40712345678/).waitFor()
    await dialog.getByText(/\/driver#/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  await step('the office sees the phones of a driver, and signs a lost one out', async () => {
    const driver = await makeDriver(console, { name: 'Radu Pop' })
    await goTo('Drivers')
    const devices = page.getByRole('dialog').first()
    await page.getByRole('button', { name: 'Devices: Radu Pop' }).click()
    await devices.getByText('Not signed in anywhere').waitFor()

    const token = await signIn(console, driver)
    await devices.getByText('Not seen yet').waitFor()
    const sync = (device: object) =>
      request(console.url, 'POST', '/api/v1/driver/sync', {
        key: token,
        body: { deviceTime: new Date().toISOString(), device },
      })
    await sync({ name: 'Galaxy A54', battery: 71, pending: 2, version: '1.4.2' })
    await devices.getByText('Last seen just now').waitFor()
    for (const text of ['Galaxy A54', '2 entries not sent']) await devices.getByText(text, { exact: true }).waitFor()
    await devices.getByText('Battery 71% · App 1.4.2').waitFor()
    await assertDialogAccessible(page, 'the devices of a driver')

    await devices.getByRole('button', { name: 'Sign out: Galaxy A54' }).click()
    const question = page.getByRole('dialog', { name: 'Sign out Galaxy A54?' })
    await question.getByText('loses access within a second').waitFor()
    await assertDialogAccessible(page, 'the question before signing a device out')
    await question.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Device signed out').waitFor()
    await devices.getByText('Not signed in anywhere').waitFor()
    assert.equal((await sync({})).status, 401)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  await step('a key is shown once and works, and a revoked one does not', async () => {
    await goTo('API keys')
    await page.getByRole('button', { name: 'New key' }).first().click()
    await dialog.getByLabel('Key name').fill('Shop')
    await page.getByRole('button', { name: 'Create' }).click()
    const secret = (await dialog.locator('code').textContent()) as string
    const status = async () =>
      (await fetch(`${console.url}/api/v1/tasks`, { headers: { authorization: secret } })).status
    assert.equal(await status(), 200)

    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'More: Shop' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row', { name: /Shop.*Revoked/ }).waitFor()
    await until('the key to be refused', async () => (await status()) === 401)
  })

  await step('an admin creates a webhook, tests it, reads its log, and sends dead deliveries again', async (t) => {
    const receiver = await startReceiver(t)
    await goTo('Webhooks')
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    await dialog.getByLabel('URL').fill(receiver.url)
    await dialog.getByLabel('Task completed').uncheck()
    await dialog.getByText('Choose at least one event').waitFor()
    for (const event of ['Task created', 'Task deleted']) await dialog.getByLabel(event).check()
    await dialog.getByText('Creates 2 webhooks').waitFor()
    await page.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Signing secret').first().waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()

    assert.deepEqual(
      (await console.get('/webHooks')).body.webHooks.map(({ trigger }: { trigger: number }) => trigger),
      [4, 6],
    )
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    await dialog.getByLabel('URL').fill(receiver.url)
    await until('what the URL gets already', () => dialog.getByLabel('Task deleted').isDisabled())
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()

    const created = page.getByRole('row', { name: /Task created/ })
    await created.getByRole('button', { name: /^More:/ }).click()
    await page.getByRole('menuitem', { name: 'Send a test event' }).click()
    await page.getByText(/Test delivered/).waitFor()

    await console.post('/tasks', { awb: 'HOOKED', address: { city: 'Cluj-Napoca' } })
    await created.getByRole('button', { name: 'Deliveries' }).click()
    await dialog.getByText('HOOKED').click()
    await dialog.getByRole('listitem').getByText('Delivered', { exact: true }).waitFor()
    const sent = receiver.requests.map(({ rawBody }) => rawBody).find((body) => body?.includes('HOOKED')) as string
    assert.deepEqual(JSON.parse((await dialog.locator('pre').last().textContent()) ?? ''), JSON.parse(sent))
    await page.getByRole('button', { name: 'Resend', exact: true }).click()
    await page.getByText('1 event will be resent').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  await step('an invited person signs in with the link, and sees only what the role allows', async () => {
    await goTo('People')
    await page.getByRole('button', { name: 'Invite' }).first().click()
    const email = `new-${Date.now()}@example.org`
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByRole('button', { name: 'Invite' }).click()
    const link = (await dialog.locator('code').textContent()) as string

    const other = await console.open('about:blank')
    await other.context().clearCookies()
    await other.goto(console.url + link.slice(link.indexOf('/welcome')))
    await other.getByLabel('New password').fill('a long enough one')
    await other.getByRole('button', { name: 'Save and sign in' }).click()
    await other.getByRole('heading', { name: 'Dispatch' }).waitFor()
    assert.equal(await other.getByRole('link', { name: 'API keys' }).count(), 0)
    assert.equal(await other.getByRole('link', { name: 'Drivers' }).count(), 1)
    await other.goto(`${console.url}/keys`)
    await other.getByText('Admins only').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  await step('an admin is told that the disk of the server is full', async () => {
    await goTo('Hubs')
    await page.getByRole('button', { name: 'New hub' }).first().waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)

    await page.route('**/ready', (route) => route.fulfill({ status: 503, json: { success: false, code: 'DISK_FULL' } }))
    await page.reload()
    await page.getByRole('alert').filter({ hasText: 'disk is full' }).waitFor()
    await page.getByRole('heading', { name: 'Hubs', exact: true }).waitFor()
    await assertAccessible(page, 'the notice of a full disk')
  })

  await step('an admin changes a setting, and it takes effect', async () => {
    const courier = await console.another()
    await courier.put('/company', { name: 'Courier' })
    await agree(console, courier)
    await goTo('Settings')
    assert.equal(await page.getByLabel('Partners can edit').isChecked(), false)
    await page.getByLabel('Delegate new tasks to').selectOption('Courier')
    await page.getByLabel('Messages about delegated tasks').selectOption('The partner sends them')

    await page.getByLabel('Route optimisation').uncheck()
    await page.getByLabel('Default failure reason').fill('Closed')
    await page.getByLabel('List line 1').selectOption('Area')
    await page.getByLabel('List line 2').selectOption('Other…')
    await page.getByLabel('List line 2: other').fill('teamId')
    await page.getByLabel('Calls and messages go to').selectOption('The driver')
    await page.getByRole('group', { name: 'Table columns' }).getByLabel('Phone').check()
    await page.getByLabel('Accent colour').fill('#0a7d32')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved').waitFor()
    const saved = (await console.get('/company')).body.company.settings
    assert.deepEqual(
      [saved.enableRouteOptimization, saved.forceCompleteAsFailedCancelReason, saved.accentColor],
      [false, 'Closed', '#0a7d32'],
    )
    assert.deepEqual(
      [saved.canExecutorsModifyDelegatedTasks, saved.delegateNewTasksTo, saved.delegateNewTasksOfTeam],
      [false, courier.organisationId, null],
    )
    assert.equal(saved.delegatedMessages, 'fulfiller')
    assert.deepEqual(
      [saved.orderListViewDataLine1, saved.orderListViewDataLine2, saved.orderListViewDataLine3],
      ['address.area', 'teamId', 'completeBefore'],
    )
    assert.equal(saved.callForwardingRecipient, 'driver')
    assert.equal(saved.customizeColumnDefines.length, 10, 'the usual nine and the phone')
    const button = page.getByRole('button', { name: 'Save' })
    // The page asks for the settings again after saving.
    const colour = () => button.evaluate((element) => getComputedStyle(element).backgroundColor)
    await untilHolds(async () => assert.equal(await colour(), 'rgb(10, 125, 50)'))

    await page.goto(`${console.url}/?view=table`)
    await page.getByRole('columnheader', { name: 'Phone' }).waitFor()
  })
})
