import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReordered } from './order.ts'

const cases: [what: string, before: number[], after: number[], isReordered: boolean][] = [
  ['nothing changed', [1, 2, 3], [1, 2, 3], false],
  ['another stop is next', [1, 2, 3], [2, 1, 3], true],
  ['stops further back changed places', [1, 2, 3], [1, 3, 2], true],
  ['the next one is done', [1, 2, 3], [2, 3], false],
  ['one is done and the others changed places', [1, 2, 3], [3, 2], true],
  ['a new stop comes at the end', [1, 2], [1, 2, 9], false],
  ['a new stop is next', [1, 2], [9, 1, 2], true],
  ['the first stops of the day', [], [1, 2], false],
  ['all stops are others', [1, 2], [8, 9], false],
]

for (const [what, before, after, wanted] of cases)
  test(`the order is ${wanted ? '' : 'not '}marked as changed: ${what}`, () =>
    assert.equal(isReordered(before, after), wanted))
