import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readColumns, type TableColumn, usualColumns, writeColumns } from './table-columns.ts'

test('the columns of the table are read from whatever was stored', () => {
  const cases: [stored: unknown, columns: TableColumn[] | undefined][] = [
    [null, undefined],
    [{}, undefined],
    ['awb', undefined],
    [[], undefined],
    [['moon', 7, null], undefined],
    [
      ['phone', 'awb'],
      ['awb', 'phone'],
    ],
    [
      [{ key: 'awb' }, { key: 'moon' }, { name: 'team' }, 'eta'],
      ['awb', 'eta'],
    ],
  ]
  for (const [stored, columns] of cases) assert.deepEqual(readColumns(stored), columns, JSON.stringify(stored))
})

test('what is chosen is read as it was written, and the usual columns are nothing of one’s own', () => {
  assert.deepEqual(readColumns(writeColumns(['team', 'awb'])), ['awb', 'team'])
  assert.equal(writeColumns(usualColumns), null)
  assert.equal(writeColumns([]), null)
})
