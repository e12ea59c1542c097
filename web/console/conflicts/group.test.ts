import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appliedOf, type Conflict, effectOf, groupConflicts, searchGroups } from './group.ts'

let ids = 0
const conflictWith = (changes: Partial<Conflict> = {}): Conflict =>
  ({
    id: ++ids,
    type: 'complete',
    taskId: 1,
    awb: 'A-1',
    user: { id: 7, name: 'Ana Radu' },
    address: 'Strada Lungă 1, București',
    statusId: 6,
    assignedTo: { id: 8, name: 'Dan Stan' },
    settledAt: null,
    settledBy: null,
    applied: null,
    ...changes,
  }) as Conflict

const effect = (...conflicts: Conflict[]) => effectOf(groupConflicts(conflicts)[0] as never)

test('one visit of one driver is one decision', () => {
  const groups = groupConflicts([
    conflictWith({ type: 'photo' }),
    conflictWith({ taskId: 2 }),
    conflictWith({ user: { id: 9, name: 'Ion Pop' } }),
    conflictWith({ type: 'complete' }),
  ])
  assert.deepEqual(
    groups.map(({ conflicts }) => conflicts.map(({ type }) => type)),
    [['photo', 'complete'], ['complete'], ['complete']],
  )
})

test('the page says what applying does, and offers it only if it does something', () => {
  assert.equal(effect(conflictWith()), 'gives')
  assert.equal(effect(conflictWith({ assignedTo: { id: 7, name: 'Ana Radu' } })), 'moves')
  assert.equal(effect(conflictWith({ type: 'photo' })), 'adds')
  assert.equal(effect(conflictWith({ type: 'photo' }), conflictWith()), 'gives')
  assert.equal(effect(conflictWith({ statusId: 9 })), 'ended')
  assert.equal(effect(conflictWith({ statusId: 9, type: 'payment' as never })), 'adds')
  assert.equal(effect(conflictWith({ statusId: 10, type: 'signature' })), 'adds')
  assert.equal(effect(conflictWith({ statusId: null, type: 'photo' })), 'deleted')
  assert.equal(effect(conflictWith({ statusId: null }), conflictWith({ statusId: null, type: 'payment' })), 'pays')
})

test('of what was done to a deleted task only the payments are applied', () => {
  const types = (statusId: Conflict['statusId']) =>
    groupConflicts((['payment', 'complete'] as const).map((type) => conflictWith({ statusId, type })))
      .flatMap(appliedOf)
      .map(({ type }) => type)
  assert.deepEqual([types(null), types(6)], [['payment'], ['payment', 'complete']])
})

test('conflicts are found by AWB, driver and address', () => {
  const groups = groupConflicts([conflictWith({ taskId: 3 }), conflictWith({ taskId: 4, awb: 'B-2', address: 'Cluj' })])
  const found = (text: string) => searchGroups(groups, text).map(({ conflicts: [{ awb }] }) => awb)
  assert.deepEqual(found('b-2'), ['B-2'])
  assert.deepEqual(found('ana lung'), ['A-1'])
  assert.deepEqual(found('Ană'), ['A-1', 'B-2'], 'with or without accents')
  assert.deepEqual(found(''), ['A-1', 'B-2'])
})
