import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InTransit, Succeeded } from '../../../core/task-status.ts'
import { driverWith, plannedAt, taskWith } from '../../test/a-task.ts'
import { loadsOf } from './driver-load.ts'
import { byDuty, findDrivers } from './driver-order.ts'

const now = Date.parse('2026-11-15T09:00:00Z')

test("a driver's next task is the one in transit, else the first of the route, else the first window to end", () => {
  const before = (completeBefore: string) => ({ userId: 7, completeBefore })
  const late = taskWith({ id: 1, ...before('2026-11-15T12:00:00Z') })
  const early = taskWith({ id: 2, ...before('2026-11-15T11:00:00Z') })
  const planned = taskWith({ id: 3, userId: 7, route: plannedAt('2026-11-15T15:00:00Z') })
  const moving = taskWith({ id: 4, userId: 7, statusId: InTransit })
  const next = (...tasks: Parameters<typeof loadsOf>[0]) => loadsOf(tasks, now).get(7)?.next?.id
  assert.equal(next(late, early), 2)
  assert.equal(next(late, early, planned), 3)
  assert.equal(next(late, planned, moving, early), 4)
})

test('the load of each driver counts done, open and risky tasks', () => {
  const loads = loadsOf(
    [
      taskWith({ id: 1, userId: 7, statusId: Succeeded }),
      taskWith({ id: 2, userId: 7, completeBefore: '2026-11-15T08:00:00Z' }),
      taskWith({ id: 3, userId: 8 }),
      taskWith({ id: 4 }),
    ],
    now,
  )
  const { done, total, late, open } = loads.get(7)!
  assert.deepEqual([done, total, late, open.length], [1, 2, 1, 1])
  assert.deepEqual([...loads.keys()], [7, 8], 'a task without a driver is nobody’s load')
})

test('drivers are found by words of name and team; those on duty come first', () => {
  const ana = driverWith({ id: 1, name: 'Ana Țurcanu', inShift: false })
  const dan = driverWith({ id: 2, name: 'Dan', driverTeams: [{ id: 3, name: 'Nord' }] as never })
  assert.deepEqual(findDrivers([ana, dan], 'turc'), [ana])
  assert.deepEqual(findDrivers([ana, dan], 'nord dan'), [dan])
  assert.deepEqual([ana, dan].sort(byDuty), [dan, ana])
})
