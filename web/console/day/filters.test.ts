import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assigned, Succeeded, Unassigned } from '../../../core/task-status.ts'
import type { Task } from '../../api/data.ts'
import { idsOf, taskWith } from '../../test/a-task.ts'
import { type Filters, filterTasks, readFilters } from './filters.ts'

const now = Date.parse('2026-11-15T09:00:00Z')
const teams = new Map([[7, new Set([3])]])
const find = (tasks: Task[], filters: Filters) => filterTasks(tasks, filters, now, teams)

test('of an edited or old address, valid filters are kept and the others dropped', () => {
  assert.deepEqual(readFilters({ view: 'board', day: '2026-11-15', q: 'ana', status: '6', driver: 7, risk: 1 }), {
    view: 'board',
    day: '2026-11-15',
    q: 'ana',
    status: 6,
    driver: 7,
    risk: true,
  })
  assert.deepEqual(
    readFilters({ view: 'list', day: 'tomorrow', status: 2, driver: -1, team: '1.5', task: 'x', q: '' }),
    {},
  )
  assert.deepEqual(readFilters({ q: 123 }), { q: '123' }, 'a search for digits arrives as a number')
})

test('a search finds words in any order, without accents, in every field that identifies a task', () => {
  const task = taskWith({
    awb: 'KM-12',
    address: { ...taskWith().address, address: 'Șos. Pipera 4' },
    customer: { name: 'Ioana Țurcanu', phone: '+40712345678' } as Task['customer'],
  })
  for (const q of ['sos pipera', 'PIPERA șos', 'turcanu km-12', '0712', ''])
    assert.equal(find([task], { q }).tasks.length, 1, q)
  assert.deepEqual(find([task], { q: 'pipera victoriei' }).tasks, [], 'every word has to be there')
})

test('the counts next to the states do not depend on which state is selected', () => {
  const tasks = [
    taskWith({ id: 1 }),
    taskWith({ id: 2, userId: 7 }),
    taskWith({ id: 3, userId: 8 }),
    taskWith({ id: 4, statusId: Succeeded, userId: 7 }),
  ]
  const { tasks: shown, counts } = find(tasks, { status: Assigned })
  assert.deepEqual(idsOf(shown), [2, 3])
  assert.deepEqual([counts[Unassigned], counts[Assigned], counts[Succeeded]], [1, 2, 1])
  assert.deepEqual(find(tasks, { status: Assigned, driver: 7 }).counts[Assigned], 1, 'but on every other filter')
})

test('the filter for a team shows its own tasks and those of its drivers', () => {
  const tasks = [
    taskWith({ id: 1, teamId: 3 }),
    taskWith({ id: 2, userId: 7 }),
    taskWith({ id: 3, userId: 8 }),
    taskWith({ id: 4 }),
  ]
  assert.deepEqual(idsOf(find(tasks, { team: 3 }).tasks), [1, 2])
})

test('the filter for risk shows tasks that are late or may become late', () => {
  const tasks = [
    taskWith({ id: 1, completeBefore: '2026-11-15T08:00:00Z', userId: 7 }),
    taskWith({ id: 2, completeBefore: '2026-11-15T09:10:00Z' }),
    taskWith({ id: 3, completeBefore: '2026-11-15T18:00:00Z' }),
    taskWith({
      id: 4,
      completeBefore: '2026-11-15T08:00:00Z',
      statusId: Succeeded,
      completedAt: '2026-11-15T08:30:00Z',
    }),
  ]
  assert.deepEqual(idsOf(find(tasks, { risk: true }).tasks), [1, 2])
})

test('tasks that need a hand alike are sorted by the end of their window, those without one last, then by number', () => {
  const tasks = [
    taskWith({ id: 5 }),
    taskWith({ id: 4, completeBefore: '2026-11-15T12:00:00Z' }),
    taskWith({ id: 3, completeAfter: '2026-11-15T10:00:00Z' }),
    taskWith({ id: 2, completeBefore: '2026-11-15T12:00:00Z' }),
    taskWith({ id: 1, completeAfter: '2026-11-15T08:00:00Z', completeBefore: '2026-11-15T16:00:00Z' }),
  ]
  assert.deepEqual(idsOf(find(tasks, {}).tasks), [3, 2, 4, 1, 5])
})

test('a task that a partner has is counted as in good hands, and found by the partner and its AWB', () => {
  const ours = taskWith({ id: 1 })
  const given = taskWith({ id: 2, side: 'owner', ownerId: 1, fulfillerId: 9, partnerAwbs: ['THEIRS-77'] })
  const received = taskWith({ id: 3, side: 'fulfiller', ownerId: 9, fulfillerId: 1 })
  const all = [ours, given, received]
  const { counts } = find(all, {})
  assert.deepEqual([counts[Unassigned], counts[Assigned]], [2, 1])
  assert.deepEqual(idsOf(find(all, { status: Unassigned }).tasks), [1, 3])
  assert.deepEqual(idsOf(find(all, { status: Assigned }).tasks), [2])
  assert.deepEqual(idsOf(find(all, { partner: 9 }).tasks).toSorted(), [2, 3])
  assert.deepEqual(idsOf(find(all, { partner: 1 }).tasks).toSorted(), [2, 3], 'ours alone are shared with nobody')
  assert.deepEqual(idsOf(find(all, { q: 'theirs-77' }).tasks), [2])
})
