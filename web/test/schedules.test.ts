import assert from 'node:assert/strict'
import { addDays } from '../../core/day-range.ts'
import { dayOf } from '../../core/task-day.ts'
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

test('a template fills a new task, what is typed is kept as one, and they are renamed, replaced and deleted', async (t) => {
  const console = await startConsole(t)
  const say = recordSayIn('en')
  const page = await console.open('/?view=table')
  const dialog = page.getByRole('dialog').last()
  const button = (word: Parameters<typeof say>[0]) => dialog.getByRole('button', { name: say(word), exact: true })
  await page.getByRole('button', { name: 'New task' }).first().waitFor()
  await page.keyboard.press('n')
  await dialog.getByLabel('Customer name', { exact: true }).fill('Ana Pop')
  await dialog.getByLabel('Details', { exact: true }).fill('Four crates')
  await button('saveAsTemplate').click()
  await dialog.getByLabel(say('name'), { exact: true }).fill('Market')
  await assertDialogAccessible(page, 'a new template')
  await page.keyboard.press('Enter')
  await page.getByText(say('templateSaved')).waitFor()
  const kept = async () => (await console.get('/taskTemplates')).body.templates
  assert.deepEqual((await kept())[0].task, {
    customer: { name: 'Ana Pop', email: null },
    details: 'Four crates',
  })

  await dialog.getByLabel('Details', { exact: true }).fill('')
  await dialog.getByLabel('Customer name', { exact: true }).fill('')
  await dialog.getByLabel(say('template')).selectOption({ label: 'Market' })
  await until(
    'the template in the form',
    async () => (await dialog.getByLabel('Details', { exact: true }).inputValue()) === 'Four crates',
  )
  await dialog.getByLabel('Details', { exact: true }).fill('Five crates')
  await button('saveAsTemplate').click()
  await dialog.getByText(say('templateExists')).waitFor()
  await button('replaceTemplate').click()
  await until('it is replaced', async () => (await kept())[0].task.details === 'Five crates')
  assert.equal((await kept()).length, 1)

  await dialog.getByLabel('Address', { exact: true }).fill('Piața Obor, București')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await until('the task', async () => {
    const { tasks } = (await console.get('/tasks')).body
    return tasks[0]?.customer?.name === 'Ana Pop' && tasks[0].details === 'Five crates'
  })

  await page.goto(`${console.url}/schedules`)
  await page.getByRole('button', { name: say('templatesItem') }).click()
  const more = (name: string) => page.getByRole('button', { name: `More: ${name}` })
  await more('Market').click()
  await page.getByRole('menuitem', { name: say('rename') }).click()
  await dialog.getByLabel(say('name'), { exact: true }).fill('Market on Mondays')
  await page.keyboard.press('Enter')
  await more('Market on Mondays').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await button('delete').click()
  await page.getByText(say('noTemplates')).waitFor()
  assert.deepEqual(await kept(), [])
})

