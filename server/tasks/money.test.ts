import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountOf } from '../../core/money.ts'
import { drawUnit, makeRandom } from '../../core/optimise/random.ts'
import { amountOfLine, lineColumns, priceColumns, totalPriceOf } from './money.ts'

test('an amount comes back from its two columns as it was', () => {
  const random = makeRandom(46)
  const most = 2 ** 31 - 1
  const amounts = [0, 0.01, -0.01, 0.99, 1, -1, 89.5, -40.25, most, -most, most - 0.01]
  for (let round = 0; round < 1_000; round++)
    amounts.push(amountOf(Math.round((drawUnit(random) - 0.5) * 2 ** (1 + drawUnit(random) * 37)) + 0))
  for (const given of amounts) {
    const line = lineColumns(given)
    assert.equal(amountOfLine(line), given)
    assert.ok(Number.isInteger(line.amount) && Math.abs(line.amount) <= most, String(given))
    assert.ok(Number.isInteger(line.amount_hundredths) && Math.abs(line.amount_hundredths) < 100, String(given))
    // Of one sign, so that a sum of each column is a sum of amounts, and no line looks like its opposite.
    assert.ok(line.amount * given >= 0 && line.amount_hundredths * given >= 0, String(given))
    assert.equal(totalPriceOf(priceColumns('total_price', given)), given)
  }
  assert.equal(totalPriceOf(priceColumns('total_price', null)), null)
})
