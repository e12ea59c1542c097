import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { dayOf } from '../../core/task-day.ts'
import { sql } from '../db/sql.ts'
import { aTask } from '../test/factories.ts'
import { aDriverOf, agree, give, type Party, taskOf } from '../test/partners.ts'
import { startServer } from '../test/server.ts'

const timezone = 'Europe/Bucharest'
const today = () => dayOf(new Date(), timezone)
const nothing = { total: 0, days: [] }

const balanceOf = async (party: Party, other: Party, query = '') => {
  const { status, text, body } = await party.get(`/partners/${other.organisationId}/balance${query}`)
  assert.equal(status, 200, text)
  const { toUs, toThem } = body.balance
  return { toUs, toThem }
}

/** A shop and a courier who are partners, a driver of the courier, and a parcel given to it for each price. */
async function aPair(t: TestContext, prices: number[], settings = {}) {
  const server = await startServer(t)
  const courier: Party = await server.another()
  const shop: Party = server
  for (const party of [shop, courier])
    await party.put('/company', { settings: { allowPartialPayments: true, ...settings } })
  await agree(shop, courier)
  const driver = await aDriverOf(courier)
  const parcels = prices.map((totalPrice, index) => ({ awb: `B-${index}`, totalPrice }))
  for (const parcel of parcels) {
    await shop.post('/tasks', aTask(parcel))
    await give(shop, courier, parcel.awb)
    await driver.take(parcel.awb)
  }
  return { server, shop, courier, driver }
}

test('what a courier’s drivers collected is owed to the shop, and both sides come to the same', async (t) => {
  const { shop, courier, driver } = await aPair(t, [50, 30])
  await driver.pay('B-0', 50)
  await driver.pay('B-1', 10)
  const { id } = await taskOf(courier, 'B-1')
  await courier.post(`/tasks/${id}/payments`, { amount: -10, method: 'cash' })
  const owed = { total: 50, days: [{ day: today(), amount: 50, count: 3 }] }
  assert.deepEqual(await balanceOf(shop, courier), { toUs: owed, toThem: nothing })
  assert.deepEqual(await balanceOf(courier, shop), { toUs: nothing, toThem: owed })

  // What the customer paid to the shop itself, nobody owes it.
  const own = await taskOf(shop, 'B-1')
  await shop.post(`/tasks/${own.id}/payments`, { amount: 30, method: 'card' })
  assert.equal((await taskOf(courier, 'B-1')).leftToBePaid, 0)
  assert.deepEqual(await balanceOf(shop, courier), { toUs: owed, toThem: nothing })
  assert.deepEqual(await balanceOf(courier, shop), { toUs: nothing, toThem: owed })
})

test('two who work for each other owe each other, and neither is set against the other', async (t) => {
  const { shop, courier, driver } = await aPair(t, [40])
  await driver.pay('B-0', 40)
  await courier.post('/tasks', aTask({ awb: 'BACK', totalPrice: 15 }))
  await give(courier, shop, 'BACK')
  const theirs = await aDriverOf(shop)
  await theirs.take('BACK')
  await theirs.pay('BACK', 15)
  const { toUs, toThem } = await balanceOf(shop, courier)
  assert.deepEqual([toUs.total, toThem.total], [40, 15])
  const other = await balanceOf(courier, shop)
  assert.deepEqual([other.toUs, other.toThem], [toThem, toUs])
})

test('in a chain each owes the one before, and amounts are exact', async (t) => {
  const { server, shop, courier } = await aPair(t, [], { moneyDecimals: 2 })
  const colleague: Party = await server.another()
  await colleague.put('/company', { settings: { moneyDecimals: 2, allowPartialPayments: true } })
  await agree(courier, colleague)
  const last = await aDriverOf(colleague)
  for (const [index, totalPrice] of [0.1, 0.2, 89.55].entries()) {
    const awb = `C-${index}`
    await shop.post('/tasks', aTask({ awb, totalPrice }))
    await give(shop, courier, awb)
    await give(courier, colleague, awb)
    await last.take(awb)
    await last.pay(awb, totalPrice)
  }
  const owed = { total: 89.85, days: [{ day: today(), amount: 89.85, count: 3 }] }
  assert.deepEqual(await balanceOf(shop, courier), { toUs: owed, toThem: nothing })
  assert.deepEqual(await balanceOf(courier, shop), { toUs: nothing, toThem: owed })
  assert.deepEqual(await balanceOf(courier, colleague), { toUs: owed, toThem: nothing })
  assert.deepEqual(await balanceOf(colleague, courier), { toUs: nothing, toThem: owed })
  const stranger = await shop.get(`/partners/${colleague.organisationId}/balance`)
  assert.equal(stranger.body.error.code, 'PARTNER_NOT_FOUND', 'nobody knows who is behind the neighbour')
})

