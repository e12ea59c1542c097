import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Assigned } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import { taskWith } from '../../../test/a-task.ts'
import { isUntouched } from './untouched.ts'

const plain = taskWith({})
const unknown = taskWith({ address: { ...plain.address, lat: null, lng: null, city: null } })
const place = { lat: 45.75, lng: 21.23 }
const later = '2026-11-19T10:00:00.000Z'

test('a task that the service placed, planned and told about is untouched', () => {
  const found = { ...unknown.address, ...place, city: 'Timișoara' }
  assert.ok(isUntouched(unknown, { ...unknown, address: found, updatedAt: later, sentETA: true, etaAt: later }))
  assert.ok(
    isUntouched(plain, { ...plain, taskDelayed: true, taskWillBeDelayed: true, notesLeftOut: undefined } as Task),
  )
})

test('whatever else differs, somebody did', () => {
  const changes: Partial<Task>[] = [
    { statusId: Assigned },
    { userId: 3 },
    { loadedAt: later },
    { priority: 2 },
    { customFields: [{ label: 'Door', type: 'text', value: '3' }] as unknown as Task['customFields'] },
    { dependencies: [{ taskId: 9, awb: 'A-9', statusId: 1 }] },
    { customer: null, customerId: null },
    { address: { ...plain.address, address: 'Strada Lungă 2' } },
    { erasedAt: later },
  ]
  const touched = (change: Partial<Task>) =>
    !isUntouched({ ...plain, customerId: 5 }, { ...plain, customerId: 5, ...change })
  assert.deepEqual(
    changes.filter((change) => !touched(change)),
    [],
  )
  assert.ok(!isUntouched(plain, { ...plain, address: { ...plain.address, lat: 45.76 } }), 'its pin was moved')
})
