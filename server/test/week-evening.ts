import assert from 'node:assert/strict'
import type { Ground } from './week-ground.ts'

/* The cash of drivers is counted, and their days are closed. */

export function openEvening(ground: Ground) {
  const { server, model, drivers, counts, upTo, oneOf, random, idOf, dayName, did, refused } = ground
  async function countCash() {
    for (const driver of drivers.keys())
      for (let day = 0; day <= ground.today; day += 1) {
        const bag = model.bagOf(driver, day)
        if (bag.closed) {
          if (random() < 0.1) await correctCash(driver, day)
        } else if (random() < (day === ground.today ? 0.7 : 0.9)) await closeDay(driver, day)
      }
  }

  async function closeDay(driver: number, day: number) {
    const bag = model.bagOf(driver, day)
    const given = { userId: idOf(driver), day: dayName(day) }
    if (bag.cash > 500 && random() < 0.3) {
      const amount = 1 + upTo(bag.cash)
      await did(server.post('/cash/handIns', { ...given, amount: amount / 100 }))
      bag.handedIn += amount
    }
    const counted = Math.max(0, bag.cash - bag.handedIn + (random() < 0.3 ? oneOf([-455, 50, 1]) : 0))
    const difference = bag.handedIn + counted - bag.cash
    const note = difference === 0 ? {} : { note: 'Counted twice' }
    if (difference !== 0)
      await refused(server.post('/cash/closeOuts', { ...given, counted: counted / 100 }), 'CASH_NOTE_REQUIRED')
    const { cash } = await did(server.post('/cash/closeOuts', { ...given, counted: counted / 100, ...note }))
    assert.deepEqual([cash.cash, cash.difference], [bag.cash / 100, difference / 100], 'what was to be handed in')
    bag.handedIn += counted
    bag.closed = true
    counts['closed days'] += 1
    await refused(server.post('/cash/closeOuts', { ...given, counted: 0, note: 'Again' }), 'CASH_DAY_CLOSED')
  }

  async function correctCash(driver: number, day: number) {
    const amount = oneOf([-205, 99])
    const given = { userId: idOf(driver), day: dayName(day), amount: amount / 100, note: 'Found in the van' }
    await did(server.post('/cash/corrections', given))
    model.bagOf(driver, day).handedIn += amount
  }

  return { countCash }
}
