import assert from 'node:assert/strict'
import { amountsOf, tellNumbers } from '../../server/test/proofs.ts'
import { test } from './console.ts'
import { startDriver } from './driver.ts'

test('an app that is closed and opened again and again opens each time', async (t) => {
  const { openings } = amountsOf('openings')
  const { signedIn } = await startDriver(t)
  const phone = await signedIn()
  const notOpened: number[] = []
  for (let n = 1; n <= openings; n += 1) {
    // As soon as it is there it is closed, while it still loads what it needs later.
    const page = await phone.reopen()
    await page
      .getByRole('switch')
      .waitFor({ timeout: 30_000 })
      .catch(() => notOpened.push(n))
  }
  tellNumbers(t, 'openings', { openings })
  assert.deepEqual(notOpened, [])
})
