import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasOwnColumns, ownOf, readLayout, shownIn, usualOf } from './layout.ts'

const columns = [{ id: 'awb' }, { id: 'driver' }, { id: 'phone', extra: true }] as const
const read = (stored: unknown) => readLayout(JSON.stringify(stored), columns)

test('a person who has changed nothing sees the default columns', () => {
  const usual = { visibility: { awb: true, driver: true, phone: false }, sizing: {}, sorting: [] }
  assert.deepEqual(usualOf(columns), usual)
  for (const stored of [null, '', 'nonsense', 'null', '[]'])
    assert.deepEqual(readLayout(stored, columns), usual, String(stored))
})

test('an organisation chooses the columns everybody begins with', () => {
  const chosen = ['awb', 'phone']
  assert.deepEqual(usualOf(columns, chosen).visibility, { awb: true, driver: false, phone: true })
  const { visibility } = readLayout(JSON.stringify({ visibility: { driver: true } }), columns, chosen)
  assert.deepEqual(visibility, { awb: true, driver: true, phone: true }, 'what a person chose is theirs')
})

test('a person keeps only what they want otherwise, so the rest follows the organisation', () => {
  const usual = usualOf(columns, ['awb', 'driver'])
  const layout = { ...usual, visibility: { awb: true, driver: false, phone: false } }
  const own = ownOf(layout, usual)
  assert.deepEqual(own.visibility, { driver: false })
  assert.deepEqual([hasOwnColumns(layout, usual), hasOwnColumns(usual, usual)], [true, false])
  assert.deepEqual(shownIn(readLayout(JSON.stringify(own), columns, ['awb', 'driver', 'phone'])), ['awb', 'phone'])
})

test('the chosen columns stay when a new version adds columns', () => {
  const { visibility } = read({ visibility: { awb: false, phone: true } })
  assert.deepEqual(visibility, { awb: false, driver: true, phone: true })
})

test('columns that no longer exist are dropped, also from the sort order', () => {
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
