import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../server/test/until.ts'
import { assertAccessible } from './axe.ts'
import { letGo, says, startDriver, tap } from './driver.ts'

test('three parcels for one door are started, reached and completed together, and each is paid by itself', async (t) => {
  const address = { address: 'Strada Lipscani 12', lat: 44.4323, lng: 26.1004 }
  const customers = { 'P-1': 'Ana Marin', 'P-2': 'Ana Marin', 'P-3': 'Dan Rusu' }
  const { look, signedIn } = await startDriver(t, Object.keys(customers), (awb) => ({
    address,
    customer: { name: customers[awb as keyof typeof customers], phone: awb === 'P-3' ? '0722000222' : '0722000111' },
    totalPrice: awb === 'P-2' ? 0 : 20,
  }))
  const { page } = await signedIn()
  await says(page, '3 parcels')
  await tap(page, 'Start')
  await page.getByText('To collect in all').waitFor()
  await tap(page, 'I have arrived')
  await tap(page, 'Complete all together')
  await assertAccessible(page, 'completing three parcels')
  for (const method of await page.getByText('Cash', { exact: true }).all()) await method.click()
  await tap(page, 'Complete 3 parcels')
  await says(page, '3 parcels completed. They are sent in a few seconds.')
  await tap(page, 'Undo')
  await tap(page, 'Complete 3 parcels')
  await says(page, '3 parcels completed. They are sent in a few seconds.')
  await letGo(page)
  await until('the server to have all', async () => (await look('P-3')).statusId === 9)
  const tasks = await Promise.all(Object.keys(customers).map(look))
  assert.deepEqual(
    tasks.map(({ statusId, leftToBePaid }) => [statusId, leftToBePaid ?? 0]),
    [
      [9, 0],
      [9, 0],
      [9, 0],
    ],
  )
})

test('one parcel that is refused among those completed together is said by name and amount, and keeps none of the others', async (t) => {
  const address = { address: 'Strada Lipscani 12', lat: 44.4323, lng: 26.1004 }
  const awbs = ['P-1', 'P-2', 'P-3']
  const { look, signedIn, server, wire } = await startDriver(t, awbs, () => ({ address, totalPrice: 20 }))
  const { page } = await signedIn()
  await tap(page, 'Start')
  await tap(page, 'I have arrived')
  await until('the arrival', async () => (await look('P-3')).arrivalTime !== null)
  await says(page, 'All sent')
  wire.cut()
  // Meanwhile the office finds out that one of them costs more.
  await server.put('/tasks/awb/P-2', { totalPrice: 50 })
  await tap(page, 'Complete all together')
  await page.getByText('Cash', { exact: true }).nth(2).waitFor()
  for (const method of await page.getByText('Cash', { exact: true }).all()) await method.click()
  await tap(page, 'Complete 3 parcels')
  await letGo(page)
  await says(page, /not sent yet/)
  wire.mend()
  await page.evaluate(`window.dispatchEvent(new Event('online'))`)
  await until('the others', async () => (await look('P-1')).statusId === 9 && (await look('P-3')).statusId === 9)
  await page.evaluate(`location.hash = '#/waiting'`)
  await says(page, /^Cash .*20.* · P-2$/)
  await says(page, 'Completed · P-2')
  assert.equal(await page.getByText(/P-1|P-3/).count(), 0)
  const { statusId, leftToBePaid } = await look('P-2')
  assert.deepEqual([statusId, leftToBePaid], [7, 50])
  assert.deepEqual([(await look('P-1')).leftToBePaid ?? 0, (await look('P-3')).leftToBePaid ?? 0], [0, 0])
})
