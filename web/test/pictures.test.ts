import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDriver } from '../../server/test/factories.ts'
import { makePng, photo } from '../../server/test/pictures.ts'
import { startConsole, test } from './console.ts'
import { inOneGo } from './steps.ts'

const png = { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(makePng(120, 80, { alpha: 120 })) }

test('pictures', async (t) => {
  const server = await startConsole(t)
  const page = await server.open('/settings')
  const step = inOneGo(t)

  await step(
    'an admin uploads a logo, sees it everywhere, and removes it; what is no picture is refused in a sentence',
    async () => {
      const field = page.getByLabel('Logo', { exact: true })
      const save = page.getByRole('button', { name: 'Save' })
      const logo = async () => (await server.get('/company')).body.company.logo as string

      await field.setInputFiles({ ...png, name: 'plan.pdf', mimeType: 'application/pdf' })
      await page.getByText('Choose a JPEG, PNG or WebP picture').waitFor()
      // A file, because content would reach the browser as one long message.
      const large = join(tmpdir(), 'large.png')
      await writeFile(large, Buffer.alloc(10 * 1024 * 1024 + 1))
      t.after(() => rm(large))
      await field.setInputFiles(large)
      await page.getByText('Choose a picture of at most 10 MB').waitFor()
      // It only says that it is one; the server looks inside.
      await field.setInputFiles({ ...png, buffer: Buffer.from('Not at all a picture') })
      await page.getByText('Choose a JPEG, PNG or WebP picture').waitFor()
      assert.equal(await page.getByRole('img', { name: 'Logo' }).count(), 0)

      await field.setInputFiles(png)
      await page.getByRole('img', { name: 'Logo' }).waitFor()
      assert.equal(await page.getByText('Choose a JPEG, PNG or WebP picture').count(), 0)
      assert.equal(await logo(), '')
      await save.click()
      await page.getByText('Settings saved').waitFor()
      const path = await logo()
      assert.match(path, /^\/files\//)
      await page.locator(`nav img[src^="${path}"]`).waitFor()

      await page.getByRole('button', { name: 'Remove picture' }).click()
      await save.click()
      await page.locator('nav img').waitFor({ state: 'detached' })
      assert.equal(await logo(), '')
    },
  )

  await step('a driver gets a picture, which the list shows', async () => {
    const driver = await makeDriver(server, { name: 'Ana Radu' })
    await page.getByRole('link', { name: 'Drivers', exact: true }).click()
    await page.getByRole('button', { name: 'More: Ana Radu' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const file = { name: 'ana.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(photo) }
    await page.getByLabel('Picture', { exact: true }).setInputFiles(file)
    await page.getByRole('img', { name: 'Picture' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { users } = (await server.get('/drivers')).body
    const { avatar } = users.find(({ id }: { id: number }) => id === driver.id)
    await page.locator(`table img[src^="${avatar}"]`).waitFor()
  })
})
