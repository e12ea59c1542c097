import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { aTask, makeDriver } from '../../test/factories.ts'
import { startServer } from '../../test/server.ts'

/** A shop with a parcel at a courier and one of its own. */
async function aShop(t: TestContext) {
  const shop = await startServer(t)
  const courier = await shop.another()
  await shop.post('/partners', { companyId: courier.organisationId })
  await courier.post('/partners', { companyId: shop.organisationId })
  const given = (await shop.post('/tasks', aTask({ awb: 'GIVEN-1' }))).body.task
  await shop.post('/tasks', aTask({ awb: 'OWN-1' }))
  // The courier knows the parcel by another number, because this one is taken there.
  await courier.post('/tasks', aTask({ awb: 'GIVEN-1' }))
  await shop.put(`/tasks/${given.id}/delegate`, { companyId: courier.organisationId })
  const [copy] = (await courier.get(`/tasks?partnerId=${shop.organisationId}`)).body.tasks
  return { shop, courier, given, copy }
}

const awbs = (reply: { body: { tasks: { awb: string }[] } }) => reply.body.tasks.map(({ awb }) => awb)

test('tasks are listed by the partner they are shared with, say which side one is on, and are found by its AWB', async (t) => {
  const { shop, courier, copy } = await aShop(t)
  const ofShop = await shop.get(`/tasks?partnerId=${courier.organisationId}`)
  assert.deepEqual([awbs(ofShop), ofShop.body.tasks[0].side], [['GIVEN-1'], 'owner'])
  assert.deepEqual([copy.side, copy.partnerAwbs], ['fulfiller', ['GIVEN-1']])
  assert.notEqual(copy.awb, 'GIVEN-1')
  assert.deepEqual(awbs(await shop.get('/tasks?partnerId=999999')), [])
  assert.deepEqual(awbs(await courier.get('/tasks?q=given')).toSorted(), ['GIVEN-1', copy.awb].toSorted())
  const [own] = (await shop.get('/tasks?awb=OWN-1')).body.tasks
  assert.equal('side' in own, false, 'what nobody shares has no side')
})

test('what a partner has is not planned, and not counted as unassigned', async (t) => {
  const { shop, given } = await aShop(t)
  const driver = await makeDriver(shop)
  await shop.put(`/drivers/${driver.id}/duty`, { inShift: true })
  const { plan } = (await shop.post('/planning/assign', { tasks: [given.id], dryRun: true })).body
  assert.deepEqual([plan.assigned, plan.unassigned[0].reason], [[], 'NOT_WAITING'])
  const all = (await shop.post('/planning/assign', { dryRun: true })).body.plan
  assert.deepEqual(
    all.assigned.map(({ awb }: { awb: string }) => awb),
    ['OWN-1'],
  )
  const day = Temporal.Now.plainDateISO('Europe/Bucharest').toString()
  const { unassigned, assigned } = (await shop.get(`/reports/tasks?from=${day}&to=${day}`)).body
  assert.deepEqual([unassigned, assigned], [1, 1])
})
