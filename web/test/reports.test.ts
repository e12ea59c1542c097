import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { sql } from '../../server/db/sql.ts'
import { aTask, makeDriver } from '../../server/test/factories.ts'
import { assertAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'

test('a dispatcher looks at a year, sorts its drivers, and saves their table', async (t) => {
  const server = await startConsole(t)
  const [ana, vlad] = [await makeDriver(server, { name: 'Ana Pop' }), await makeDriver(server, { name: 'Vlad Marin' })]
  const customer = { name: 'Doamna Ionescu', phone: '0722 123 456' }
  for (const [awb, userId, success, days] of [
    ['A', ana.id, true, 0],
    ['B', ana.id, true, 40],
    ['C', vlad.id, false, 1],
  ] as const) {
    await server.post('/tasks', aTask({ awb, userId, customer }))
    await server.put(`/tasks/awb/${awb}/forceComplete`, { success })
    await server.database.everyone.run(sql`
      update tasks set completed_at = completed_at - make_interval(days => ${days})
      where organisation_id = ${server.organisationId} and awb = ${awb}`)
  }
  const page = await server.open('/statistics')
  const today = Temporal.Now.plainDateISO('Europe/Bucharest')
  await page
    .locator('input[type=date]')
    .first()
    .fill(today.subtract({ days: 364 }).toString())
  await page.getByRole('heading', { name: 'Months' }).waitFor()
  await page.getByRole('img', { name: /Chart of the shares/ }).waitFor()
  await page.getByRole('table', { name: 'Customers' }).getByText('Doamna Ionescu').waitFor()

  const drivers = page.getByRole('table', { name: 'Drivers', exact: true })
  // The figures of today stay until those of the year are here.
  await drivers.getByText('Vlad Marin').waitFor()
  const names = () => drivers.locator('tbody th').allTextContents()
  assert.deepEqual(await names(), ['Ana Pop', 'Vlad Marin'])
  await drivers.getByRole('button', { name: 'Failed' }).click()
  assert.deepEqual(await names(), ['Vlad Marin', 'Ana Pop'])
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Drivers: CSV' }).click()
  const [head, first] = (await readFile(await (await saved).path(), 'utf8')).slice(1).split('\r\n')
  assert.match(head ?? '', /^Driver,/)
  assert.match(first ?? '', /^Ana Pop,2,0,0,,1,/)
  await assertAccessible(page, 'the reports of a year')
})