test('days are those of the organisation’s time zone, and only those asked for', async (t) => {
  const { server, shop, courier, driver } = await aPair(t, [10, 20, 40])
  for (const [index, amount] of [10, 20, 40].entries()) await driver.pay(`B-${index}`, amount)
  // Half an hour before midnight in Bucharest, half an hour after, and two days later.
  const times = { 10: '2026-03-10T21:30:00Z', 20: '2026-03-10T22:30:00Z', 40: '2026-03-12T10:00:00Z' }
  for (const [amount, at] of Object.entries(times))
    await server.database.everyone.run(sql`
      update payments set occurred_at = ${at}
      where amount = ${Number(amount)} and organisation_id in (${shop.organisationId}, ${courier.organisationId})`)
  const { toUs } = await balanceOf(shop, courier, '?from=2026-03-10&to=2026-03-11')
  assert.deepEqual(toUs, {
    total: 30,
    days: [
      { day: '2026-03-10', amount: 10, count: 1 },
      { day: '2026-03-11', amount: 20, count: 1 },
    ],
  })
  await courier.put('/company', { timezone: 'Etc/UTC' })
  const { toThem } = await balanceOf(courier, shop, '?from=2026-03-10')
  assert.deepEqual(toThem.days, [{ day: '2026-03-10', amount: 30, count: 2 }])

  const ask = (query: string) => shop.get(`/partners/${courier.organisationId}/balance?${query}`)
  assert.equal((await ask('from=yesterday')).body.error.code, 'INVALID_TIME')
  assert.equal((await ask('from=2026-03-10&to=2026-03-09')).body.error.code, 'VALIDATION_FAILED')
  assert.equal((await ask('from=2025-01-01&to=2026-06-30')).body.error.code, 'VALIDATION_FAILED')
})

test('who was a partner still owes what was collected; a stranger is answered like nobody', async (t) => {
  const { server, shop, courier, driver } = await aPair(t, [25])
  await driver.pay('B-0', 25)
  await courier.delete(`/partners/${shop.organisationId}`)
  assert.equal((await balanceOf(shop, courier)).toUs.total, 25)
  assert.equal((await balanceOf(courier, shop)).toThem.total, 25)
  assert.deepEqual(await balanceOf(shop, courier, '?from=2020-01-01'), { toUs: nothing, toThem: nothing })

  const stranger = await server.another()
  const asked = await server.another()
  await shop.post('/partners', { companyId: asked.organisationId })
  const answers = await Promise.all(
    [stranger.organisationId, asked.organisationId, shop.organisationId, 999_999_999].map(async (companyId) => {
      const { status, text } = await shop.get(`/partners/${companyId}/balance`)
      return [status, text.replace(/"requestId":"[^"]+"/, '')]
    }),
  )
  for (const answer of answers) assert.deepEqual(answer, answers.at(-1))
  assert.equal(answers[0]?.[0], 404)
})

test('what was paid before a task is given away counts on both sides, and is owed by nobody', async (t) => {
  const { shop, courier, driver } = await aPair(t, [])
  const { task } = (await shop.post('/tasks', aTask({ awb: 'EARLY', totalPrice: 100 }))).body
  await shop.post(`/tasks/${task.id}/payments`, { amount: 40, method: 'card' })
  await give(shop, courier, 'EARLY')
  assert.equal((await taskOf(courier, 'EARLY')).leftToBePaid, 60)
  await driver.take('EARLY')
  await driver.pay('EARLY', 60)
  assert.deepEqual([(await taskOf(courier, 'EARLY')).leftToBePaid, (await taskOf(shop, 'EARLY')).leftToBePaid], [0, 0])
  assert.equal((await balanceOf(shop, courier)).toUs.total, 60)
})

test('what was collected stays owed when the task is taken back', async (t) => {
  const { shop, courier, driver } = await aPair(t, [70])
  await driver.pay('B-0', 20)
  const { id } = await taskOf(shop, 'B-0')
  assert.equal((await shop.put(`/tasks/${id}/undelegate`)).status, 200)
  assert.equal((await taskOf(shop, 'B-0')).leftToBePaid, 50)
  assert.deepEqual(
    [(await balanceOf(shop, courier)).toUs.total, (await balanceOf(courier, shop)).toThem.total],
    [20, 20],
  )
})
