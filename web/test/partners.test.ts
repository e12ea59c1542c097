import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { addPerson } from '../../server/test/people.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { partnerSayIn } from './words.ts'

/** A shop and a courier on one server, each with an admin. */
async function aPair(t: TestContext) {
  const console = await startConsole(t)
  const other = await console.another()
  const courierPerson = await addPerson({ ...console, organisationId: other.organisationId }, 'admin', 'Radu Ene')
  await console.put('/company', { name: 'Magazin Iris' })
  await other.put('/company', { name: 'Curier Rapid' })
  return {
    shop: console,
    courier: { ...other, person: courierPerson },
    openShop: (path = '/', options = {}) => console.open(path, options),
    openCourier: (path = '/', options = {}) => console.open(path, { as: courierPerson.cookie, ...options }),
    async agree() {
      await console.post('/partners', { companyId: other.organisationId })
      await other.post('/partners', { companyId: console.organisationId })
    },
  }
}

test('two organisations become partners by their numbers, and one of them ends it', async (t) => {
  const { shop, courier, openShop, openCourier } = await aPair(t)
  const say = partnerSayIn('en')
  const page = await openShop('/partners')
  await page.getByText(say('noPartners')).waitFor()
  await page.getByText(`Your number is ${shop.organisationId}`).waitFor()
  await assertAccessible(page, 'no partners')

  await page
    .getByRole('button', { name: say('newPartner') })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say('partnerNumber')).fill(String(shop.organisationId))
  await dialog.getByRole('button', { name: say('askPartner'), exact: true }).click()
  await dialog.getByText(say('ownNumber')).waitFor()
  await dialog.getByLabel(say('partnerNumber')).fill(String(courier.organisationId))
  await assertDialogAccessible(page, 'asking a partner')
  await dialog.getByRole('button', { name: say('askPartner'), exact: true }).click()
  await page.getByText(say('state_asked')).waitFor()
  // Nobody learns the name of an organisation that has not answered.
  await page.getByRole('rowheader', { name: `Organisation ${courier.organisationId}` }).waitFor()

  const theirs = await openCourier('/partners')
  await theirs.getByRole('rowheader', { name: /Magazin Iris/ }).waitFor()
  await theirs.getByText(say('state_invited')).waitFor()
  await theirs.getByRole('button', { name: say('acceptPartner') }).click()
  await theirs.getByText(say('state_partner'), { exact: true }).waitFor()
  await page.getByRole('rowheader', { name: /Curier Rapid/ }).waitFor()
  await assertAccessible(page, 'a partner')

  await page.getByRole('button', { name: /Curier Rapid/ }).click()
  await page.getByRole('menuitem', { name: say('endPartner') }).click()
  await page.getByText(say('endPartnerLead')).waitFor()
  await assertDialogAccessible(page, 'ending a partnership')
  await page.getByRole('button', { name: say('endPartner'), exact: true }).click()
  await page.getByText(say('noPartners')).waitFor()
  await theirs.getByText(say('noPartners')).waitFor()
})

test('a dispatcher has no page of partners, and gives tasks to them all the same', async (t) => {
  const { shop, courier, openShop, agree } = await aPair(t)
  await agree()
  const { cookie } = await addPerson(shop, 'dispatcher')
  await shop.post('/tasks', aTask({ awb: 'P-1' }))
  const page = await openShop('/?view=table', { as: cookie })
  const say = partnerSayIn('en')
  await page.getByRole('row', { name: /P-1/ }).click()
  assert.equal(await page.getByRole('link', { name: say('partners') }).count(), 0)
  const panel = page.locator('[data-panel]')
  await panel.getByRole('button', { name: say('more') }).click()
  await page.getByRole('menuitem', { name: say('giveToPartner') }).click()
  await page.getByRole('dialog').getByLabel(say('partner')).waitFor()
  await assertDialogAccessible(page, 'giving a task to a partner')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('givePartner'), exact: true })
    .click()
  await panel.getByText('With Curier Rapid').waitFor()
  await panel.getByText(/gave the task to Curier Rapid/).waitFor()
  const undo = page.getByRole('button', { name: say('undo') })
  // It stays while the mouse is on it.
  await undo.hover()

  const driver = await makeDriver(courier)
  const { task } = (await courier.get('/tasks/awb/P-1')).body
  await courier.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [task.id] })
  assert.equal((await courier.put('/tasks/awb/P-1/forceComplete', {})).status, 200)
  await undo.click()
  await page.getByText(/^1 task was refused: P-1 · /).waitFor()
})

