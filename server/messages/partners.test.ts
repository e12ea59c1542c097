import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { beginDuty } from '../test/factories.ts'
import { anOffice, neverQuiet, type Wire } from '../test/messages.ts'
import { aDriverOf, agree, give, type Party, taskOf } from '../test/partners.ts'
import { request } from '../test/server.ts'
import { until } from '../test/until.ts'

/* A parcel that a shop gave to a courier, or that went on to a colleague: its customer is told everything once. */

const everything = {
  messageOnItsWay: true,
  messageNextStop: true,
  messageArrived: true,
  messageDelivered: true,
  messageFailed: true,
  messageWindowChanged: true,
}
const causes = ['arrived', 'delivered', 'nextStop', 'onItsWay', 'windowChanged']

/** A shop, a courier and more, all of which send every message, and a driver of the last of them on duty. */
async function aChain(t: TestContext, delegatedMessages: string, others = 1) {
  const shop = await anOffice(t, { ...everything, delegatedMessages })
  const parties: Party[] = [shop.server]
  for (let other = 0; other < others; other += 1) {
    const party = await shop.server.another()
    const settings = { ...neverQuiet, ...everything, delegatedMessages: 'owner' }
    await party.put('/company', { name: `Courier ${party.organisationId}`, settings })
    await agree(parties.at(-1) as Party, party)
    parties.push(party)
  }
  const last = parties.at(-1) as Party
  const driver = await aDriverOf(last, { name: 'Dan Pop' })
  await beginDuty(last.url, driver.key)
  return {
    shop,
    parties,
    driver,
    create: async (awb: string, given: object = {}) => {
      const window = { completeAfter: null, completeBefore: new Date(Date.now() + 3_600_000).toISOString() }
      const task = await shop.create({ awb, userId: null, ...window, ...given })
      for (const [index, party] of parties.slice(1).entries()) await give(parties[index] as Party, party, awb)
      return task
    },
    /** The messages of a task, by who sent them. */
    messages: async (awb: string): Promise<Wire[][]> =>
      Promise.all(parties.map(async (party) => (await party.get(`/messages?awb=${awb}`)).body.messages)),
  }
}
type Chain = Awaited<ReturnType<typeof aChain>>

/** Everything that can happen to a parcel that arrives: it is the next stop, on its way, there, delivered; and its window changes. */
async function deliver({ shop, parties, driver }: Chain, awb: string) {
  // Another one comes first, so that this is a next stop.
  const last = parties.at(-1) as Party
  const before = `BEFORE-${awb}`
  const address = { address: 'Elsewhere', lat: 44.5, lng: 26.2 }
  await last.post('/tasks', { awb: before, address, sendNotifications: false, userId: driver.id })
  await driver.take(awb)
  await driver.act('start', before)
  await shop.server.makeRound('next stops')
  await driver.act('complete', before)
  const later = new Date(Date.now() + 7_200_000).toISOString()
  await (parties[0] as Party).put(`/tasks/awb/${awb}`, { completeBefore: later })
  for (const verb of ['start', 'arrive', 'complete']) await driver.act(verb, awb)
}

const causesOf = (messages: Wire[]) => messages.map(({ cause }) => cause).sort()

for (const others of [1, 2])
  for (const choice of ['owner', 'fulfiller'])
    test(`a customer is told everything once, by the ${choice}${others > 1 ? ' of a chain' : ''}`, async (t) => {
      const chain = await aChain(t, choice, others)
      const task = await chain.create('A')
      await deliver(chain, 'A')
      const messages = await chain.messages('A')
      const teller = choice === 'owner' ? 0 : others
      for (const [index, own] of messages.entries())
        assert.deepEqual(causesOf(own), index === teller ? causes : [], `of number ${index}`)
      const { company, text } = {
        company: (await (chain.parties[teller] as Party).get('/company')).body.company.name,
        text: messages[teller]?.map((one) => one.text).join('\n') ?? '',
      }
      assert.ok(text.includes(company), `in the name of the ${choice}: ${text}`)
      if (choice === 'owner') assert.ok((await taskOf(chain.parties[0] as Party, 'A')).uuid === task.uuid)
    })

test('a failure is told by the one that the owner chose', async (t) => {
  for (const [choice, expected] of [
    ['owner', [['failed'], []]],
    ['fulfiller', [[], ['failed']]],
  ] as const) {
    const chain = await aChain(t, choice)
    await chain.create('F')
    await chain.driver.take('F')
    await chain.driver.act('fail', 'F')
    assert.deepEqual((await chain.messages('F')).map(causesOf), expected, choice)
  }
})

test('the owner’s messages name the driver, and lead to the owner’s page', async (t) => {
  const chain = await aChain(t, 'owner')
  await chain.shop.server.put('/messageTexts', {
    texts: [{ cause: 'onItsWay', language: 'ro', text: '{driver} vine. {link}' }],
  })
  const task = await chain.create('A')
  await chain.driver.take('A')
  await chain.driver.act('start', 'A')
  const [message] = await chain.shop.ended(1)
  assert.match(message.text, new RegExp(`^Dan vine\\. .*/t/${task.uuid}$`))
})

test('no messages for a task means none from anybody, also if the owner says so later', async (t) => {
  for (const choice of ['owner', 'fulfiller']) {
    const chain = await aChain(t, choice)
    await chain.create('NEVER', { sendNotifications: false })
    await chain.create('LATER')
    await (chain.parties[0] as Party).put('/tasks/awb/LATER', { sendNotifications: false })
    for (const awb of ['NEVER', 'LATER']) {
      await chain.driver.take(awb)
      for (const verb of ['start', 'complete']) await chain.driver.act(verb, awb)
      assert.deepEqual((await chain.messages(awb)).map(causesOf), [[], []], `${awb}, ${choice}`)
    }
  }
})

test('who wants no messages of the shop gets none of the courier about its parcels', async (t) => {
  const chain = await aChain(t, 'fulfiller', 2)
  const customer = { name: 'Ana', phone: '0730 555 777' }
  const task = await chain.create('A', { customer })
  const { status } = await request(chain.shop.server.url, 'POST', `/t/${task.uuid}/optOut`, { body: {} })
  assert.equal(status, 200)
  await chain.driver.take('A')
  await chain.driver.act('start', 'A')
  const last = chain.parties[2] as Party
  const look = async () => (await last.get('/messages?awb=A')).body.messages[0]
  const message = await until('it to be judged', async () => {
    const one = await look()
    return one?.endedAt && one
  })
  assert.deepEqual([message.state, message.reason], ['skipped', 'optedOut'])
})

test('a task that is taken back is the owner’s to tell of again', async (t) => {
  const chain = await aChain(t, 'fulfiller')
  const { id } = await chain.create('A')
  const [shop] = chain.parties as [Party]
  assert.equal((await shop.put(`/tasks/${id}/undelegate`)).status, 200)
  await shop.post(`/drivers/${chain.shop.driver.id}/tasks/bulkAssign`, { tasks: [id] })
  await chain.shop.act('start', { id })
  assert.ok(causesOf((await chain.messages('A'))[0] ?? []).includes('onItsWay'))
})
