import { aTask, makeDriver } from '../../server/test/factories.ts'
import { startConsole, test } from './console.ts'

test('the undo notice stays while the mouse or the focus is on it, and has a keyboard shortcut', async (t) => {
  const server = await startConsole(t, 'dispatcher')
  const ana = await makeDriver(server, { name: 'Ana Radu' })
  for (const awb of ['T-1', 'T-2', 'T-3']) await server.post('/tasks', aTask({ awb, userId: ana.id }))
  const page = await server.open('/?view=table', { fresh: true })
  const row = (awb: string) => page.getByRole('row').filter({ has: page.getByText(awb, { exact: true }) })
  const takeBack = async (awb: string) => {
    await row(awb).getByRole('checkbox').check()
    await page.keyboard.press('u')
    await row(awb).getByText('Unassigned').waitFor()
    await undo.waitFor()
  }
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  await row('T-1').waitFor()
  await page.clock.install()

  await takeBack('T-1')
  await undo.hover()
  await page.clock.fastForward(60_000)
  await undo.click()
  await row('T-1').getByText('Assigned', { exact: true }).waitFor()

  await takeBack('T-2')
  await undo.focus()
  await page.clock.fastForward(60_000)
  await page.keyboard.press('Enter')
  await row('T-2').getByText('Assigned', { exact: true }).waitFor()

  await takeBack('T-3')
  await undo.getByText('Ctrl+Z').waitFor()
  await page.keyboard.press('Control+z')
  await row('T-3').getByText('Assigned', { exact: true }).waitFor()

  await takeBack('T-1')
  await page.clock.fastForward(60_000)
  await undo.waitFor({ state: 'detached' })
})
