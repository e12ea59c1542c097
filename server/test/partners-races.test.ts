import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { aTask, makeDriver, signIn } from './factories.ts'
import { listSplits } from './pairs.ts'
import { amountsOf, seedOr, tellNumbers } from './proofs.ts'
import { seededRandom } from './random.ts'
import { type Reply, request, startServer, type TestServer } from './server.ts'

/*
 * Partners who do things at the same moment, from every side and in both orders of their numbers: nobody is told of a
 * deadlock, and afterwards the task is with one of them, and the same on both sides.
 */

const { races } = amountsOf('partners')
const random = seededRandom(seedOr(20_261_118))

type Party = Awaited<ReturnType<TestServer['another']>>

async function agree(...parties: Party[]) {
  for (const one of parties)
    for (const { organisationId: companyId } of parties)
      if (companyId !== one.organisationId) assert.equal((await one.post('/partners', { companyId })).status, 200)
}

/** Organisations that are partners, made in this order, and named in another: whoever has the lower number locks first. */
async function open(t: TestContext, order: readonly number[]) {
  const server = await startServer(t)
  const made: Party[] = []
  while (made.length < order.length) made.push(await server.another())
  const parties = order.map((at) => made[at] as Party)
  await agree(...parties)
  t.after(() => assertWhole(server))
  return { server, parties }
}

const orders = { 'the owner came first': [0, 1], 'the owner came last': [1, 0] } as const

