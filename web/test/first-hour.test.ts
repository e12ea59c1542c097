import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { sql } from '../../server/db/sql.ts'
import { linkTo, makeLink } from '../../server/people/actions.ts'
import { anEmail, aPassword } from '../../server/test/people.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { aPhone, letGo, says, tap } from './driver.ts'
import { inOneGo } from './steps.ts'
import { driverSayIn, firstSayIn } from './words.ts'

const say = firstSayIn('en')
const sayOnPhone = driverSayIn('en')

/** The organisation that the first start made, and the link of its admin, as the terminal shows it. */
async function startFirst(t: TestContext) {
  // A database of its own: its first organisation has never been set up.
  const console = await startConsole(t, 'admin', { WAYBILL_GEOCODER: 'embedded', WAYBILL_TRACKING_HOURS: '25' })
  const db = console.database.everyone
  const first = await db.get<{ id: number; admin_id: number; name: string; first_steps: string }>(sql`
    select o.id, u.id as admin_id, o.name, o.first_steps
    from organisations o join users u on u.organisation_id = o.id and u.is_admin
    order by o.id limit 1`)
  assert.deepEqual([first.name, first.first_steps], ['Waybill Demo', 'setUp'])
  const link = linkTo(console.url, await makeLink(db, first.id, first.admin_id))
  return { console, link: link.slice(console.url.length), organisationId: first.id }
}

test('the first hour, by somebody who only clicks what is offered', async (t) => {
  const { console, link } = await startFirst(t)
  const step = inOneGo(t)
  const page = await console.open(link, { as: 'nobody=1', timezoneId: 'Europe/Bucharest' })
  const dialog = page.getByRole('dialog')
  const strip = page.getByRole('region', { name: say('firstSteps') })
  const take = (name: 'hub' | 'team' | 'driver' | 'invited' | 'task' | 'assigned' | 'delivered') =>
    strip.getByRole('button', { name: say(`step_${name}`) }).click()
  const expectTaken = (done: number) => strip.getByText(say('stepsTaken', { done, all: 7 })).waitFor()
  // What they see is what is checked; this asks only for what no screen shows at once.
  const answers = async (path: string) => (await page.request.get(`${console.url}/api/v1${path}`)).json()

  await step('they choose a password, and say who they are and where', async () => {
    await page.getByLabel(say('email')).fill(anEmail())
    await page.getByLabel(say('newPassword')).fill(aPassword)
    await page.getByRole('button', { name: say('enterWaybill') }).click()

    await page.getByRole('heading', { name: say('setUpTitle') }).waitFor()
    await assertAccessible(page, 'setting up')
    for (const word of ['yourName', 'organisationName'] as const)
      assert.equal(await page.getByLabel(say(word)).inputValue(), '', 'no name of ours is suggested')
    assert.equal(await page.getByLabel(say('country')).inputValue(), 'RO', 'as the clock says')
    await page.getByLabel(say('country')).selectOption('MD')
    assert.equal(await page.getByLabel(say('currency')).inputValue(), 'MDL')
    await page.getByLabel(say('country')).selectOption('RO')
    assert.equal(await page.getByLabel(say('timezone')).inputValue(), 'Europe/Bucharest')
    await page.getByLabel(say('yourName')).fill('Ioana Pop')
    await page.getByLabel(say('organisationName')).fill('Curier Rapid')
    await page.getByRole('button', { name: say('setUpSave') }).click()

    await expectTaken(0)
    const { company } = await answers('/company')
    assert.deepEqual(
      [company.name, company.currency, company.timezone, company.firstSteps],
      ['Curier Rapid', 'RON', 'Europe/Bucharest', 'open'],
    )
    assert.equal((await answers('/session')).person.name, 'Ioana Pop')
    await assertAccessible(page, 'the first steps')
  })

  await step('a hub is an address, a team starts there, and a driver joins it', async () => {
    await take('hub')
    await dialog.getByLabel(say('name')).fill('Depozit')
    await dialog.getByLabel(say('address')).fill('Nicăieri 1')
    await dialog.getByRole('button', { name: say('save') }).click()
    await dialog.getByText(say('ADDRESS_NOT_FOUND')).waitFor()
    await assertDialogAccessible(page, 'a hub that was not found')
    await dialog.getByLabel(say('address')).fill('Strada Lipscani 12, București')
    await dialog.getByRole('button', { name: say('save') }).click()
    await expectTaken(1)

    await take('team')
    await dialog.getByLabel(say('name')).fill('Centru')
    await dialog.getByLabel(say('hub')).getByText('Depozit').waitFor({ state: 'attached' })
    await dialog.getByRole('button', { name: say('save') }).click()
    await expectTaken(2)
    const [team] = (await answers('/teams')).teams
    assert.deepEqual([team.name, team.hub.name], ['Centru', 'Depozit'])

    await take('driver')
    await dialog.getByLabel(say('name')).fill('Mihai Ionescu')
    await dialog.getByLabel(say('phone')).fill('0712 345 678')
    await dialog.getByRole('button', { name: say('save') }).click()
    await expectTaken(3)
  })

  let driverLink = ''
  await step('the driver is invited, and is told that this link works on this machine only', async () => {
    await take('invited')
    await dialog.getByText(say('linkOnlyHere')).waitFor()
    driverLink = (await dialog.getByText(`${console.url}/driver#`).textContent()) as string
    await dialog.getByRole('button', { name: say('close') }).click()
    await expectTaken(4)
  })

  const { page: phone } = await aPhone(t, console.url, { isNew: true })
  await step('the driver opens the link, reads what the app is, and goes on duty', async () => {
    await phone.goto(driverLink)
    await says(phone, sayOnPhone('introTitle', { name: 'Mihai Ionescu' }))
    await tap(phone, sayOnPhone('introClose'))
    await says(phone, sayOnPhone('noStopsToday'))
    await phone.getByRole('switch', { name: sayOnPhone('onDuty') }).click()
  })

  await step('a task at a pasted place is created and assigned', async () => {
    await take('task')
    await dialog.getByLabel(say('address'), { exact: true }).fill('44.4319, 26.1010')
    await dialog.getByText(say('addressIsPlace')).waitFor()
    await dialog.getByRole('button', { name: say('create'), exact: true }).click()
    await expectTaken(5)
    const [task] = (await answers('/tasks')).tasks
    assert.deepEqual([task.address.lat, task.address.lng, task.address.precision], [44.4319, 26.101, 'exact'])

    await take('assigned')
    await dialog.getByRole('option', { name: /Mihai Ionescu/ }).click()
    await expectTaken(6)
  })

  await step('the driver delivers it, the office watches, and the last step ticks itself off', async () => {
    await take('delivered')
    const panel = page.getByRole('complementary', { name: /^Task / })
    await panel.waitFor()

    await tap(phone, sayOnPhone('startTask'))
    await panel.getByText(say('startedAt')).first().waitFor()
    await tap(phone, sayOnPhone('arriveTask'))
    await panel.getByText(say('driverThere')).waitFor()
    await tap(phone, sayOnPhone('completeTask'))
    await says(phone, sayOnPhone('nothingMissing'))
    await tap(phone, sayOnPhone('completeTask'))
    await says(phone, sayOnPhone('allStopsDone'))
    // The driver puts the phone away.
    await letGo(phone)
    await strip.getByText(say('allStepsTaken')).waitFor()
    await panel.getByText(say('completedAt')).first().waitFor()

    // Customers see whose delivery it was.
    const opening = page.context().waitForEvent('page')
    await panel.getByRole('link', { name: /^\/t\// }).click()
    const tracking = await opening
    await tracking.getByText('Curier Rapid').first().waitFor()
    await tracking.close()
  })

  await step('what is done goes, for everybody and for good', async () => {
    await strip.getByRole('button', { name: say('hideFirstSteps') }).click()
    await strip.waitFor({ state: 'detached' })
    await until('it to be remembered', async () => (await answers('/company')).company.firstSteps === 'done')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: say('dispatch') }).waitFor({ state: 'attached' })
    assert.equal(await strip.count(), 0)
  })
})

