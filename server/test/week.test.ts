import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { amountsOf, seedOr, tellNumbers } from './proofs.ts'
import { seededRandom } from './random.ts'
import { checkAll, compareParcels } from './week-checks.ts'
import { type Firm, openFirm } from './week-firm.ts'

/*
 * Weeks of a courier firm by seed: imports, regular work, labels, routes, phones that are late, failures, second tries, returns,
 * corrections, cash and close-outs. In the evening every task is what a plain model says, and at the end every parcel's story is whole, the
 * money adds up to the last ban, reports say the same, and the receiver has heard everything. A failure names its seed, and
 * WAYBILL_SEED=… begins with that firm.
 */

const amounts = amountsOf('week')
const firstSeed = seedOr(1)
const size = { drivers: 3, parcels: amounts['parcels a day'] }

async function liveItsDays(t: TestContext, seed: number): Promise<Firm> {
  const firm = await openFirm(t, seededRandom(seed), size)
  for (let day = 1; day <= amounts['days of each']; day += 1) {
    await firm.liveADay()
    compareParcels(firm, await firm.listTasks())
    await firm.passTheNight()
  }
  await firm.hearAll()
  await checkAll(firm)
  tellNumbers(t, 'week', firm.counts)
  return firm
}

/** What could be wrong with the books, one thing at a time, and how it is put right again. */
type Fault = (firm: Firm) => Promise<() => Promise<unknown> | undefined>
const change =
  (table: string, set: string, where: string, back: string): Fault =>
  async ({ calendar }) => {
    const statement = (what: string) => `update ${table} set ${what} where organisation_id = $1 and ${where}`
    await calendar.spoil(statement(set))
    return () => calendar.spoil(statement(back))
  }

const firstLine = (kind: string) =>
  `id = (select min(id) from cash_lines where organisation_id = $1 and kind = '${kind}')`
const faults: Record<string, Fault> = {
  'a payment counted twice': async ({ model }) => {
    const bag = [...model.bags.values()].find(({ cash }) => cash > 0)
    if (!bag) assert.fail('nobody paid in cash')
    bag.cash += bag.cash
    return async () => (bag.cash /= 2)
  },
  'a line of cash that is a ban too high': change(
    'cash_lines',
    'hundredths = hundredths + 1',
    firstLine('payment'),
    'hundredths = hundredths - 1',
  ),
  'a second try that nobody leads to': change(
    'tasks',
    'reattempted_as = -reattempted_as',
    'id = (select min(attempt_of) from tasks where organisation_id = $1)',
    'reattempted_as = -reattempted_as',
  ),
  'an event that is left out': change('events', 'sequence = sequence + 1000', 'id = 5', 'sequence = sequence - 1000'),
  'an end on another day': change(
    'tasks',
    "completed_at = completed_at - interval '1 day'",
    'id = (select max(id) from tasks where organisation_id = $1 and status_id = 9)',
    "completed_at = completed_at + interval '1 day'",
  ),
}

for (let seed = firstSeed; seed < firstSeed + amounts.firms; seed += 1)
  test(`firm ${seed}: every parcel has one story, and money adds up to the last ban`, async (t) => {
    const firm = await liveItsDays(t, seed)
    if (seed > firstSeed) return
    for (const [name, plant] of Object.entries(faults)) {
      const putRight = await plant(firm)
      await assert.rejects(checkAll(firm), assert.AssertionError, `${name} is noticed`)
      await putRight()
    }
    await checkAll(firm)
  })
