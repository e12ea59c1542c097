import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { aTask, beginDuty, makeTeam } from '../../test/factories.ts'
import { aDriverOf, agree, type Party, taskOf } from '../../test/partners.ts'
import { startSecond } from '../../test/second.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

/** A shop whose new tasks go to its courier by themselves. */
async function aShop(t: TestContext, settings: object = {}, environment: Record<string, string> = {}) {
  const server = await startServer(t, environment)
  const shop: Party = server
  const courier: Party = await server.another()
  await agree(shop, courier)
  const set = (given: object) => shop.put('/company', { settings: given })
  const { status, text } = await set({ delegateNewTasksTo: courier.organisationId, ...settings })
  assert.equal(status, 200, text)
  const fulfillerOf = async (awb: string) => (await taskOf(shop, awb)).fulfillerId
  return {
    server,
    shop,
    courier,
    set,
    fulfillerOf,
    untilGiven: (awb: string) =>
      until(`${awb} to be given away`, async () => (await fulfillerOf(awb)) === courier.organisationId),
  }
}

test('a new task goes to the partner by itself, and the timeline says by whom', async (t) => {
  const { shop, courier, untilGiven } = await aShop(t)
  await shop.post('/tasks', aTask({ awb: 'A', customer: { name: 'Ana', phone: '0722000111' } }))
  await untilGiven('A')
  const copy = await taskOf(courier, 'A')
  assert.deepEqual([copy.ownerId, copy.statusId, copy.customer.name], [shop.organisationId, 1, 'Ana'])
  const { timelines } = await taskOf(shop, 'A')
  assert.deepEqual(
    timelines.map(
      ({ event, actor, data }: { event: string; actor: { type: string }; data: { delegated?: object } }) => [
        event,
        actor.type,
        data?.delegated ?? null,
      ],
    ),
    [
      ['TASK_CREATED', 'API', null],
      ['TASK_UPDATED', 'SYSTEM', { companyId: courier.organisationId, name: 'Test' }],
    ],
  )
})

test('what there was before the rule, what has a driver, and what a person took back stays', async (t) => {
  const { server, shop, courier, set, untilGiven, fulfillerOf } = await aShop(t, { delegateNewTasksTo: null })
  await shop.post('/tasks', aTask({ awb: 'BEFORE' }))
  await set({ delegateNewTasksTo: courier.organisationId })
  const driver = await aDriverOf(shop)
  await shop.post('/tasks', aTask({ awb: 'DRIVEN', userId: driver.id }))
  await shop.post('/tasks', aTask({ awb: 'NEW' }))
  await untilGiven('NEW')
  const { id } = await taskOf(shop, 'NEW')
  assert.equal((await shop.put(`/tasks/${id}/undelegate`)).status, 200)
  await server.makeRound('delegating')
  for (const awb of ['BEFORE', 'DRIVEN', 'NEW']) assert.equal(await fulfillerOf(awb), shop.organisationId, awb)

  await set({ delegateNewTasksTo: null })
  await shop.post('/tasks', aTask({ awb: 'OFF' }))
  await set({ delegateNewTasksTo: courier.organisationId })
  await server.makeRound('delegating')
  assert.equal(await fulfillerOf('OFF'), shop.organisationId, 'a rule does not reach back')
})

test('with a team only its tasks go to the partner', async (t) => {
  const { server, shop, set, untilGiven, fulfillerOf } = await aShop(t)
  const [near, far] = [await makeTeam(shop), await makeTeam(shop)]
  await set({ delegateNewTasksOfTeam: far.id })
  const tasks = [aTask({ awb: 'NEAR', teamId: near.id }), aTask({ awb: 'NONE' }), aTask({ awb: 'FAR', teamId: far.id })]
  await shop.post('/tasks/bulkCreate', { tasks })
  await untilGiven('FAR')
  await server.makeRound('delegating')
  for (const awb of ['NEAR', 'NONE']) assert.equal(await fulfillerOf(awb), shop.organisationId, awb)
})

