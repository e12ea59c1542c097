import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBeforeDay, isOfRoute } from './task-day.ts'
import { Assigned, InTransit, type StatusId, Succeeded } from './task-status.ts'

const zone = 'Europe/Bucharest'
const [monday, tuesday, wednesday] = ['2026-11-16', '2026-11-17', '2026-11-18'] as const

interface Case {
  after?: string
  before?: string
  plannedFor?: string
  statusId?: StatusId
  /** The days of whose route it is, on Monday. */
  on: string[]
}

const cases: Record<string, Case> = {
  'one without a window is of today': { on: [monday] },
  'one for tomorrow is of tomorrow': { after: '2026-11-17T09:00+02:00', on: [tuesday] },
  'one with only an end is of today, and of the day of its end': {
    before: '2026-11-17T09:00+02:00',
    on: [monday, tuesday],
  },
  'one for two days may be planned on either': {
    after: '2026-11-17T09:00+02:00',
    before: '2026-11-18T12:00+02:00',
    on: [tuesday, wednesday],
  },
  'one that is planned for Tuesday is not taken by a plan for Wednesday': {
    after: '2026-11-17T09:00+02:00',
    before: '2026-11-18T12:00+02:00',
    plannedFor: '2026-11-17T11:00+02:00',
    on: [tuesday],
  },
  'one that a plan brings only after midnight stays of its day': {
    after: '2026-11-17T09:00+02:00',
    before: '2026-11-17T12:00+02:00',
    plannedFor: '2026-11-18T00:30+02:00',
    on: [tuesday],
  },
  'one on its way is of today only': { after: '2026-11-17T09:00+02:00', statusId: InTransit, on: [monday] },
  'one that has ended is of no route': { after: '2026-11-16T09:00+02:00', statusId: Succeeded, on: [] },
}

for (const [name, { after, before, plannedFor, statusId = Assigned, on }] of Object.entries(cases))
  test(`of tasks, ${name}`, () => {
    const task = {
      statusId,
      completeAfter: after ?? null,
      completeBefore: before ?? null,
      plannedFor: plannedFor ?? null,
    }
    const days = [monday, tuesday, wednesday].filter((day) => isOfRoute(task, day, monday, zone))
    assert.deepEqual(days, on)
  })

test('in a route, what is of today and of days in between comes before a later day', () => {
  const open = { statusId: Assigned, completedAt: null, completeBefore: null, plannedFor: null }
  const before = (completeAfter: string | null, day: string) =>
    isBeforeDay({ ...open, completeAfter }, day, monday, zone)
  assert.deepEqual([before(null, wednesday), before('2026-11-17T09:00+02:00', wednesday)], [true, true])
  assert.equal(before('2026-11-19T09:00+02:00', wednesday), false)
  assert.equal(before(null, monday), false, 'nothing comes before today')
  const long = { ...open, completeAfter: '2026-11-17T09:00+02:00', completeBefore: '2026-11-19T12:00+02:00' }
  const isPlanned = (plannedFor: string) => isBeforeDay({ ...long, plannedFor }, wednesday, monday, zone)
  assert.equal(isPlanned('2026-11-19T09:00+02:00'), false, 'it is planned for a day after it')
  assert.equal(isPlanned('2026-11-17T09:00+02:00'), true)
  assert.equal(isPlanned('2026-11-20T00:30+02:00'), true, 'a day on which it may not be done')
})
