import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failed, InTransit, Succeeded } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { idsOf, plannedAt, taskWith } from '../../test/a-task.ts'
import { sortTasks } from './sorting.ts'

const now = Date.parse('2026-11-15T09:00:00Z')
const at = (time: string) => `2026-11-15T${time}:00.000Z`
const sorted = (tasks: Task[], wanted: Parameters<typeof sortTasks>[1] = {}, conflicts: number[] = []) =>
  idsOf(sortTasks(tasks, wanted, now, new Set(conflicts)))

test('the list begins with what needs a hand, and ends with what is done', () => {
  const tasks = [
    taskWith({ id: 1, statusId: Succeeded, userId: 7, completedAt: at('08:00') }),
    taskWith({ id: 2, userId: 7 }),
    taskWith({ id: 3, statusId: Failed, userId: 7, completedAt: at('08:00') }),
    taskWith({ id: 4, completeBefore: at('18:00') }),
    taskWith({ id: 5, completeBefore: at('12:00') }),
    taskWith({ id: 6, userId: 7, completeBefore: at('10:00'), route: plannedAt(at('10:30')) as Task['route'] }),
    taskWith({ id: 7, userId: 7, completeBefore: at('08:30') }),
    taskWith({ id: 8, userId: 7 }),
  ]
  assert.deepEqual(sorted(tasks, {}, [8]), [8, 7, 6, 5, 4, 3, 2, 1])
})

test('the list of a driver is in the order of their route', () => {
  const on = (id: number, position: number) =>
    taskWith({ id, userId: 7, route: plannedAt(at('12:00'), position) as Task['route'] })
  const tasks = [
    taskWith({ id: 1, userId: 7, statusId: Succeeded, completedAt: at('08:00') }),
    on(2, 3),
    on(3, 2),
    taskWith({ id: 4, userId: 7, completeBefore: at('08:30') }),
    taskWith({ id: 5, userId: 7, statusId: InTransit }),
  ]
  assert.deepEqual(sorted(tasks, { driver: 7 }), [5, 3, 2, 4, 1])
  assert.deepEqual(sorted(tasks, { driver: 7, sort: 'window' }), [4, 2, 3, 5, 1], 'unless another order is wanted')
})

test('a list is sorted by window, arrival, address or driver, and what is done stays last', () => {
  const address = (text: string) => ({ ...taskWith().address, address: text })
  const user = (id: number, name: string) => ({ userId: id, user: { id, name } as Task['user'] })
  const done = taskWith({
    id: 1,
    statusId: Succeeded,
    completedAt: at('08:00'),
    completeBefore: at('08:30'),
    ...user(7, 'Ana'),
  })
  const tasks = [
    done,
    taskWith({ id: 2, address: address('Șoseaua Lungă 10'), completeBefore: at('16:00') }),
    taskWith({
      id: 3,
      address: address('Soseaua Lunga 9'),
      completeBefore: at('12:00'),
      etaAt: at('11:50'),
      ...user(8, 'Ștefan'),
    }),
    taskWith({ id: 4, address: address('Aleea Rozelor 1'), etaAt: at('10:00'), ...user(7, 'Ana') }),
  ]
  assert.deepEqual(sorted(tasks, { sort: 'window' }), [3, 2, 4, 1])
  assert.deepEqual(sorted(tasks, { sort: 'eta' }), [4, 3, 2, 1])
  assert.deepEqual(sorted(tasks, { sort: 'address' }), [4, 3, 2, 1])
  assert.deepEqual(sorted(tasks, { sort: 'driver' }), [4, 3, 2, 1])
})