test('what is given to a partner is marked on both sides, is no work here, and comes back', async (t) => {
  const { shop, courier, openShop, openCourier, agree } = await aPair(t)
  await agree()
  const say = partnerSayIn('en')
  for (const awb of ['P-1', 'P-2']) await shop.post('/tasks', aTask({ awb }))
  const own = await makeDriver(shop)
  await shop.post('/tasks', aTask({ awb: 'P-3', userId: own.id }))
  const driver = await makeDriver(courier, { name: 'Dan Pop' })
  await courier.put(`/drivers/${driver.id}/duty`, { inShift: true })
  const page = await openShop('/?view=table')
  const theirs = await openCourier('/?view=table')
  await page.getByLabel(say('selectAll')).click()
  const bar = page.locator('[data-bulk]')
  await bar.getByRole('button', { name: say('giveToPartner') }).click()
  const dialog = page.getByRole('dialog')
  // One of the three has a driver.
  await dialog.getByText(/^1 of the selected tasks stays here/).waitFor()
  await dialog.getByRole('button', { name: say('givePartner'), exact: true }).click()
  await page.getByText('2 tasks given to Curier Rapid').waitFor()
  await page.getByRole('row', { name: /P-1.*With Curier Rapid/ }).waitFor()
  await theirs.getByRole('row', { name: /P-1.*From Magazin Iris/ }).waitFor()

  const unassigned = page.getByRole('button', { name: /^Unassigned/ })
  await until('none waits for us', async () => /0$/.test((await unassigned.textContent()) ?? ''))
  // What stayed is still selected.
  await page.getByRole('row', { name: /P-3/ }).getByRole('checkbox').click()
  await page.getByRole('row', { name: /P-1/ }).getByRole('checkbox').click()
  await bar.getByRole('button', { name: say('takeBack') }).waitFor()
  for (const word of ['assignTo', 'plan', 'forceComplete'] as const)
    assert.equal(await bar.getByRole('button', { name: say(word) }).count(), 0, word)

  await theirs.getByRole('row', { name: /P-1/ }).click()
  const panel = theirs.locator('[data-panel]')
  await panel.getByText('From Magazin Iris').waitFor()
  await panel.getByText(/gave you the task/).waitFor()
  await panel.getByRole('button', { name: say('chooseDriver') }).click()
  await theirs.getByRole('option', { name: /Dan Pop/ }).click()
  await page.getByRole('row', { name: /P-1.*Dan Pop/ }).waitFor()

  await bar.getByRole('button', { name: say('takeBack') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('takeBack'), exact: true })
    .click()
  await page.getByText('1 task taken back').waitFor()
  await panel.getByText(say('taskGone')).waitFor()
  await until('one waits for us', async () => /1$/.test((await unassigned.textContent()) ?? ''))

  // What the owner does not allow is refused, and says so for each.
  await shop.put('/company', { settings: { canExecutorsUndelegateTasks: false } })
  await theirs.goto(`${shop.url}/?view=table`)
  await theirs.getByRole('row', { name: /P-2/ }).getByRole('checkbox').click()
  const theirBar = theirs.locator('[data-bulk]')
  assert.equal(await theirBar.getByRole('button', { name: say('delete') }).count(), 0)
  await theirBar.getByRole('button', { name: say('giveBack') }).click()
  await theirs
    .getByRole('dialog')
    .getByRole('button', { name: say('giveBack'), exact: true })
    .click()
  await theirs.getByRole('dialog').getByText('1 task was refused').waitFor()
  await theirs.getByRole('dialog').getByText('P-2').waitFor()
})