function shuffle<Value>(values: readonly Value[]): Value[] {
  return values
    .map((value) => ({ value, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value)
}

const make = async (party: Party, count: number): Promise<{ id: number; awb: string }[]> => {
  const tasks = Array.from({ length: count }, (_, at) =>
    aTask({ totalPrice: 50, customer: { name: `Customer ${at}`, phone: `07220001${String(at).padStart(2, '0')}` } }),
  )
  const { results } = (await party.post('/tasks/bulkCreate', { tasks })).body
  return results.map(({ data }: { data: { id: number; awb: string } }) => data)
}

const taskOf = async (party: Party, awb: string) => (await party.get(`/tasks/awb/${awb}`)).body.task
const delegate = (from: Party, id: number, { organisationId: companyId }: Party) =>
  from.put(`/tasks/${id}/delegate`, { companyId })

/** All at once, in any order. Nobody gets a failure of ours. */
async function atOnce(calls: readonly (() => Promise<Reply>)[]): Promise<Reply[]> {
  const replies = await Promise.all(calls.map((call) => call()))
  for (const reply of replies) assert.ok(reply.status < 500, reply.text)
  return replies
}

/** A deadlock costs a second, and is a wrong order of locks, though nobody hears of it. */
const countDeadlocks = async ({ database }: TestServer) =>
  (
    await database.everyone.get<{ deadlocks: number }>(sql`
      select deadlocks::int from pg_stat_database where datname = current_database()`)
  ).deadlocks

/** Nothing is split, of the tasks of this race: those before were looked at, and are again when the test ends. */
const assertWhole = async ({ database }: TestServer, [first]: readonly { id: number }[] = []) =>
  assert.deepEqual(await listSplits(database.everyone, first?.id), [])

for (const [name, order] of Object.entries(orders)) {
  test(`moves from both sides at once end in the same state on both (${name})`, async (t) => {
    const { server, parties } = await open(t, order)
    const [shop, courier] = parties as [Party, Party]
    const drivers = [await makeDriver(courier), await makeDriver(courier)]
    const keys = await Promise.all(drivers.map((driver) => signIn(courier, driver)))
    for (let race = 0; race < races; race += 1) {
      const [task] = (await make(shop, 1)) as [{ id: number; awb: string }]
      const { awb } = task
      await delegate(shop, task.id, courier)
      const copy = await taskOf(courier, awb)
      const assign = (at: number) => () =>
        courier.post(`/drivers/${drivers[at]?.id}/tasks/bulkAssign`, { tasks: [copy.id] })
      await assign(0)()
      const act =
        (verb: string, at = 0) =>
        () =>
          request(server.url, 'POST', `/api/v1/driver/tasks/${copy.id}/${verb}`, { key: keys[at] as string, body: {} })
      const moves: (() => Promise<Reply>)[] = [
        assign(0),
        assign(1),
        act('start'),
        act('start', 1),
        act('complete'),
        () => shop.put(`/tasks/awb/${awb}`, { details: `Shop ${race}` }),
        () => courier.put(`/tasks/awb/${awb}`, { details: `Courier ${race}`, totalPrice: 80 }),
        () => shop.post(`/tasks/awb/${awb}/notes`, { note: 'Shop' }),
        () => courier.post(`/tasks/awb/${awb}/notes`, { note: 'Courier' }),
        () => shop.post(`/tasks/${task.id}/payments`, { amount: 50, method: 'card' }),
        () => courier.post(`/tasks/${copy.id}/payments`, { amount: 50, method: 'cash' }),
        () => courier.post('/tasks/bulkUnassign', { tasks: [awb] }),
        () => courier.put(`/tasks/awb/${awb}/forceComplete`, { success: race % 2 === 0 }),
        () => shop.put(`/tasks/${task.id}/undelegate`),
        () => courier.put(`/tasks/${copy.id}/undelegate`),
        ...(race % 3 === 0 ? [() => shop.delete(`/tasks/awb/${awb}`)] : []),
      ]
      await atOnce(shuffle(moves).slice(0, 4 + Math.floor(random() * 8)))
      await assertWhole(server, [task])
    }
    tellNumbers(t, 'partners', { races })
  })

  test(`a task that is assigned while it is given away is with one of them (${name})`, async (t) => {
    const { server, parties } = await open(t, order)
    const [shop, courier] = parties as [Party, Party]
    const driver = await makeDriver(shop)
    for (let race = 0; race < races; race += 1) {
      const [task] = (await make(shop, 1)) as [{ id: number; awb: string }]
      const [given, assigned] = await atOnce([
        () => delegate(shop, task.id, courier),
        () => shop.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [task.id] }),
      ])
      const isGiven = given?.status === 200
      assert.equal(assigned?.body.results[0].success, !isGiven, 'one of them')
      if (isGiven) assert.equal(assigned?.body.results[0].error.code, 'TASK_DELEGATED')
      else assert.equal(given?.body.error.code, 'TASK_HAS_DRIVER')
      await assertWhole(server, [task])
    }
  })

  test(`a task that is started while it is taken back is with one of them (${name})`, async (t) => {
    const { server, parties } = await open(t, order)
    const [shop, courier] = parties as [Party, Party]
    const driver = await makeDriver(courier)
    const key = await signIn(courier, driver)
    for (let race = 0; race < races; race += 1) {
      const [task] = (await make(shop, 1)) as [{ id: number; awb: string }]
      await delegate(shop, task.id, courier)
      const copy = await taskOf(courier, task.awb)
      await courier.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [copy.id] })
      const [back, started] = await atOnce([
        () => (race % 2 === 0 ? shop.put(`/tasks/${task.id}/undelegate`) : courier.put(`/tasks/${copy.id}/undelegate`)),
        () => request(server.url, 'POST', `/api/v1/driver/tasks/${copy.id}/start`, { key, body: {} }),
      ])
      const isBack = back?.status === 200
      assert.equal(started?.status === 200, !isBack, 'one of them')
      if (!isBack) assert.equal(back?.body.error.code, 'TASK_IN_TRANSIT')
      assert.equal((await taskOf(shop, task.awb)).statusId, isBack ? 1 : 7)
      assert.equal(await taskOf(courier, task.awb).then((one) => one?.statusId), isBack ? undefined : 7)
      await assertWhole(server, [task])
    }
  })

  test(`a task that is given away while the partnership ends is given, or stays (${name})`, async (t) => {
    const { server, parties } = await open(t, order)
    const [shop, courier] = parties as [Party, Party]
    for (let race = 0; race < races; race += 1) {
      await agree(shop, courier)
      const [task] = (await make(shop, 1)) as [{ id: number; awb: string }]
      const ender = race % 2 === 0 ? [shop, courier] : [courier, shop]
      const [given, ended] = await atOnce([
        () => delegate(shop, task.id, courier),
        () => (ender[0] as Party).delete(`/partners/${ender[1]?.organisationId}`),
      ])
      assert.equal(ended?.status, 200)
      if (given?.status !== 200) assert.equal(given?.body.error.code, 'PARTNER_NOT_FOUND')
      assert.equal((await taskOf(courier, task.awb)) !== undefined, given?.status === 200)
      assert.equal((await delegate(shop, task.id, courier)).body.error.code, 'PARTNER_NOT_FOUND', 'no new ones')
      await assertWhole(server, [task])
    }
  })

  test(`a task that is given away while a currency changes is given, or the currency stays (${name})`, async (t) => {
    const { server, parties } = await open(t, order)
    const [shop, courier] = parties as [Party, Party]
    const before = await countDeadlocks(server)
    for (let race = 0; race < races; race += 1) {
      const [task] = (await make(shop, 1)) as [{ id: number; awb: string }]
      const changer = race % 2 === 0 ? courier : shop
      // Its name, too: partners are told of it.
      const [given, changed] = await atOnce([
        () => delegate(shop, task.id, courier),
        () => changer.put('/company', { currency: 'EUR', name: `Race ${race}` }),
      ])
      if (given?.status === 200) assert.equal(changed?.body.error.code, 'CURRENCY_IN_USE', 'one of them')
      else
        assert.deepEqual(
          [given?.body.error.code, changed?.status, changed?.text.includes('EUR')],
          ['CURRENCY_DIFFERS', 200, true],
        )
      const currencies = await Promise.all(
        parties.map(async (one) => (await one.get('/company')).body.company.currency),
      )
      assert.deepEqual(currencies[0] === currencies[1], given?.status === 200)
      await shop.delete(`/tasks/awb/${task.awb}`)
      assert.equal((await changer.put('/company', { currency: 'RON' })).status, 200)
    }
    assert.equal(await countDeadlocks(server), before)
  })

  test(`sets that overlap are given and taken back, each task by one request (${name})`, async (t) => {
    const { server, parties } = await open(t, [...order, 2])
    const [shop, courier, colleague] = parties as [Party, Party, Party]
    for (let race = 0; race < races; race += 1) {
      const tasks = await make(shop, 12)
      const ids = tasks.map(({ id }) => id)
      const some = () => shuffle(ids).slice(0, 8)
      const give =
        ({ organisationId: companyId }: Party) =>
        () =>
          shop.put('/tasks/bulkDelegate', { tasks: some(), companyId })
      const given = await atOnce([give(courier), give(colleague), give(courier), give(colleague)])
      for (const { body } of given)
        for (const { success, error } of body.results) if (!success) assert.equal(error.code, 'TASK_DELEGATED')
      await assertWhole(server, tasks)
      const successes = given.flatMap(({ body }) => body.results.filter(({ success }: { success: boolean }) => success))
      assert.equal(new Set(successes.map(({ id }) => id)).size, successes.length, 'each to one of them')

      const theirs = (await courier.get('/tasks?statusId=1')).body.tasks.map(({ id }: { id: number }) => id)
      const back = (party: Party, wanted: number[]) => () =>
        party.put('/tasks/bulkUndelegate', { tasks: shuffle(wanted) })
      const taken = await atOnce([
        back(shop, ids),
        back(courier, theirs),
        back(shop, ids),
        back(courier, theirs),
        give(colleague),
      ])
      for (const { body } of taken)
        for (const { success, error } of body.results)
          if (!success) assert.match(error.code, /^TASK_(NOT_DELEGATED|NOT_FOUND|DELEGATED)$/)
      await assertWhole(server, tasks)
    }
  })
}

