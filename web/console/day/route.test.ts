import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InTransit, Succeeded } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { plannedAt, taskWith } from '../../test/a-task.ts'
import { countStops, routeOf } from './route.ts'

const soon = '2026-11-15T10:00:00.000Z'
const mine = (id: number, lat: number, changes: Partial<Task> = {}) =>
  taskWith({ id, userId: 7, address: { ...taskWith().address, lat }, ...changes })
const planned = (id: number, lat: number, position: number) => mine(id, lat, { route: plannedAt(soon, position) })

test('a route is what is left of it: in transit, then as planned, then by window, and neighbours at one door are one stop', () => {
  const route = routeOf(
    [
      mine(1, 44.5, { completeBefore: '2026-11-15T12:00:00.000Z' }),
      mine(2, 44.6, { completeBefore: '2026-11-15T11:00:00.000Z' }),
      planned(3, 44.2, 9),
      planned(4, 44.1, 8),
      planned(5, 44.1, 7),
      mine(6, 44.3, { statusId: InTransit }),
      planned(7, 44.1, 10),
      mine(8, 44.1, { statusId: Succeeded, completedAt: soon }),
      taskWith({ id: 9, userId: 8 }),
    ],
    7,
  )
  assert.deepEqual(
    route.map(({ task, number }) => `${task.id} ${number}`),
    ['6 1', '5 2', '4 2', '3 3', '7 4', '2 undefined', '1 undefined'],
  )
  assert.equal(countStops(route), 6)
})
