import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { raw, sql } from '../db/sql.ts'
import { aTask } from '../test/factories.ts'
import { neverQuiet, toFiles } from '../test/messages.ts'
import { aDriverOf, agree, give, type Party, taskOf } from '../test/partners.ts'
import { startServer } from '../test/server.ts'

/* What is erased on one side is erased on every side; what a partner has for itself stays. */

const bob = { name: 'Bob', phone: '0722222222', email: null, address: null }

/** A shop whose courier gives its parcels on, and who tells customers: the last one, unless the shop does. */
async function aChain(t: TestContext, delegatedMessages: 'owner' | 'fulfiller') {
  const server = await startServer(t, toFiles)
  const parties: [Party, Party, Party] = [server, await server.another(), await server.another()]
  const [shop, courier, colleague] = parties
  const settings = { ...neverQuiet, messageOnItsWay: true, showDriverPhoneToPartners: true, delegatedMessages }
  for (const party of parties) {
    await party.put('/company', { settings })
    await party.put('/messageTexts', { texts: [{ cause: 'onItsWay', language: 'ro', text: 'Vine {driver}.' }] })
  }
  await agree(shop, courier)
  await agree(courier, colleague)
  return { server, parties, shop, courier, colleague }
}

/** Where something stands, of any organisation. */
async function tablesWith({ database }: Party, pattern: string) {
  const tables = await database.everyone.many<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace
    order by 1`)
  const looks = tables.map(
    ({ name }) => `select '${name}' as name from ${name} row where row::text ~* '${pattern}' group by 1`,
  )
  return (await database.everyone.many<{ name: string }>(raw(looks.join(' union all ')))).map(({ name }) => name).sort()
}

test('whose task it was before is forgotten along the chain: events, records and messages', async (t) => {
  const { server, shop, courier, colleague } = await aChain(t, 'fulfiller')
  const zoe = { name: 'Zoe Farquhar', phone: '0745678901', email: 'zoe@farquhar.example', address: 'Farquhar Lane 5' }
  await shop.post('/tasks', aTask({ awb: 'F', customer: zoe }))
  await give(shop, courier, 'F')
  await give(courier, colleague, 'F')
  const driver = await aDriverOf(colleague)
  await driver.take('F')
  await driver.act('start', 'F')
  // In two steps, so that each is of somebody who is half another one.
  await shop.put('/tasks/awb/F', { customer: { name: bob.name } })
  await shop.put('/tasks/awb/F', { customer: bob })
  const { messages } = (await colleague.get('/messages?awb=F')).body
  assert.deepEqual(
    messages.map(({ to }: { to: string }) => to),
    ['+40745678901'],
  )
  // The record went with the last task that was theirs.
  assert.deepEqual(await tablesWith(shop, 'farquhar|745678901'), ['events', 'messages'])

  const { counts } = (await shop.post('/erasures', { phone: zoe.phone })).body
  assert.ok(counts.tasks === 0 && counts.customers > 0)
  await server.makeRound('erasure')
  assert.deepEqual(await tablesWith(shop, 'farquhar|745678901'), [])
  for (const party of [shop, courier, colleague])
    assert.deepEqual(
      [(await taskOf(party, 'F')).customer.name, (await taskOf(party, 'F')).erasedAt],
      ['Bob', undefined],
    )
})

test('what a partner has of the same person for itself stays', async (t) => {
  const { server, shop, courier } = await aChain(t, 'fulfiller')
  const person = { name: 'Ana Trelawney', phone: '0745678902' }
  await courier.post('/tasks', aTask({ awb: 'OWN', customer: person }))
  await courier.post('/tasks', aTask({ awb: 'CHANGED', customer: { ...person, name: 'Ana T.' } }))
  await courier.put('/tasks/awb/CHANGED', { customer: bob })
  await shop.post('/tasks', aTask({ awb: 'F', customer: person }))
  await give(shop, courier, 'F')
  await shop.put('/tasks/awb/F', { customer: bob })
  const eventsOf = async (awb: string) => {
    const { id } = await taskOf(courier, awb)
    const { events } = (await courier.get('/events')).body
    return JSON.stringify(events.filter((event: { taskId: number }) => event.taskId === id))
  }
  const before = [await eventsOf('OWN'), await eventsOf('CHANGED')]
  assert.match(await eventsOf('F'), /745678902/)

  await shop.post('/erasures', { phone: person.phone })
  await server.makeRound('erasure')
  assert.doesNotMatch(await eventsOf('F'), /745678902/)
  assert.deepEqual([await eventsOf('OWN'), await eventsOf('CHANGED')], before)
  assert.equal((await taskOf(courier, 'OWN')).customer.name, person.name)
})

test('a driver who was erased is nobody for those whose tasks they did; who came after them stays', async (t) => {
  const { shop, courier, colleague } = await aChain(t, 'owner')
  for (const awb of ['DONE', 'PASSED', 'BACK']) {
    await shop.post('/tasks', aTask({ awb, customer: { name: 'Ana', phone: '0745678903' } }))
    await give(shop, courier, awb)
    await give(courier, colleague, awb)
  }
  const driver = await aDriverOf(colleague, { name: 'Dumitru Zbanca', phone: '0733000222' })
  const other = await aDriverOf(colleague, { name: 'Vlad Ene', phone: '0733000333' })
  for (const awb of ['DONE', 'PASSED', 'BACK']) await driver.take(awb)
  await colleague.put(`/drivers/${driver.id}`, { name: 'Dumitru Zbanca-Pop' })
  await driver.act('start', 'DONE')
  await driver.act('complete', 'DONE')
  await other.take('PASSED')
  await other.act('start', 'PASSED')
  await courier.put(`/tasks/${(await taskOf(courier, 'BACK')).id}/undelegate`, {})
  const told = async () => (await shop.get('/messages')).body.messages.map(({ text }: { text: string }) => text).sort()
  assert.deepEqual(await told(), ['Vine Dumitru.', 'Vine Vlad.'])
  assert.equal((await taskOf(shop, 'DONE')).fulfillerDriver.name, 'Dumitru Zbanca-Pop')

  await colleague.delete(`/drivers/${driver.id}`)
  const { erasures } = (await colleague.post('/erasures', { driverId: driver.id })).body
  assert.equal(erasures[0].counts.tasks, 3)
  assert.deepEqual(await tablesWith(shop, 'zbanca|733000222|Vine Dumitru'), [])
  for (const party of [shop, courier]) {
    assert.equal((await taskOf(party, 'DONE')).fulfillerDriver, undefined)
    assert.deepEqual((await taskOf(party, 'PASSED')).fulfillerDriver, { name: 'Vlad Ene', phone: '+40733000333' })
    assert.match(JSON.stringify((await party.get('/events')).body), /"fulfillerDriver":\{"name":"Vlad Ene"/)
  }

  // What is done to such a task later tells nobody more.
  await colleague.post('/tasks/awb/DONE/notes', { note: 'The ramp is on the left' })
  assert.deepEqual(
    [(await taskOf(shop, 'DONE')).notes.length, (await taskOf(shop, 'DONE')).fulfillerDriver],
    [1, undefined],
  )
})
