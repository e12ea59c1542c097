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