test('what the partner cannot take stays, is not tried again, and says why', async (t) => {
  const { server, shop, courier, set, fulfillerOf } = await aShop(t, { moneyDecimals: 2 })
  const whyOf = async (awb: string) => {
    await server.makeRound('delegating')
    const { timelines } = await taskOf(shop, awb)
    const said = timelines.flatMap(({ data }: { data: { notDelegated?: object } | null }) => data?.notDelegated ?? [])
    assert.equal(said.length, 1, awb)
    assert.equal(await fulfillerOf(awb), shop.organisationId)
    assert.equal(said[0].companyId, courier.organisationId)
    return said[0]
  }
  await shop.post('/tasks', aTask({ awb: 'FRACTION', totalPrice: 9.5 }))
  const fraction = await whyOf('FRACTION')
  assert.equal(fraction.code, 'CURRENCY_DIFFERS')
  assert.match(fraction.message, /decimals/)

  await courier.put('/company', { currency: 'EUR' })
  await shop.post('/tasks', aTask({ awb: 'EUROS' }))
  assert.match((await whyOf('EUROS')).message, /RON.*EUR/)

  await courier.delete(`/partners/${shop.organisationId}`)
  await shop.post('/tasks', aTask({ awb: 'ENDED' }))
  assert.equal((await whyOf('ENDED')).code, 'PARTNER_NOT_FOUND')
  for (const awb of ['FRACTION', 'EUROS', 'ENDED']) await whyOf(awb)
  // Other settings can still be changed.
  assert.equal((await set({ delegateNewTasksTo: courier.organisationId, enableAWB: true })).status, 200)
})

test('a rule names a partner and a team that there are', async (t) => {
  const { server, shop, courier, set } = await aShop(t)
  const stranger = await server.another()
  for (const companyId of [stranger.organisationId, shop.organisationId, 999_999_999]) {
    const { status, body } = await set({ delegateNewTasksTo: companyId })
    assert.deepEqual(
      [status, body.error.code, body.error.field],
      [400, 'PARTNER_NOT_FOUND', 'settings.delegateNewTasksTo'],
    )
    assert.match(body.error.message, /both sides have to agree/)
  }
  const theirs = await makeTeam(courier)
  const { status, body } = await set({ delegateNewTasksOfTeam: theirs.id })
  assert.deepEqual(
    [status, body.error.code, body.error.field],
    [400, 'TEAM_NOT_FOUND', 'settings.delegateNewTasksOfTeam'],
  )
})

test('tasks do not go round between two who delegate to each other', async (t) => {
  const { server, shop, courier, untilGiven } = await aShop(t)
  await courier.put('/company', { settings: { delegateNewTasksTo: shop.organisationId } })
  await shop.post('/tasks', aTask({ awb: 'A' }))
  await untilGiven('A')
  await server.makeRound('delegating')
  const copy = await taskOf(courier, 'A')
  assert.equal(copy.fulfillerId, courier.organisationId)
  const back = await courier.put(`/tasks/${copy.id}/delegate`, { companyId: shop.organisationId })
  assert.equal(back.body.error.code, 'TASK_OF_PARTNER')
})

test('automatic assignment leaves to the partner what the rule gives away, and takes what stays', async (t) => {
  const { server, shop, set, untilGiven } = await aShop(t, { enableAutoAssignMode: true })
  const far = await makeTeam(shop)
  await set({ delegateNewTasksOfTeam: far.id })
  const driver = await aDriverOf(shop, { teams: [far.id] })
  await beginDuty(server.url, driver.key)
  const untilAssigned = (awb: string) =>
    until(`${awb} to be assigned`, async () => (await taskOf(shop, awb)).userId === driver.id)
  await server.database.everyone.transaction(async (db) => {
    // As if a slow process were at it: the others leave it alone.
    await db.run(sql`
      select from delegation_progress where organisation_id = ${shop.organisationId} for update`)
    await shop.post('/tasks', aTask({ awb: 'FAR', teamId: far.id }))
    await shop.post('/tasks', aTask({ awb: 'NEAR' }))
    await untilAssigned('NEAR')
    await server.makeRound('auto-assign')
    assert.equal((await taskOf(shop, 'FAR')).statusId, 1)
  })
  await untilGiven('FAR')
  await server.makeRound('auto-assign')
  assert.deepEqual(await shop.triggers('FAR'), ['TASK_CREATED', 'TASK_UPDATED'])

  await set({ moneyDecimals: 2 })
  await shop.post('/tasks', aTask({ awb: 'REFUSED', teamId: far.id, totalPrice: 10.5 }))
  await untilAssigned('REFUSED')
})

test('tasks created while no worker was running are given away later, once, by whichever process', async (t) => {
  const { server, shop, courier, untilGiven } = await aShop(t, {}, { WAYBILL_ROLE: 'api' })
  const awbs = Array.from({ length: 60 }, (_, index) => `T-${index}`)
  await shop.post('/tasks/bulkCreate', { tasks: awbs.map((awb) => aTask({ awb })) })
  assert.equal((await taskOf(shop, 'T-0')).fulfillerId, shop.organisationId)
  const processes = [await startSecond(t, server), await startSecond(t, server)]
  for (const awb of awbs) await untilGiven(awb)
  const { tasks } = (await courier.get('/tasks')).body
  assert.deepEqual(tasks.map(({ awb }: { awb: string }) => awb).sort(), awbs.toSorted())
  for (const { stop } of processes) await stop()
})
