import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { startServer } from '../test/server.ts'

/** A courier and a shop of one installation, and what each sees of the other. */
async function aPair(t: TestContext) {
  const shop = await startServer(t)
  const courier = await shop.another()
  const seen = async (world: Pick<typeof shop, 'get'>) =>
    (await world.get('/partners')).body.partners.map(
      ({ companyId, state, company }: { companyId: number; state: string; company: { name: string } | null }) => [
        companyId,
        state,
        company?.name ?? null,
      ],
    )
  return { shop, courier, seen }
}
const nobody = 999_999_999

test('two organisations are partners once both have agreed, and both know who with', async (t) => {
  const { shop, courier, seen } = await aPair(t)
  const { name: shopName } = (await shop.get('/company')).body.company
  const { name: courierName } = (await courier.get('/company')).body.company

  const asked = await shop.post('/partners', { companyId: courier.organisationId })
  assert.deepEqual([asked.status, asked.body.partner.state, asked.body.partner.company], [200, 'asked', null])
  assert.deepEqual(
    await seen(shop),
    [[courier.organisationId, 'asked', null]],
    'who was asked is not told who they are',
  )
  assert.deepEqual(await seen(courier), [[shop.organisationId, 'invited', shopName]])

  const answered = await courier.post('/partners', { companyId: shop.organisationId })
  assert.deepEqual([answered.body.partner.state, answered.body.partner.company.name], ['partner', shopName])
  assert.deepEqual(await seen(shop), [[courier.organisationId, 'partner', courierName]])

  await courier.put('/company', { name: 'Fast Courier' })
  assert.deepEqual(await seen(shop), [[courier.organisationId, 'partner', 'Fast Courier']])
})

test('an unknown organisation answers like one that has not agreed', async (t) => {
  const { shop, courier } = await aPair(t)
  const tells = async (companyId: number) => {
    const replies = [
      await shop.delete(`/partners/${companyId}`),
      await shop.post('/partners', { companyId }),
      await shop.get('/partners'),
      await shop.delete(`/partners/${companyId}`),
      await shop.get('/partners'),
    ]
    return replies.map(({ status, text }) => [
      status,
      text.replaceAll(String(companyId), '…').replaceAll(/"(since|requestId)":"[^"]+"/g, ''),
    ])
  }

  assert.deepEqual(await tells(courier.organisationId), await tells(nobody))
})

test('asking strangers and taking it back leaves nothing behind', async (t) => {
  const { shop, courier } = await aPair(t)
  for (const companyId of [courier.organisationId, nobody, nobody + 1]) {
    await shop.post('/partners', { companyId })
    await shop.delete(`/partners/${companyId}`)
  }
  const left = await shop.database.everyone.many(sql`
    select from partners where organisation_id = ${shop.organisationId}`)
  assert.equal(left.length, 0)
})

test('either side ends it for both, and it begins only if both agree again', async (t) => {
  const { shop, courier, seen } = await aPair(t)
  const agree = async () => {
    await shop.post('/partners', { companyId: courier.organisationId })
    await courier.post('/partners', { companyId: shop.organisationId })
    assert.equal((await seen(shop))[0][1], 'partner')
  }
  for (const [one, other] of [
    [shop, courier],
    [courier, shop],
  ] as const) {
    await agree()
    assert.equal((await one.delete(`/partners/${other.organisationId}`)).status, 200)
    assert.deepEqual([await seen(shop), await seen(courier)], [[], []])
    assert.equal((await other.delete(`/partners/${one.organisationId}`)).body.error.code, 'PARTNER_NOT_FOUND')
    await one.post('/partners', { companyId: other.organisationId })
    assert.equal((await seen(one))[0][1], 'asked', 'that the other agreed before does not count')
    assert.equal((await other.delete(`/partners/${one.organisationId}`)).status, 200, 'an invitation can be declined')
    assert.deepEqual(await seen(one), [])
  }
})

test('two who agree at the same moment are partners', async (t) => {
  const { shop, courier, seen } = await aPair(t)
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([
      shop.post('/partners', { companyId: courier.organisationId }),
      courier.post('/partners', { companyId: shop.organisationId }),
    ])
    assert.deepEqual([(await seen(shop))[0][1], (await seen(courier))[0][1]], ['partner', 'partner'])
    await shop.delete(`/partners/${courier.organisationId}`)
  }
})

test('nobody is a partner of themselves', async (t) => {
  const { shop } = await aPair(t)
  const { status, body } = await shop.post('/partners', { companyId: shop.organisationId })
  assert.deepEqual([status, body.error.code, body.error.field], [400, 'VALIDATION_FAILED', 'companyId'])
})