test('two shops that give the same AWB and the same customers to one courier at once both succeed', async (t) => {
  const { server, parties } = await open(t, [1, 0, 2])
  const [one, courier, other] = parties as [Party, Party, Party]
  for (let race = 0; race < races; race += 1) {
    const phones = Array.from({ length: 10 }, (_, at) => `07230${String(race % 1_000).padStart(3, '0')}${at}0`)
    const prepare = async (party: Party, inOrder: string[]) => {
      const tasks = inOrder.map((phone) => aTask({ awb: `R${race}-${phone}`, customer: { name: 'Ana', phone } }))
      const { results } = (await party.post('/tasks/bulkCreate', { tasks })).body
      return results.map(({ data }: { data: { id: number } }) => data.id) as number[]
    }
    const [first, second] = [await prepare(one, phones), await prepare(other, phones.toReversed())]
    const { organisationId: companyId } = courier
    const replies = await atOnce([
      () => one.put('/tasks/bulkDelegate', { tasks: first, companyId }),
      () => other.put('/tasks/bulkDelegate', { tasks: second, companyId }),
      () => courier.post('/tasks', aTask({ awb: `R${race}-${phones[4]}` })),
    ])
    for (const { body } of replies.slice(0, 2))
      for (const { success, error } of body.results) assert.ok(success, JSON.stringify(error))
    await assertWhole(server, [{ id: Math.min(...first, ...second) }])
  }
})

test('in a chain everybody moves at once, whoever came first', async (t) => {
  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 2, 0],
    [1, 0, 2],
  ]) {
    const { server, parties } = await open(t, order)
    const [shop, courier, colleague] = parties as [Party, Party, Party]
    const driver = await makeDriver(colleague)
    const key = await signIn(colleague, driver)
    for (let race = 0; race < races; race += 1) {
      const [task] = (await make(shop, 1)) as [{ id: number; awb: string }]
      const { awb } = task
      await delegate(shop, task.id, courier)
      const middle = await taskOf(courier, awb)
      await delegate(courier, middle.id, colleague)
      const end = await taskOf(colleague, awb)
      await colleague.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [end.id] })
      const note = (party: Party) => () => party.post(`/tasks/awb/${awb}/notes`, { note: 'Note' })
      const edit = (party: Party) => () =>
        party.put(`/tasks/awb/${awb}`, { details: `By ${party.organisationId}`, quantity: 2 + race })
      const moves: (() => Promise<Reply>)[] = [
        ...parties.flatMap((party) => [note(party), edit(party)]),
        () => request(server.url, 'POST', `/api/v1/driver/tasks/${end.id}/start`, { key, body: {} }),
        () => shop.put(`/tasks/${task.id}/undelegate`),
        () => courier.put(`/tasks/${middle.id}/undelegate`),
        () => colleague.put(`/tasks/${end.id}/undelegate`),
        () => colleague.put(`/tasks/awb/${awb}/forceComplete`, { success: true }),
        () => courier.delete(`/tasks/awb/${awb}`),
      ]
      await atOnce(shuffle(moves).slice(0, 5 + Math.floor(random() * 6)))
      await assertWhole(server, [task])
    }
  }
})

test('locks are taken in one order', async (t) => {
  const server = await startServer(t)
  assert.equal(await countDeadlocks(server), 0)
})
