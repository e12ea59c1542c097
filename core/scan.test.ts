import assert from 'node:assert/strict'
import test from 'node:test'
import { compareScan, findByCode, isSameCode } from './scan.ts'
import { Assigned, Failed } from './task-status.ts'

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

const again = (awb: string, ...earlierAwbs: string[]) => ({ ...task(awb), earlierAwbs })
const first = task('A-1')
const second = again('A-1-2', 'A-1')
const third = again('A-1-3', 'A-1', 'A-1-2')
const back = again('A-1-R', 'A-1', 'A-1-2', 'A-1-3')
const other = task('A-2')

const labels: [code: string, tasks: ReturnType<typeof again | typeof task>[], found: string | undefined][] = [
  ['A-1', [first, other], 'A-1'],
  ['A-1', [second, other], 'A-1-2'],
  ['a-1', [first, second], 'A-1-2'],
  ['A-1', [third, first, second], 'A-1-3'],
  ['A-1-2', [first, second, third], 'A-1-3'],
  ['A-1-3', [first, second, third], 'A-1-3'],
  ['A-1', [third, back], 'A-1-R'],
  ['A-1-3', [first, second], undefined],
  ['A-2', [second, other], 'A-2'],
]

test('the old label of a parcel finds its newest try, and matches it', () => {
  for (const [code, tasks, awb] of labels) {
    const found = findByCode(tasks, code)
    assert.equal(found?.awb, awb, code)
    if (found) assert.equal(compareScan(found, code).matches, true, code)
  }
  assert.equal(compareScan(second, 'A-1-3').matches, false)
  assert.equal(compareScan(first, 'A-1-2').matches, false)
})

test('a partner’s further try is found by its labels, unless an open task has this AWB', () => {
  const ended = { ...task('A-1'), statusId: Failed }
  const given = { ...again('P-2', 'A-1'), statusId: Assigned }
  const mine = { ...task('A-1'), statusId: Assigned }
  const named = { ...task('P-3'), partnerAwbs: ['A-1'], statusId: Assigned }
  assert.equal(findByCode([ended, given], 'A-1'), given)
  assert.equal(findByCode([ended, named], 'A-1'), named)
  assert.equal(findByCode([ended, { ...named, statusId: Failed }], 'A-1'), ended)
  assert.equal(findByCode([given, named, mine], 'A-1'), mine)
})

test('a QR code may hold the tracking link of the task', () => {
  const parcel = { ...task('A-1'), uuid: 'Zx81-kq_2Lw9cVbN4pRt5A' }
  for (const code of [
    'https://track.example.org/t/Zx81-kq_2Lw9cVbN4pRt5A',
    ' http://10.0.0.5:4000/t/Zx81-kq_2Lw9cVbN4pRt5A?from=label ',
  ])
    assert.equal(compareScan(parcel, code).matches, true, code)
  for (const code of ['https://track.example.org/t/zx81-kq_2Lw9cVbN4pRt5A', 'Zx81-kq_2Lw9cVbN4pRt5A', '/t/'])
    assert.equal(compareScan(parcel, code).matches, false, code)
  assert.equal(compareScan(task('A-1'), 'https://track.example.org/t/Zx81-kq_2Lw9cVbN4pRt5A').matches, false)
})
