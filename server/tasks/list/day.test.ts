import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Task } from '../../../contract/task.ts'
import { isOfDay, isOfToday } from '../../../core/task-day.ts'
import { endOfDay } from '../../../core/time.ts'
import { sql } from '../../db/sql.ts'
import { aTask, makeDriver, signIn } from '../../test/factories.ts'
import { request, startServer } from '../../test/server.ts'
import { isOfToday as isOfTodayInSql } from '../read/conditions.ts'

/*
 * The rules which tasks belong to a day, and to a driver's today, exist twice: in core, for the pages, and in SQL, for
 * lists and routes. Here both decide the same cases, including the first and the last moment of a day.
 */

const zone = 'Europe/Bucharest'
const dayAt = (days: number) => Temporal.Now.plainDateISO(zone).add({ days })
const first = (days: number) => `${dayAt(days)} 00:00:00`
const last = (days: number) => `${dayAt(days)} 23:59:59.999`
const days = [-1, 0, 1, 2] as const

type State = 'open' | 'started' | 'succeeded' | 'failed'
interface Case {
  window?: { completeAfter?: string; completeBefore?: string }
  state?: State
  /** The days on which it is listed. */
  on: readonly (typeof days)[number][]
}

const cases: Record<string, Case> = {
  ANYTIME: { on: [0] },
  'FROM-THE-START-OF-TODAY': { window: { completeAfter: first(0) }, on: [0] },
  'FROM-THE-END-OF-TODAY': { window: { completeAfter: last(0) }, on: [0] },
  'FROM-THE-START-OF-TOMORROW': { window: { completeAfter: first(1) }, on: [1] },
  'FROM-THE-END-OF-TOMORROW': { window: { completeAfter: last(1) }, on: [1] },
  'LEFT-FROM-YESTERDAY': { window: { completeAfter: first(-1) }, on: [-1, 0] },
  'BY-THE-END-OF-YESTERDAY': { window: { completeBefore: last(-1) }, on: [-1, 0] },
  'BY-THE-START-OF-TOMORROW': { window: { completeBefore: first(1) }, on: [0, 1] },
  'TODAY-TO-THE-NEXT-DAY-BUT-ONE': { window: { completeAfter: last(0), completeBefore: first(2) }, on: [0, 1, 2] },
  'YESTERDAY-TO-TOMORROW': { window: { completeAfter: last(-1), completeBefore: first(1) }, on: [-1, 0, 1] },
  'STARTED-TODAY-FOR-TOMORROW': { window: { completeAfter: first(1) }, state: 'started', on: [0, 1] },
  'SUCCEEDED-TODAY-FOR-TOMORROW': { window: { completeAfter: first(1) }, state: 'succeeded', on: [0] },
  'FAILED-TODAY-FOR-YESTERDAY': { window: { completeAfter: first(-1) }, state: 'failed', on: [0] },
}

test('the pages and the list agree on which day a task is shown', async (t) => {
  const server = await startServer(t)
  const driver = await makeDriver(server)
  const token = await signIn(server, driver)
  for (const [awb, { window, state = 'open' }] of Object.entries(cases)) {
    const { task } = (await server.post('/tasks', aTask({ awb, userId: driver.id, ...window }))).body
    if (state === 'started')
      for (const verb of ['accept', 'start'])
        await request(server.url, 'POST', `/api/v1/driver/tasks/${task.id}/${verb}`, { key: token })
    if (state === 'succeeded' || state === 'failed')
      await server.put(`/tasks/awb/${awb}/forceComplete`, { success: state === 'succeeded' })
  }
  const tasks: Task[] = (await server.get('/tasks')).body.tasks

  const today = dayAt(0).toString()
  for (const offset of days) {
    const day = dayAt(offset).toString()
    const wanted = Object.keys(cases).filter((awb) => cases[awb]?.on.includes(offset))
    const listed: Task[] = (await server.get(`/tasks?day=${day}`)).body.tasks
    const shown = tasks.filter((task) => isOfDay(task, day, today, zone))
    assert.deepEqual(
      listed.map(({ awb }) => awb),
      wanted,
      `the list of day ${offset}`,
    )
    assert.deepEqual(
      shown.map(({ awb }) => awb),
      wanted,
      `the page of day ${offset}`,
    )
  }
  for (const from of days)
    for (const to of days.filter((one) => one >= from)) {
      const wanted = Object.values(cases).filter(({ on }) => on.some((day) => from <= day && day <= to))
      const { body } = await server.get(`/reports/tasks?from=${dayAt(from)}&to=${dayAt(to)}`)
      assert.equal(body.tasks, wanted.length, `the report of days ${from} to ${to}`)
    }
  const isEnded = (awb: string) => /succeeded|failed/.test(cases[awb]?.state ?? '')
  const wanted = Object.keys(cases).filter((awb) => cases[awb]?.on.includes(0) && !isEnded(awb))
  const ofToday = await server.database.everyone.many<{ awb: string }>(sql`
    select t.awb from tasks t
    where t.organisation_id = ${server.organisationId} and ${isOfTodayInSql(endOfDay(new Date(), zone))}
    order by t.id`)
  assert.deepEqual(
    ofToday.map(({ awb }) => awb),
    wanted,
    "a driver's today, for the server",
  )
  assert.deepEqual(
    tasks.filter((task) => isOfToday(task, today, zone)).map(({ awb }) => awb),
    wanted,
    "a driver's today, for the phone",
  )
})
