import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { type Buckets, createBuckets, createMemory, forgetFullBuckets } from './buckets.ts'

/** Takes as much as it gets, as long as it should. */
async function takeWhile(isHungry: () => boolean, buckets: Buckets, name: string, onTaken: () => void) {
  while (isHungry()) {
    if (await buckets.settleAndTake(name)) onTaken()
    await pause(3)
  }
}

for (const [processes, perSecond] of [
  [1, 40],
  [2, 5],
  [4, 40],
  [3, 300],
] as const)
  test(`${processes} processes together allow ${perSecond} a second, plus at most one block each`, async (t) => {
    const { database } = await startServer(t)
    const options = { kind: `greedy ${processes}`, capacity: perSecond, perSecond, db: database.everyone }
    const overshoot = processes * Math.max(1, perSecond / 10)
    // More than a full bucket and every block: without the limit this is taken at once.
    const wanted = 2 * perSecond + overshoot
    let taken = 0
    const begun = performance.now()
    await Promise.all(
      Array.from({ length: processes }, () => createBuckets(options)).flatMap((buckets) =>
        Array.from({ length: 4 }, () =>
          takeWhile(
            () => taken < wanted,
            buckets,
            'one',
            () => {
              taken += 1
            },
          ),
        ),
      ),
    )
    const seconds = (performance.now() - begun) / 1_000
    const allowed = perSecond * (1 + seconds)
    t.diagnostic(`${taken} taken of ${allowed.toFixed(0)}; ${overshoot} more would be within the bound`)
    assert.ok(taken <= allowed + overshoot, `${taken} is more than ${allowed} and ${overshoot}`)
  })

test('a crowd that asks two processes at the same moment gets no more than a full bucket and a block each', async (t) => {
  const { database } = await startServer(t)
  const options = { kind: 'crowd', capacity: 10, perSecond: 0.001, db: database.everyone }
  const answers = await Promise.all(
    [createBuckets(options), createBuckets(options)].flatMap((buckets) =>
      Array.from({ length: 40 }, () => buckets.settleAndTake('it')),
    ),
  )
  const taken = answers.filter(Boolean).length
  assert.ok(taken >= 10 && taken <= 12, `${taken} were taken`)
})

test('what one process takes, even slowly, the others know within a second', async (t) => {
  const { database } = await startServer(t)
  const options = { kind: 'slow', capacity: 100, perSecond: 0.001, db: database.everyone }
  const [one, other] = [createBuckets(options), createBuckets(options)]
  for (let count = 0; count < 4; count += 1) one.take('it')
  await until('the others to be told', () =>
    database.everyone.find(sql`select from rate_buckets where name = 'slow it' and floor(tokens) = 96`),
  )
  for (let count = 0; count < 6; count += 1) other.take('it')
  await until('both to be counted', () => Math.floor(other.level('it')) === 90)
})

test('without the database each process counts alone', async () => {
  const nowhere = openDatabase({ url: 'postgres://127.0.0.1:1/x', connections: 1, onIdleError: () => {} })
  const buckets = createBuckets({ kind: 'alone', capacity: 20, perSecond: 0.1, db: nowhere.hasty })
  const answers: boolean[] = []
  for (let count = 0; count < 40; count += 1) {
    answers.push(await buckets.settleAndTake('it'))
  }
  assert.equal(answers.filter(Boolean).length, 20)
  await nowhere.close()
})

test('a bucket that is full again is forgotten', async (t) => {
  const { database } = await startServer(t)
  const db = database.everyone
  await db.run(sql`insert into rate_buckets values ('old', 0, now() - interval '11 minutes'), ('new', 0, now())`)
  await forgetFullBuckets(db)
  const left = await db.many<{ name: string }>(sql`select name from rate_buckets where name in ('old', 'new')`)
  assert.deepEqual(left, [{ name: 'new' }])
})

test('in a flood of names the oldest are forgotten first', () => {
  const memory = createMemory<number>(100)
  const names = Array.from({ length: 10_000 }, (_, number) => `name ${number}`)
  for (const [number, name] of names.entries()) memory.set(name, number)
  const remembered = names.filter((name) => memory.get(name) !== undefined)
  assert.ok(remembered.length >= 50 && remembered.length <= 100)
  assert.deepEqual(remembered, names.slice(-remembered.length))
})