test('a day of regular work is skipped and taken back, holidays say why a day is left out, and one day off becomes a working day', async (t) => {
  const console = await startConsole(t)
  const say = recordSayIn('en')
  const zone = (await console.get('/company')).body.company.timezone
  const day = (days: number) => addDays(dayOf(Date.now(), zone), days)
  const { schedule } = (
    await console.post('/schedules', {
      name: 'Market',
      task: aTask(),
      repeats: { every: 'day' },
      awbPrefix: 'M',
      daysAhead: 3,
      skipHolidays: true,
    })
  ).body
  await console.makeRound('scheduling')
  const awbOf = (days: number) => `M-${day(days).replaceAll('-', '')}`
  const page = await console.open('/schedules')
  await page.getByRole('button', { name: 'More: Market' }).click()
  await page.getByRole('menuitem', { name: say('daysItem') }).click()
  const dialog = page.getByRole('dialog', { name: say('daysOf', { name: 'Market' }) })
  const rowOf = (days: number) => dialog.locator(`[data-day="${day(days)}"]`)
  await rowOf(2)
    .getByRole('link', { name: awbOf(2) })
    .waitFor()
  await rowOf(5).getByText(say('toBeMade')).waitFor()
  await assertDialogAccessible(page, 'the days of regular work')

  await rowOf(2)
    .getByRole('button', { name: say('skipDay') })
    .click()
  await rowOf(2).getByText(say('daySkipped')).waitFor()
  assert.deepEqual((await console.get(`/schedules/${schedule.id}`)).body.schedule.skips, [day(2)])
  assert.equal((await console.get(`/tasks/awb/${awbOf(2)}`)).status, 404)
  await rowOf(2)
    .getByRole('button', { name: say('takeSkipBack') })
    .press('Enter')
  await rowOf(2).getByText(say('toBeMade')).waitFor()
  await console.makeRound('scheduling')
  await rowOf(2)
    .getByRole('link', { name: awbOf(2) })
    .waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: say('holidaysItem') }).click()
  const holidays = page.getByRole('dialog', { name: say('holidays') })
  await holidays.getByLabel(say('dayOff')).fill(day(3))
  await holidays.getByLabel(say('name'), { exact: true }).fill('Stock-taking')
  await holidays.getByRole('button', { name: say('addHoliday') }).click()
  const own = holidays.getByRole('listitem').filter({ hasText: 'Stock-taking' })
  await own.getByText(say('ownHoliday')).waitFor()
  await assertDialogAccessible(page, 'holidays')
  await page.keyboard.press('Escape')
  await console.makeRound('scheduling')
  await page.getByRole('button', { name: 'More: Market' }).click()
  await page.getByRole('menuitem', { name: say('daysItem') }).click()
  await rowOf(3).getByText('Stock-taking').waitFor()
  assert.equal(await rowOf(3).getByRole('button').count(), 0, 'a day off is changed among the holidays')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: say('holidaysItem') }).click()
  await own.getByRole('button', { name: /^Delete/ }).click()
  await own.waitFor({ state: 'detached' })
  // Of the year after the next, so that none is over.
  const year = Number(day(0).slice(0, 4)) + 1
  await holidays.getByLabel(say('year')).selectOption(String(year))
  const christmas = holidays.locator(`[data-day="${year}-12-25"]`)
  await christmas.getByRole('button', { name: say('workThatDay') }).click()
  await christmas.getByText(say('isWorkingDay')).waitFor()
  await christmas.getByRole('button', { name: say('offAgain') }).click()
  await christmas.getByRole('button', { name: say('workThatDay') }).waitFor()
})

test('a task says of which regular work it is, and leads to editing this one or the rest', async (t) => {
  const console = await startConsole(t)
  const say = recordSayIn('en')
  const rule = { repeats: { every: 'day' }, awbPrefix: 'M', daysAhead: 2 }
  const { schedule } = (await console.post('/schedules', { name: 'Market', task: aTask(), ...rule })).body
  await console.makeRound('scheduling')
  const [task] = (await console.get('/tasks')).body.tasks
  const page = await console.open(`/?view=table&task=${task.id}`)
  const panel = page.locator('[data-panel]')
  await panel.getByRole('heading', { name: say('partOf', { name: 'Market' }) }).waitFor()
  await panel.getByRole('button', { name: say('editThisOne') }).click()
  await page.getByRole('dialog', { name: new RegExp(task.awb) }).waitFor()
  await page.keyboard.press('Escape')
  await panel.getByRole('link', { name: say('editTheRest') }).click()
  const dialog = page.getByRole('dialog', { name: say('editSchedule') })
  await dialog.getByLabel(say('details')).fill('Five crates')
  await dialog.getByRole('button', { name: say('save') }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).search, '')
  const details = async () => (await console.get('/tasks')).body.tasks.map((one: { details: string }) => one.details)
  assert.deepEqual([...new Set(await details())], ['Five crates'])

  await console.delete(`/schedules/${schedule.id}`)
  await page.goto(`${console.url}/?view=table&task=${task.id}`)
  await panel.getByText(say('partOfEnded')).waitFor()
})
