import assert from 'node:assert/strict'
import { aTask } from '../../server/test/factories.ts'
import { until } from '../../server/test/until.ts'
import { assertAccessible, assertDialogAccessible } from './axe.ts'
import { startConsole, test } from './console.ts'
import { recordSayIn } from './words.ts'

test('regular work is made on its page, shows its next dates while it is typed, and is paused and ended', async (t) => {
  const console = await startConsole(t)
  const say = recordSayIn('en')
  const page = await console.open('/schedules')
  await page.getByText(say('noSchedules')).waitFor()
  await assertAccessible(page, 'no regular work')

  await page
    .getByRole('button', { name: say('newSchedule') })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say('name'), { exact: true }).fill('Market')
  await dialog.getByLabel(say('address'), { exact: true }).fill('Piața Obor, București')
  await dialog.getByText('every weekday, from 09:00').waitFor()
  await dialog.getByLabel(say('repeatsEvery')).selectOption('month')
  await dialog.getByLabel(say('dayInMonth')).selectOption('-1')
  await dialog.getByLabel(say('onWeekdays')).selectOption('5')
  await dialog.getByLabel(say('beginsOn')).fill('2030-01-01')
  await dialog.getByText('every month on the last Friday, from 09:00').waitFor()
  await dialog.getByText('Fri, Jan 25, 2030').waitFor()
  await assertDialogAccessible(page, 'new regular work')
  await dialog.getByRole('button', { name: say('save') }).click()
  await page.getByRole('rowheader', { name: 'Market' }).waitFor()
  const { schedules } = (await console.get('/schedules')).body
  assert.deepEqual(schedules[0].repeats, { every: 'month', interval: 1, nth: { week: -1, weekday: 5 } })
  await assertAccessible(page, 'regular work')

  // Somebody else pauses it.
  await console.put(`/schedules/${schedules[0].id}`, { isPaused: true, task: aTask() })
  await page.getByRole('cell', { name: say('pausedNow') }).waitFor()
  await console.delete(`/schedules/${schedules[0].id}`)
  await page.getByText(say('noSchedules')).waitFor()
  await until('it is gone', async () => (await console.get('/schedules')).body.schedules.length === 0)
})
