import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../db/sql.ts'
import { makeDriver, signIn } from '../../test/factories.ts'
import { aDriverOf, agree, aPair, type Party, taskOf, type World } from '../../test/partners.ts'
import { request } from '../../test/server.ts'

for (const isLater of [false, true])
  test(`a parcel given to a partner is done there, and its owner sees how it goes${isLater ? ' (the other way round)' : ''}`, async (t) => {
    const { server, shop, courier, awb, task, delegate } = await aPair(t, isLater)
    const given = await delegate()
    assert.deepEqual(
      [given.status, given.body.task.ownerId, given.body.task.fulfillerId, given.body.task.fulfiller.id],
      [200, shop.organisationId, courier.organisationId, courier.organisationId],
    )
    const copy = await taskOf(courier, awb)
    assert.deepEqual(
      [copy.ownerId, copy.fulfillerId, copy.owner.id, copy.statusId, copy.customer.name, copy.totalPrice],
      [shop.organisationId, courier.organisationId, shop.organisationId, 1, 'Ana', 50],
    )
    assert.notEqual(copy.id, task.id)
    assert.equal((await shop.get(`/tasks/${copy.id}`)).body.error.code, 'TASK_NOT_FOUND')

    const driver = await makeDriver(courier, { name: 'Dan Pop' })
    const key = await signIn(courier, driver)
    await courier.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [copy.id] })
    const assigned = await taskOf(shop, awb)
    assert.deepEqual(
      [assigned.statusId, assigned.userId, assigned.user, assigned.fulfillerDriver],
      [6, null, null, { name: 'Dan Pop' }],
    )
    for (const [verb, body] of [
      ['start', {}],
      ['arrive', {}],
      ['notes', { note: 'At the gate' }],
      ['complete', {}],
    ] as const) {
      if (verb === 'complete') {
        const deviceTime = new Date().toISOString()
        const op = {
          opId: randomUUID(),
          type: 'payment',
          taskId: copy.id,
          occurredAt: deviceTime,
          amount: 50,
          method: 'cash',
        }
        const paid = await request(server.url, 'POST', '/api/v1/driver/sync', { key, body: { deviceTime, ops: [op] } })
        assert.equal(paid.body.results[0].success, true, paid.text)
      }
      const done = await request(server.url, 'POST', `/api/v1/driver/tasks/${copy.id}/${verb}`, { key, body })
      assert.equal(done.status, 200, `${verb}: ${done.text}`)
    }
    const ended = await taskOf(shop, awb)
    const theirs = await taskOf(courier, awb)
    assert.deepEqual(
      [ended.statusId, ended.leftToBePaid, ended.completedAt, ended.startedAt, ended.driverArrived],
      [9, 0, theirs.completedAt, theirs.startedAt, true],
    )
    assert.deepEqual(
      ended.notes.map(({ note }: { note: string }) => note),
      ['At the gate'],
    )
    const { payments } = (await shop.get(`/tasks/${task.id}/payments`)).body
    assert.deepEqual(
      payments.map(({ amount, method }: { amount: number; method: string }) => [amount, method]),
      [[50, 'cash']],
    )
    const own = await shop.triggers(awb)
    assert.ok(own.includes('TASK_START') && own.includes('TASK_COMPLETE'), own.join())
    assert.ok(!own.includes('TASK_ASSIGNED'), 'who drives it is the partner’s business')
    assert.deepEqual((await courier.triggers(awb)).slice(0, 2), ['TASK_CREATED', 'TASK_ASSIGNED'])
    const sequences = await sequencesOf(server, shop.organisationId)
    assert.deepEqual(
      sequences,
      sequences.map((_, index) => index + 1),
    )
  })

const sequencesOf = async ({ database }: World, organisationId: number) =>
  (
    await database.everyone.many<{ sequence: number }>(sql`
      select sequence from events where organisation_id = ${organisationId} order by id`)
  ).map(({ sequence }) => sequence)

test('the owner’s changes reach the partner, and what is the partner’s work is refused to the owner', async (t) => {
  const { shop, courier, awb, delegate } = await aPair(t)
  await delegate()
  await shop.put(`/tasks/awb/${awb}`, {
    details: 'Two boxes',
    address: { address: 'Calea Victoriei 1', lat: 44.4, lng: 26.1 },
  })
  const copy = await taskOf(courier, awb)
  assert.deepEqual([copy.details, copy.address.address], ['Two boxes', 'Calea Victoriei 1'])

  const own = await makeDriver(shop)
  const { results } = (
    await shop.post(`/drivers/${own.id}/tasks/bulkAssign`, { tasks: [(await taskOf(shop, awb)).id] })
  ).body
  assert.equal(results[0].error.code, 'TASK_DELEGATED')
  assert.equal((await shop.put(`/tasks/awb/${awb}/forceComplete`, {})).body.error.code, 'TASK_DELEGATED')
  assert.equal((await delegate()).body.error.code, 'TASK_DELEGATED')
  assert.equal((await courier.delete(`/tasks/awb/${awb}`)).body.error.code, 'TASK_OF_PARTNER')

  assert.equal((await shop.delete(`/tasks/awb/${awb}`)).status, 200)
  assert.equal(await taskOf(courier, awb), undefined, 'what the owner deletes is gone everywhere')
})

