import assert from 'node:assert/strict'
import test from 'node:test'
import { compareScan, findByCode, isSameCode } from './scan.ts'

const task = (awb: string, ...values: unknown[]) => ({
  awb,
  customFields: values.map((value, at) => ({ key: `field${at}`, value })),
})

test('an AWB typed in lower case, or with spaces around it, is the same AWB', () => {
  for (const code of ['RO-4711', 'ro-4711', 'Ro-4711', ' ro-4711 '])
    assert.equal(compareScan(task('RO-4711'), code).matches, true, code)
  for (const code of ['RO-4712', 'RO4711', 'RO-471', ''])
    assert.equal(compareScan(task('RO-4711'), code).matches, false, code)
  assert.ok(isSameCode('ab', ' AB'))
})

test('a code may stand in a custom field, alone, as a number or in a list', () => {
  const parcel = task('A-1', 'Box-7', 4711, ['x', 12, { code: 'no' }], null)
  assert.deepEqual(compareScan(parcel, 'box-7'), { code: 'box-7', matches: true, field: 'field0' })
  assert.deepEqual(compareScan(parcel, '4711'), { code: '4711', matches: true, field: 'field1' })
  assert.deepEqual(compareScan(parcel, '12'), { code: '12', matches: true, field: 'field2' })
  assert.deepEqual(compareScan(parcel, 'no'), { code: 'no', matches: false })
})

test('of several tasks a code finds the one with this AWB before one that only mentions it', () => {
  const mentions = task('A-1', 'B-1')
  const lower = task('b-1')
  const exact = task('B-1')
  assert.equal(findByCode([mentions, lower, exact], 'B-1'), exact)
  assert.equal(findByCode([mentions, lower], 'B-1'), lower)
  assert.equal(findByCode([mentions], 'b-1'), mentions)
  assert.equal(findByCode([mentions], 'c-1'), undefined)
})