test('the list of first steps is dismissed before it is done, and a dispatcher is not asked', async (t) => {
  const console = await startConsole(t)
  await console.put('/company', { firstSteps: 'open' })
  const page = await console.open('/')
  const strip = page.getByRole('region', { name: say('firstSteps') })
  await strip.getByRole('button', { name: say('step_invited') }).click()
  await page.getByRole('dialog', { name: say('newDriver') }).waitFor()
  await page.keyboard.press('Escape')
  await strip.getByRole('button', { name: say('hideFirstSteps') }).click()
  await strip.waitFor({ state: 'detached' })
  await until('it to be remembered', async () => (await console.get('/company')).body.company.firstSteps === 'done')
})

test('the first driver gets a team of their own on the spot, only once even if the driver is refused', async (t) => {
  const console = await startConsole(t)
  const page = await console.open('/drivers')
  const dialog = page.getByRole('dialog')
  await page
    .getByRole('button', { name: say('newDriver') })
    .first()
    .click()
  await dialog.getByLabel(say('name')).fill('Ana Radu')
  await dialog.getByLabel(say('phone')).fill('12')
  assert.equal(await dialog.getByLabel(say('newTeam')).inputValue(), say('firstTeamName'))
  await dialog.getByRole('button', { name: say('save') }).click()
  await dialog.locator('[aria-invalid=true]').waitFor()
  await dialog.getByLabel(say('phone')).fill('0712 345 678')
  await dialog.getByRole('button', { name: say('save') }).click()
  await page.getByRole('rowheader', { name: 'Ana Radu' }).waitFor()
  const { teams } = (await console.get('/teams')).body
  assert.deepEqual(
    teams.map(({ name, drivers }: { name: string; drivers: { name: string }[] }) => [name, drivers[0]?.name]),
    [[say('firstTeamName'), 'Ana Radu']],
  )
})
