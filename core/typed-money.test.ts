import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountOf, isAmount, subtractAmount, sumAmounts } from './money.ts'
import { moneyFormat, typeMoney } from './money-format.ts'
import { drawUnit, makeRandom } from './optimise/random.ts'
import { isUnclear, readMoney } from './typed-money.ts'

/** As written, and what it is with two decimals. */
const cases: [string, ReturnType<typeof readMoney>][] = [
  ['120', 120],
  ['0', 0],
  [' 1 250 ', 1_250],
  ['89,50', 89.5],
  ['89.5', 89.5],
  ['89,05', 89.05],
  ['120,00', 120],
  ['120.000,00', 120_000],
  ['1.234,50', 1_234.5],
  ['1,234.50', 1_234.5],
  ['1 234,50', 1_234.5],
  ['1\u00a0234,50', 1_234.5],
  ['1’234.50', 1_234.5],
  ['1.234.567', 1_234_567],
  ['1.234.567,8', 1_234_567.8],
  ['1.234', 1_234],
  ['1,234', 1_234],
  ['0,500', 0.5],
  ['1234.500', 1_234.5],
  ['RON 89.5', 89.5],
  ['89.5 lei', 89.5],
  ['89,50lei', 89.5],
  ['89,50 LEI.', 89.5],
  ['ron89', 89],
  ['€ 12,50', 12.5],
  ['12.50 EUR', 12.5],
  ['$5', 5],
  ['-40,25', -40.25],
  ['−5 lei', -5],
  ['- 0', 0],
  ['89,5551', 'tooFine'],
  ['1234.567', 'tooFine'],
  ['0.125', 'tooFine'],
  ['1.234,567', 'tooFine'],
  ['', 'unreadable'],
  ['x', 'unreadable'],
  [',', 'unreadable'],
  ['lei', 'unreadable'],
  ['89,', 'unreadable'],
  [',50', 'unreadable'],
  ['12 buc', 'unreadable'],
  ['1,2,3', 'unreadable'],
  ['1.23,456', 'unreadable'],
  ['1.234.56', 'unreadable'],
  ['12 34', 'unreadable'],
  ['12-15', 'unreadable'],
  ['12 + 3', 'unreadable'],
  ['5e2', 'unreadable'],
  ['Infinity', 'unreadable'],
  ['0x10', 'unreadable'],
  ['RON 5 lei', 'unreadable'],
]

test('money is read as people write it, and what is not certain is not guessed', () => {
  for (const [text, read] of cases) assert.equal(readMoney(text, { decimals: 2 }), read, text)
})

test('where money has no decimals, an amount with some is named and one without is read', () => {
  for (const text of ['89,50', '89.5 lei', '1.234,50', '-0,01'])
    assert.equal(readMoney(text, { decimals: 0 }), 'fraction')
  for (const text of ['120', '120,00', '120.0 lei', '1.234,00'])
    assert.equal(typeof readMoney(text, { decimals: 0 }), 'number')
})

test('an amount in another currency is not taken for one in ours', () => {
  const inLei = (text: string) => readMoney(text, { decimals: 2, currency: 'RON' })
  assert.deepEqual(['5 lei', 'RON 5', 'ron 5', '5'].map(inLei), [5, 5, 5, 5])
  assert.deepEqual(['5 EUR', '€5', '£5', '5 euro', 'MDL 5'].map(inLei), Array(5).fill('otherCurrency'))
  assert.equal(readMoney('$5', { decimals: 2, currency: 'CAD' }), 5)
})

test('three digits after one mark are unclear at a door', () => {
  for (const text of ['1.250', '12,345', ' 999.000 ']) assert.ok(isUnclear(text), text)
  for (const text of ['0.250', '1250', '1.250,00', '1.25', '1234.500']) assert.ok(!isUnclear(text), text)
})

const random = makeRandom(30)
const anyAmount = () => amountOf(Math.floor(drawUnit(random) * 2 ** (1 + drawUnit(random) * 36)))

test('sums of money are exact, in any order', () => {
  assert.equal(sumAmounts([0.1, 0.2]), 0.3)
  assert.equal(subtractAmount(89.5, 40.25), 49.25)
  for (let round = 0; round < 300; round++) {
    const amounts = Array.from({ length: 50 }, anyAmount)
    const hundredths = amounts.reduce((sum, amount) => sum + BigInt(amount.toFixed(2).replace('.', '')), 0n)
    const sum = sumAmounts(amounts)
    assert.equal(BigInt(sum.toFixed(2).replace('.', '')), hundredths)
    assert.equal(sumAmounts(amounts.toReversed()), sum)
    assert.equal(amounts.reduce(subtractAmount, sum), 0)
    assert.ok(isAmount(sum) && JSON.stringify(sum).replace(/^\d+\.?/, '').length <= 2, JSON.stringify(sum))
  }
})

test('an amount written for somebody is read as the same amount', () => {
  for (let round = 0; round < 300; round++) {
    const amount = anyAmount()
    for (const locale of ['ro-RO', 'en-GB', 'en']) {
      assert.equal(readMoney(typeMoney(amount, locale), { decimals: 2, currency: 'RON' }), amount)
      const written = moneyFormat(locale, 'RON').format(amount)
      assert.equal(readMoney(written, { decimals: 2, currency: 'RON' }), amount, written)
    }
    assert.equal(Number(JSON.stringify(amount)), amount)
  }
  assert.ok(![0.001, 89.555, 0.1 + 0.2, Number.NaN].some(isAmount))
})
