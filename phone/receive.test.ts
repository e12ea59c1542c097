import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhoneChanges, PhoneTask } from '../contract/sync.ts'
import { Assigned, Succeeded } from '../core/task-status.ts'
import type { KeptTask } from './kept.ts'
import { receive } from './receive.ts'

const serverTime = '2026-11-16T12:00:00.000Z'
const own = { userId: 7 }

const task = (given: object = {}) =>
  ({
    id: 1,
    awb: 'A-1',
    statusId: Assigned,
    notes: [],
    dependencies: [],
    customFields: [],
    completedAt: null,
    address: { address: 'Strada Lipscani 12', lat: 44, lng: 26 },
    details: '',
    ...given,
  }) as unknown as PhoneTask

const kept = (given: object = {}, marks: Partial<KeptTask> = {}): KeptTask => ({
  id: 1,
  task: task(given),
  isNew: false,
  takenAt: null,
  ...marks,
})

const changes = (given: Partial<PhoneChanges> = {}) =>
  ({
    full: false,
    tasks: [],
    removed: [],
    order: [],
    user: { id: 7, company: { timezone: 'Europe/Bucharest' } },
    ...given,
  }) as unknown as PhoneChanges

const marksOf = (before: KeptTask[], given: Partial<PhoneChanges>, isFirst = false) =>
  receive(before, changes(given), serverTime, isFirst).keep.map(({ isNew, takenAt }) => ({ isNew, takenAt }))

test('what the office adds or changes is marked as new, what the driver did is not', () => {
  const isNew = (before: KeptTask[], now: PhoneTask, isFirst = false) =>
    marksOf(before, { tasks: [now] }, isFirst)[0]?.isNew
  assert.equal(isNew([], task()), true, 'a new task')
  assert.equal(isNew([], task(), true), false, 'not at the first sync')
  assert.equal(isNew([kept()], task({ details: 'Ring twice' })), true)
  assert.equal(isNew([kept()], task({ notes: [{ id: 5, userId: 1 }] })), true, 'a note of the office')
  assert.equal(isNew([kept()], task({ notes: [{ id: 5, ...own }] })), false, 'a note of the driver')
  assert.equal(isNew([kept()], task({ arrivalTime: serverTime })), false)
  assert.equal(isNew([kept({}, { isNew: true })], task()), true, 'until it was seen')
  assert.equal(isNew([kept()], task({ statusId: Succeeded, details: 'x' })), false, 'not once it has ended')
})

test('an open task that is taken away stays until the driver has read it, an ended one goes', () => {
  assert.deepEqual(marksOf([kept()], { removed: [1] }), [{ isNew: false, takenAt: serverTime }])
  assert.deepEqual(marksOf([kept()], { removed: [1], erased: [1] }), [])
  assert.deepEqual(receive([kept()], changes({ removed: [1], erased: [1] }), serverTime, false).forget, [1])
  assert.deepEqual(marksOf([kept()], { full: true }), [{ isNew: false, takenAt: serverTime }])
  const ended = receive([kept({ statusId: Succeeded })], changes({ removed: [1] }), serverTime, false)
  assert.deepEqual([ended.keep, ended.forget], [[], [1]])
  assert.deepEqual(marksOf([kept({}, { takenAt: serverTime })], { tasks: [task()] }), [{ isNew: true, takenAt: null }])
})

test('an arrival that moved replaces the one before, without a mark', () => {
  const moved = task({ etaAt: '2026-11-16T06:00:00.000Z' })
  const { keep } = receive(
    [kept({ etaAt: '2026-11-16T08:47:00.000Z' })],
    changes({ tasks: [moved] }),
    serverTime,
    false,
  )
  assert.deepEqual(keep, [{ id: 1, task: moved, isNew: false, takenAt: null }])
})

test('a task of the route that comes with the next answer has not been taken away', () => {
  assert.deepEqual(marksOf([kept()], { full: true, more: true, order: [1] }), [])
})

test('what ended on an earlier day leaves the phone', () => {
  const before = [
    kept({ statusId: Succeeded, completedAt: '2026-11-15T12:00:00.000Z' }),
    kept({ id: 2, statusId: Succeeded, completedAt: '2026-11-16T06:00:00.000Z' }, { id: 2 }),
  ]
  assert.deepEqual(receive(before, changes(), serverTime, false).forget, [1])
})