test('a parcel is taken back, or given back, until it is on its way', async (t) => {
  const { server, shop, courier, awb, task, delegate } = await aPair(t)
  await delegate()
  assert.equal((await shop.put(`/tasks/${task.id}/undelegate`)).status, 200)
  assert.equal(await taskOf(courier, awb), undefined)
  const back = await taskOf(shop, awb)
  assert.deepEqual([back.statusId, back.fulfillerId, back.fulfillerDriver], [1, shop.organisationId, undefined])
  assert.equal((await shop.put(`/tasks/${task.id}/undelegate`)).body.error.code, 'TASK_NOT_DELEGATED')

  assert.equal((await delegate()).status, 200)
  const copy = await taskOf(courier, awb)
  const driver = await makeDriver(courier)
  await courier.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [copy.id] })
  await shop.put('/company', { settings: { canExecutorsUndelegateTasks: false } })
  const refused = await courier.put(`/tasks/${copy.id}/undelegate`)
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'FORBIDDEN_BY_SETTING'])
  await shop.put('/company', { settings: { canExecutorsUndelegateTasks: true } })
  assert.equal((await courier.put(`/tasks/${copy.id}/undelegate`)).status, 200)
  assert.deepEqual([(await taskOf(shop, awb)).statusId, await taskOf(courier, awb)], [1, undefined])

  await delegate()
  const again = await taskOf(courier, awb)
  await courier.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [again.id] })
  const key = await signIn(courier, driver)
  await request(server.url, 'POST', `/api/v1/driver/tasks/${again.id}/start`, { key, body: {} })
  assert.equal((await shop.put(`/tasks/${task.id}/undelegate`)).body.error.code, 'TASK_IN_TRANSIT')
})

test('in a chain each sees its neighbours, and all see how it goes', async (t) => {
  const { server, shop, courier, awb, delegate } = await aPair(t)
  const colleague: Party = await server.another()
  await agree(courier, colleague)
  await delegate()
  const middle = await taskOf(courier, awb)
  assert.equal((await courier.put(`/tasks/${middle.id}/delegate`, { companyId: colleague.organisationId })).status, 200)
  const last = await taskOf(colleague, awb)
  assert.deepEqual(
    [last.ownerId, (await taskOf(shop, awb)).fulfillerId],
    [courier.organisationId, courier.organisationId],
  )
  const driver = await makeDriver(colleague, { name: 'Last' })
  await colleague.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [last.id] })
  await colleague.put(`/tasks/awb/${awb}/forceComplete`, { success: true })
  for (const party of [shop, courier, colleague]) assert.equal((await taskOf(party, awb)).statusId, 9)
  assert.deepEqual((await taskOf(shop, awb)).fulfillerDriver, { name: 'Last' })
})

test('nobody gives a task to somebody who has not agreed, or has another currency', async (t) => {
  const { server, shop, courier, task, delegate } = await aPair(t)
  const stranger = await server.another()
  for (const companyId of [stranger.organisationId, 999_999_999]) {
    const { status, body } = await shop.put(`/tasks/${task.id}/delegate`, { companyId })
    assert.deepEqual([status, body.error.code, body.error.field], [400, 'PARTNER_NOT_FOUND', 'companyId'])
  }
  await courier.put('/company', { currency: 'EUR' })
  assert.equal((await delegate()).body.error.code, 'CURRENCY_DIFFERS')
  await courier.put('/company', { currency: 'RON' })
  await courier.delete(`/partners/${shop.organisationId}`)
  assert.equal((await delegate()).body.error.code, 'PARTNER_NOT_FOUND')
})

for (const side of ['shop', 'courier'] as const)
  test(`as long as a parcel is shared the ${side} keeps its currency, and the decimals that it has`, async (t) => {
    const pair = await aPair(t)
    const { shop, courier, awb, delegate } = pair
    for (const one of [shop, courier]) await one.put('/company', { moneyDecimals: 2 })
    await delegate()
    const change = async (body: object) => {
      const { status, body: answer } = await pair[side].put('/company', body)
      return [status, answer.error?.code, answer.error?.field]
    }
    const euros = { currency: 'eur', name: 'Other' }
    const { company } = (await pair[side].get('/company')).body
    assert.deepEqual(await change(euros), [409, 'CURRENCY_IN_USE', 'currency'])
    assert.deepEqual((await pair[side].get('/company')).body.company, company, 'nothing of it is changed')
    assert.equal((await change({ currency: 'ron', name: 'Same' }))[0], 200)
    assert.equal((await change({ moneyDecimals: 0 }))[0], 200, 'its amounts are whole')

    await pair[side].put('/company', { moneyDecimals: 2 })
    await shop.put(`/tasks/awb/${awb}`, { totalPrice: 49.5 })
    const refused = [409, 'CURRENCY_IN_USE', 'settings.moneyDecimals']
    assert.deepEqual(await change({ moneyDecimals: 0 }), refused)
    assert.deepEqual(await change({ settings: { moneyDecimals: 0 } }), refused)

    await (await aDriverOf(courier)).take(awb)
    await courier.put(`/tasks/awb/${awb}/forceComplete`, { success: true })
    assert.equal((await taskOf(shop, awb)).statusId, 9)
    assert.equal((await change({ ...euros, moneyDecimals: 0 }))[0], 200, 'what has ended holds nobody')
  })

test('changes from both sides at once end in the same state on both', async (t) => {
  const { shop, courier, awb, delegate } = await aPair(t, true)
  await delegate()
  const copy = await taskOf(courier, awb)
  const driver = await makeDriver(courier)
  await Promise.all(
    Array.from({ length: 12 }, (_, turn) =>
      turn % 3 === 0
        ? shop.put(`/tasks/awb/${awb}`, { details: `Shop ${turn}` })
        : turn % 3 === 1
          ? courier.post(`/drivers/${driver.id}/tasks/bulkAssign`, { tasks: [copy.id] })
          : courier.put(`/tasks/awb/${awb}`, { details: `Courier ${turn}` }),
    ),
  )
  const [own, theirs] = [await taskOf(shop, awb), await taskOf(courier, awb)]
  assert.deepEqual([own.details, own.statusId], [theirs.details, theirs.statusId])
})
