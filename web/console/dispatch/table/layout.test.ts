import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLayout, usualOf } from './layout.ts'

const columns = [{ id: 'awb' }, { id: 'driver' }, { id: 'phone', extra: true }] as const
const read = (stored: unknown) => readLayout(JSON.stringify(stored), columns)

test('who has arranged nothing sees the usual columns', () => {
  const usual = { visibility: { awb: true, driver: true, phone: false }, sizing: {}, sorting: [] }
  assert.deepEqual(usualOf(columns), usual)
  for (const stored of [null, '', 'nonsense', 'null', '[]'])
    assert.deepEqual(readLayout(stored, columns), usual, String(stored))
})

test('what somebody has chosen stays chosen when a version brings new columns', () => {
  const { visibility } = read({ visibility: { awb: false, phone: true } })
  assert.deepEqual(visibility, { awb: false, driver: true, phone: true })
})

test('columns that no longer exist are forgotten, also as the order of the table', () => {
  const layout = read({
    visibility: { gone: true },
    sizing: { gone: 90, awb: 120 },
    sorting: [
      { id: 'gone', desc: true },
      { id: 'awb', desc: true },
    ],
  })
  assert.deepEqual(layout.visibility, usualOf(columns).visibility)
  assert.deepEqual([layout.sizing, layout.sorting], [{ awb: 120 }, [{ id: 'awb', desc: true }]])
  assert.deepEqual(read({ sorting: 'awb' }).sorting, [])
})
