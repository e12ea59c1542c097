import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Succeeded } from '../../core/task-status.ts'
import type { Task } from '../api/data.ts'
import { taskWith } from '../test/a-task.ts'
import { mergeTasks, replaceTasks } from './merge.ts'

const [day, zone] = ['2026-11-20', 'Europe/Bucharest']
const window = { completeAfter: '2026-11-20T08:00:00Z', completeBefore: '2026-11-20T10:00:00Z' }
const known = (changes: Partial<Task>) => taskWith({ ...window, ...changes })
const merge = (tasks: Task[], ...changes: (Task | number)[]) => {
  const changed = new Map(changes.map((one) => (typeof one === 'number' ? [one, undefined] : [one.id, one])))
  return mergeTasks(tasks, changed, day, zone).map(({ id, details }) => `${id} ${details}`.trim())
}

test('a changed task keeps its place in the list, a new one comes last, a deleted one is removed', () => {
  const list = [known({ id: 1 }), known({ id: 2 }), known({ id: 3 })]
  assert.deepEqual(merge(list, known({ id: 2, details: 'new' }), known({ id: 4 }), 1), ['2 new', '3', '4'])
})

test('an event older than the task in the list changes nothing; one from the same moment does', () => {
  const list = [known({ id: 1, details: 'ours', updatedAt: '2026-11-15T08:00:01.000Z' })]
  assert.deepEqual(merge(list, known({ id: 1, details: 'old', updatedAt: '2026-11-15T08:00:00.999Z' })), ['1 ours'])
  assert.deepEqual(merge(list, known({ id: 1, details: 'same', updatedAt: '2026-11-15T08:00:01.000Z' })), ['1 same'])
})

test('a task moved to another day leaves the list, and a task of another day is not added', () => {
  const moved = { completeAfter: '2026-11-21T08:00:00Z', completeBefore: '2026-11-21T10:00:00Z' }
  assert.deepEqual(merge([known({ id: 1 }), known({ id: 2 })], taskWith({ id: 1, ...moved })), ['2'])
  assert.deepEqual(merge([], taskWith({ id: 3, ...moved })), [])
  const ended = { statusId: Succeeded, completedAt: '2026-11-20T22:30:00Z' }
  assert.deepEqual(merge([known({ id: 1 })], known({ id: 1, ...ended })), [], 'it ended after midnight')
})

test('a list of any days keeps a task that moved to another day, and gets no others', () => {
  const moved = known({ id: 1, completeAfter: '2026-11-21T08:00:00Z', completeBefore: '2026-11-21T10:00:00Z' })
  const list = [known({ id: 1 }), known({ id: 2 }), known({ id: 3 })]
  const changed = new Map([
    [1, moved],
    [2, undefined],
    [4, known({ id: 4 })],
  ])
  assert.deepEqual(replaceTasks(list, changed), [moved, list[2]])
})

test('without changes the list stays the same object, so that no row is drawn again', () => {
  const list = [known({ id: 1 }), known({ id: 2 })]
  const merged = mergeTasks(list, new Map([[2, known({ id: 2, details: 'new' })]]), day, zone)
  assert.equal(merged[0], list[0])
})
