import assert from 'node:assert/strict'
import { makeDriver } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { test } from './console.ts'
import { says, startDriver, tap } from './driver.ts'

test('work that was not accepted is told in the line, on the stop and with one OK for each cause; then what the office decides', async (t) => {
  const { signedIn, server, wire, tasks, look } = await startDriver(t, ['A-1', 'A-2'], (awb) =>
    awb === 'A-1' ? { totalPrice: 78 } : {},
  )
  const colleague = await makeDriver(server, { name: 'Dan Stan' })
  const { page } = await signedIn()
  wire.cut()
  await tap(page, 'Start')
  await tap(page, 'I have arrived')
  await tap(page, 'Take the payment')
  await page.getByText('Cash', { exact: true }).click()
  await tap(page, 'Complete')
  await says(page, /waits to be sent/)
  await server.post('/tasks/bulkUnassign', { tasks: ['A-1'] })
  await server.put(`/containers/drivers/${colleague.id}`, { tasks: ['A-1'] })
  wire.mend()
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)

  const line = page.getByRole('status')
  await line.getByText('4 not accepted').waitFor()
  assert.equal(await page.getByText('All sent').count(), 0)
  await says(page, /^Not accepted: Started, Arrived at the stop, Cash .*78.*, Completed$/)
  await says(page, /The office decides about this/)
  await page.evaluate(`location.hash = '#/task/${tasks[0].id}'`)
  await says(page, /^Not accepted: Started, Arrived at the stop, Cash .*78.*, Completed$/)
  await says(page, /the office gave it to somebody else or took it back/)

  await line.getByText('4 not accepted').click()
  await page.getByText(/^Cash .*78.* · A-1$/).waitFor()
  await assertAccessible(page, 'what was not accepted')
  const ok = page.getByRole('button', { name: 'OK' })
  assert.equal(await ok.count(), 1, 'all four have one cause')
  await ok.click()
  await line.getByText('All sent').waitFor()
  await page.getByRole('heading', { name: 'The office decides' }).waitFor()

  const { conflicts } = (await server.get('/conflicts?settled=false')).body as {
    conflicts: { id: number; type: string }[]
  }
  const settle = (type: string, body: object) =>
    server.post(`/conflicts/${conflicts.find((one) => one.type === type)?.id}/settle`, body)
  await settle('complete', { apply: false, note: 'Dan has delivered it' })
  await line.getByText('1 answer from the office').waitFor()
  await says(page, 'The office decided otherwise')
  await says(page, 'Dan has delivered it')
  await settle('payment', { apply: true })
  await line.getByText('2 answers from the office').waitFor()
  await says(page, 'The office accepted it')
  // The task is theirs again, and its row says so.
  await page.evaluate(`location.hash = '#/'`)
  await says(page, /^The office accepted it: Cash .*78/)
  await line.click()
  await ok.first().click()
  await until('one answer to be read', async () => (await ok.count()) === 1)
  await ok.click()
  await page.getByRole('heading', { name: 'The office answered' }).waitFor({ state: 'detached' })
  await line.getByText('All sent', { exact: true }).waitFor()
  assert.equal((await look()).leftToBePaid, 0)

  wire.cut()
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
  await line.getByText('No connection').waitFor()
  await says(page, 'All sent')
})
