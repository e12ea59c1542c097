import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assigned } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import { taskWith } from '../../../test/a-task.ts'
import { isUntouched } from './untouched.ts'

type Address = Task['address']

const text = { address: 'Strada Lungă 1', addressSecondLine: null, city: null }
const nowhere = {
  ...text,
  lat: null,
  lng: null,
  precision: 'none',
  precisionDetail: null,
  geocodingProblem: '',
} as Address
const given = { ...nowhere, lat: 45.75, lng: 21.23, precision: 'exact' } as Address
const found = { ...given, precision: 'approximate', precisionDetail: 'street', city: 'Timișoara' } as Address

const later = '2026-11-19T10:00:00.000Z'
const made = taskWith({ customerId: 5, address: given })
const becomes = (was: Address, is: Address) => isUntouched(taskWith({ address: was }), taskWith({ address: is }))

test('a task that the service planned and told about is untouched', () => {
  assert.ok(isUntouched(made, { ...made, updatedAt: later, sentETA: true, etaAt: later, taskDelayed: true }))
})

test('a place that the service found is nothing that somebody did, one that somebody gave is', () => {
  assert.ok(becomes(nowhere, { ...nowhere, geocodingProblem: 'nothing found' }))
  assert.ok(becomes(nowhere, found))
  assert.ok(becomes(found, { ...found, lat: 45.751, precisionDetail: 'learned' } as Address))
  assert.ok(!becomes(nowhere, given))
  assert.ok(!becomes(found, { ...found, precision: 'exact', precisionDetail: null } as Address))
  assert.ok(!becomes(given, { ...given, lat: 45.76 }))
  assert.ok(!becomes(found, { ...found, address: 'Strada Lungă 2' }))
})

test('whatever else differs, somebody did', () => {
  const changes: Partial<Task>[] = [
    { statusId: Assigned },
    { userId: 3 },
    { loadedAt: later },
    { priority: 2 },
    { customFields: [{ label: 'Door', type: 'text', value: '3' }] as unknown as Task['customFields'] },
    { dependencies: [{ taskId: 9, awb: 'A-9', statusId: 1 }] },
    { customerId: null },
    { erasedAt: later },
  ]
  const touches = (change: Partial<Task>) => !isUntouched(made, { ...made, ...change })
  assert.deepEqual(
    changes.filter((change) => !touches(change)),
    [],
  )
})
