import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failed, Succeeded } from '../../core/task-status.ts'
import { plannedAt, taskWith } from '../test/a-task.ts'
import { riskOf } from './risk.ts'

const end = '2026-11-15T12:00:00Z'
const at = (time: string) => Date.parse(`2026-11-15T${time}Z`)
const risk = (changes: Parameters<typeof taskWith>[0], time: string) =>
  riskOf(taskWith({ completeBefore: end, ...changes }), at(time))

test('an open task is late once its window has ended, and not at its last moment', () => {
  assert.equal(risk({ userId: 7 }, '12:00:00'), 'none')
  assert.equal(risk({ userId: 7 }, '12:00:01'), 'late')
  assert.equal(risk({ completeBefore: null }, '23:00:00'), 'none')
})

test('an unassigned task becomes risky 45 minutes before its window ends', () => {
  assert.equal(risk({}, '11:15:00'), 'none')
  assert.equal(risk({}, '11:15:01'), 'risky')
  assert.equal(risk({ userId: 7 }, '11:59:00'), 'none', 'who has it may still be on time')
})

test('a task planned for after its window is risky as soon as it is planned', () => {
  assert.equal(risk({ userId: 7, route: plannedAt('2026-11-15T12:00:01Z') }, '08:00:00'), 'risky')
  assert.equal(risk({ userId: 7, route: plannedAt('2026-11-15T12:00:00Z') }, '08:00:00'), 'none')
})

test('whether an ended task was late does not depend on the current time', () => {
  assert.equal(risk({ statusId: Succeeded, completedAt: '2026-11-15T11:59:00Z' }, '18:00:00'), 'none')
  assert.equal(risk({ statusId: Succeeded, completedAt: '2026-11-15T12:00:01Z' }, '12:00:02'), 'late')
  assert.equal(risk({ statusId: Failed }, '18:00:00'), 'none')
})
