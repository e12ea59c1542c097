import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Succeeded } from '../../core/task-status.ts'
import { plannedAt, taskWith } from '../test/a-task.ts'
import { arrivalOf } from './arrival.ts'

const at = (time: string) => `2026-11-15T${time}:00.000Z`
const awaited = { userId: 7, etaAt: at('10:00'), completeBefore: at('10:30') }
const seen = (changes: Parameters<typeof taskWith>[0], time: string) =>
  arrivalOf(taskWith({ ...awaited, ...changes }), Date.parse(at(time)))

test('the arrival is the one the server expects, not the one that was planned', () => {
  const moved = seen({ route: plannedAt(at('09:15')) }, '09:00')
  assert.deepEqual(moved, { at: Date.parse(at('10:00')), isBehind: false, lateSeconds: 0 })
  assert.equal(seen({ etaAt: at('10:50') }, '09:00')?.lateSeconds, 20 * 60)
  assert.equal(seen({ etaAt: null }, '09:00'), undefined)
  assert.equal(
    arrivalOf(taskWith({ statusId: Succeeded, completedAt: at('10:00') }), Date.parse(at('11:00'))),
    undefined,
  )
})

test('time alone makes a driver fall behind and then be late', () => {
  assert.deepEqual(seen({}, '10:00')?.isBehind, false)
  assert.deepEqual([seen({}, '10:20')?.isBehind, seen({}, '10:20')?.lateSeconds], [true, 0])
  assert.equal(seen({}, '10:45')?.lateSeconds, 15 * 60)
  assert.equal(seen({ completeBefore: null }, '23:00')?.lateSeconds, 0)
})
