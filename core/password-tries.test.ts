import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Standing, tooManyElsewhere, waitsAfterWrong } from './password-tries.ts'

/** How many passwords somebody who never stops can try from one place on each of the first days. */
function triesOfDays(standing: Standing, wrongElsewhere: number, days: number) {
  const waits = waitsAfterWrong(standing, wrongElsewhere)
  const perDay = Array.from({ length: days }, () => 0)
  let [second, tries] = [0, 0]
  while (second < days * 86_400) {
    perDay[Math.floor(second / 86_400)]! += 1
    tries += 1
    second += waits[Math.min(tries, waits.length) - 1] as number
  }
  return perDay
}

test('a stranger who guesses from one place gets seven tries on the first day and one on each that follows', () => {
  assert.deepEqual(triesOfDays('stranger', tooManyElsewhere, 4), [7, 1, 1, 1])
  // As long as nobody else does: the first four mistakes cost nothing.
  assert.deepEqual(triesOfDays('stranger', 0, 4), [11, 1, 1, 1])
})

test('who was here before is not slowed down by strangers', () => {
  assert.deepEqual(waitsAfterWrong('known', 0), waitsAfterWrong('known', 1_000_000))
  assert.deepEqual(triesOfDays('known', 0, 2), [969, 960])
})

test('waits only grow', () => {
  for (const [standing, elsewhere] of [
    ['known', 0],
    ['stranger', 0],
    ['stranger', tooManyElsewhere],
  ] as const) {
    const waits = waitsAfterWrong(standing, elsewhere)
    assert.deepEqual(
      waits,
      waits.toSorted((one, other) => one - other),
    )
    assert.ok(waits.every((seconds) => seconds <= 86_400))
  }
})
