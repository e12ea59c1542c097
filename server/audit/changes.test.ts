import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellChanges } from './changes.ts'

test('only what differs is told, and of a personal field only its name', () => {
  const before = { role: 'dispatcher', name: 'Ana', scopes: ['a'], note: 'same' }
  const after = { role: 'admin', name: 'Ana Pop', scopes: ['a'], note: 'same' }
  assert.deepEqual(tellChanges(before, after, ['name']), [
    { field: 'role', before: 'dispatcher', after: 'admin' },
    { field: 'name' },
  ])
})

test('a creation has no before, a deletion no after, and what is empty is left out', () => {
  const fields = { name: 'CI', scopes: ['*'], expiresAt: null, labels: [] }
  assert.deepEqual(tellChanges(null, fields), [
    { field: 'name', after: 'CI' },
    { field: 'scopes', after: ['*'] },
  ])
  assert.deepEqual(tellChanges(fields, null), [
    { field: 'name', before: 'CI' },
    { field: 'scopes', before: ['*'] },
  ])
})

test('a field that gets or loses its value is told with null', () => {
  assert.deepEqual(tellChanges({ phone: null, hub: 3 }, { phone: '1', hub: undefined }), [
    { field: 'phone', before: null, after: '1' },
    { field: 'hub', before: 3, after: null },
  ])
})

test('a very long value is not kept', () => {
  assert.deepEqual(tellChanges({ text: 'x'.repeat(3_000) }, { text: 'short' }), [{ field: 'text' }])
})
