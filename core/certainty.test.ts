import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certaintyCases } from './certainty.cases.ts'
import { certainties, certaintyOf, isDoor, isMarked, isPlannedAlone, isToCheck } from './certainty.ts'

for (const { name, hasPlace, precision, detail, problem, is } of certaintyCases)
  test(`an address is ${is}: ${name}`, () => {
    const address = {
      lat: hasPlace ? 45.75 : null,
      lng: hasPlace ? 21.23 : null,
      precision: hasPlace ? (precision ?? 'exact') : 'none',
      precisionDetail: detail,
      geocodingProblem: hasPlace ? '' : problem,
    }
    assert.equal(certaintyOf(address), is)
    assert.deepEqual(
      [isToCheck(address), isPlannedAlone(address), isDoor(address), isMarked(address)],
      Object.values(certainties[is]),
    )
  })

test('what is planned by the program alone is never one to check', () => {
  for (const [name, { isToCheck, isPlannedAlone, isDoor }] of Object.entries(certainties)) {
    assert.ok(!(isToCheck && isPlannedAlone), name)
    assert.ok(isPlannedAlone || !isDoor, name)
  }
})
