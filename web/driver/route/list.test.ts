import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assigned, InTransit, Succeeded } from '../../../core/task-status.ts'
import { listTasks } from './list.ts'

const zone = 'Europe/Bucharest'
const now = Date.parse('2026-11-17T10:00:00Z')
const task = (awb: string, given: object = {}) => ({
  awb,
  statusId: Assigned,
  completeAfter: null,
  completedAt: null,
  ...given,
})

test("the list has the tasks of the driver's today, and those of later days apart", () => {
  const { next, rest, later, done } = listTasks(
    [
      task('TOMORROW', { completeAfter: '2026-11-17T22:00:00.000Z' }),
      task('ANY TIME'),
      task('TONIGHT', { completeAfter: '2026-11-17T21:59:00.000Z' }),
      task('LEFT OVER', { completeAfter: '2026-11-15T08:00:00.000Z' }),
      task('BEGUN', { completeAfter: '2026-11-19T08:00:00.000Z', statusId: InTransit }),
      task('ENDED', { completedAt: '2026-11-17T08:00:00.000Z', statusId: Succeeded }),
    ],
    now,
    zone,
  )
  const awbs = (tasks: { awb: string }[]) => tasks.map(({ awb }) => awb)
  assert.equal(next?.awb, 'BEGUN')
  assert.deepEqual(awbs(rest), ['ANY TIME', 'TONIGHT', 'LEFT OVER'])
  assert.deepEqual([awbs(later), awbs(done)], [['TOMORROW'], ['ENDED']])
})
