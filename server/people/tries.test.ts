import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { addPerson, anEmail, aPassword, fromOwnPage, setPassword, signIn } from '../test/people.ts'
import { type Reply, request, startServer } from '../test/server.ts'

const wrong = 'a wrong password'
const codeOf = ({ status, body }: Reply) => (status === 200 ? 'in' : `${status} ${body.error.code}`)
const waitOf = ({ headers }: Reply) => Number(headers.get('retry-after'))

/** The cookie by which the browser is known later. */
function deviceOf({ headers }: Reply) {
  const cookie = headers.getSetCookie().find((one) => one.startsWith('waybill-device='))
  return cookie?.split(';')[0] as string
}

let office = 0

/** A person, and ways to try their password from any address. No two tests share a network. */
async function anAccount(t: TestContext) {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  const person = await addPerson(server)
  const attempt = (password: string, address: string, { cookie, email = person.email }: Attempt = {}) =>
    signIn(server.url, email, password, { 'x-forwarded-for': address, ...(cookie && { cookie }) })
  office += 1
  const network = (number: number) => `10.${office}.${number}.1`
  /** Strangers guess so often that it shows. Each guess takes 50 ms of a core, so one of them stands for fifty. */
  async function beGuessed() {
    assert.equal(codeOf(await attempt(wrong, network(100))), '401 UNAUTHORIZED')
    await server.database.everyone.run(sql`
      update password_tries set wrong = 50 where forget_at = (select max(forget_at) from password_tries)`)
  }
  return { server, person, attempt, network, beGuessed }
}

interface Attempt {
  cookie?: string
  email?: string
}

test('strangers who guess keep nobody out who comes with a device or from a network they used before', async (t) => {
  const { attempt, network, beGuessed } = await anAccount(t)
  const [home, office, hotel] = [network(1), network(2), network(3)]
  const device = deviceOf(await attempt(aPassword, home))
  assert.match(device, /^waybill-device=[\w-]{43}$/)
  await beGuessed()

  assert.equal(codeOf(await attempt(aPassword, home)), 'in', 'another device at home')
  assert.equal(codeOf(await attempt(aPassword, hotel, { cookie: device })), 'in', 'the same device elsewhere')
  for (let mistakes = 0; mistakes < 9; mistakes += 1)
    assert.equal(codeOf(await attempt(wrong, office, { cookie: device })), '401 UNAUTHORIZED')
  assert.equal(codeOf(await attempt(aPassword, office, { cookie: device })), 'in', 'with nine mistakes')
})

test('the right password from a new place gets in while strangers guess; a wrong one waits longer each time', async (t) => {
  const { server, person, attempt, network, beGuessed } = await anAccount(t)
  await beGuessed()
  assert.equal(codeOf(await attempt(aPassword, network(1))), 'in')

  const elsewhere = network(2)
  const waits = []
  for (let tries = 0; tries < 4; tries += 1) {
    assert.equal(codeOf(await attempt(wrong, elsewhere)), '401 UNAUTHORIZED')
    const early = await attempt(aPassword, elsewhere)
    assert.equal(codeOf(early), '429 RATE_LIMITED')
    assert.match(early.body.error.message, /wait, or ask an admin for a link/)
    waits.push(Math.round(waitOf(early) / 60))
    await server.database.everyone.run(sql`update password_tries set next_at = now() where next_at > now()`)
  }
  assert.deepEqual(waits, [1, 4, 16, 64])
  assert.equal(codeOf(await attempt(aPassword, elsewhere)), 'in', 'who waited')

  const { body } = await server.post(`/people/${person.id}/link`)
  for (let tries = 0; tries < 2; tries += 1) await attempt(wrong, network(3))
  const headers = { 'x-forwarded-for': network(3) }
  const chosen = await request(server.url, 'POST', '/api/v1/session/password', {
    body: { token: body.link.split('#')[1], password: 'another password' },
    headers,
  })
  assert.equal(codeOf(chosen), 'in', 'and a link of an admin needs no waiting')
})

test('a network has five tries at an account nobody guesses at, all at once or one after the other', async (t) => {
  const { attempt, network } = await anAccount(t)
  const replies = await Promise.all(Array.from({ length: 12 }, (_, number) => attempt(wrong, `${network(1)}${number}`)))
  const told = replies.map(codeOf)
  assert.deepEqual([told.filter((one) => one === '401 UNAUTHORIZED').length, told.length], [5, 12])
  assert.equal(codeOf(await attempt(aPassword, network(1))), '429 RATE_LIMITED')
  assert.equal(codeOf(await attempt(aPassword, network(2))), 'in', 'other networks do not wait')
})

test('all addresses of a site with IPv6 are one place', async (t) => {
  const { attempt } = await anAccount(t)
  for (let tries = 0; tries < 5; tries += 1) await attempt(wrong, `2001:db8:${office}:${tries}::1`)
  assert.equal(codeOf(await attempt(aPassword, `2001:db8:${office}:ffff::1`)), '429 RATE_LIMITED')
  assert.equal(codeOf(await attempt(aPassword, `2001:db8:1${office}:1::1`)), 'in')
})

test('an account that does not exist is slowed down like one that does', async (t) => {
  const { attempt, network, person } = await anAccount(t)
  const tell = async (email: string, address: string) => {
    const replies = []
    for (let tries = 0; tries < 7; tries += 1) replies.push(await attempt(wrong, address, { email }))
    return replies.map((reply) => [codeOf(reply), reply.body.error.message, Math.ceil(waitOf(reply) / 10)])
  }
  assert.deepEqual(await tell(person.email, network(1)), await tell(anEmail(), network(2)))
})

test('who tries one password on many accounts from one network has to wait, and people known there have not', async (t) => {
  const { attempt, network } = await anAccount(t)
  const address = network(1)
  assert.equal(codeOf(await attempt(aPassword, address)), 'in')
  const told = []
  for (let tries = 0; tries < 24 && told.at(-1) !== '429 RATE_LIMITED'; tries += 1)
    told.push(codeOf(await attempt(wrong, address, { email: anEmail() })))
  assert.equal(told.at(-1), '429 RATE_LIMITED')
  assert.ok(told.length > 20, `${told.length - 1} accounts were tried`)
  assert.equal(codeOf(await attempt(aPassword, address)), 'in')
})

test('a person is remembered on ten devices and in ten networks, and nowhere after they sign out everywhere', async (t) => {
  const { server, person, attempt, network } = await anAccount(t)
  const count = async () =>
    (
      await server.database.everyone.get<{ count: number }>(sql`
        select count(*) from known_callers where organisation_id = ${server.organisationId} and user_id = ${person.id}`)
    ).count
  const first = deviceOf(await attempt(aPassword, network(1)))
  assert.equal(deviceOf(await attempt(aPassword, network(1), { cookie: first })), first, 'a device keeps its name')
  const easy = await attempt(aPassword, network(1), { cookie: 'waybill-device=easy' })
  assert.match(deviceOf(easy), /=[\w-]{43}$/, 'which nobody else chooses for it')
  for (let number = 2; number <= 12; number += 1) await attempt(aPassword, network(number))
  assert.equal(await count(), 20)

  const out = await request(server.url, 'DELETE', '/api/v1/sessions', {
    headers: { ...fromOwnPage, cookie: person.cookie },
  })
  assert.equal(out.status, 200)
  assert.equal(await count(), 0)
})

test('a link that sets a password makes the browser known, too', async (t) => {
  const server = await startServer(t, { WAYBILL_TRUST_PROXY: 'true' })
  const { body } = await server.post('/people', { email: anEmail() })
  assert.match(deviceOf(await setPassword(server.url, body.link)), /^waybill-device=[\w-]{43}$/)
})

test('a session guesses its own password only so often, whatever strangers did', async (t) => {
  const { server, person, beGuessed } = await anAccount(t)
  await beGuessed()
  const change = (currentPassword: string) =>
    request(server.url, 'PUT', '/api/v1/session/password', {
      body: { currentPassword, password: 'another password' },
      headers: { ...fromOwnPage, cookie: person.cookie },
    })
  for (let tries = 0; tries < 9; tries += 1) assert.equal(codeOf(await change(wrong)), '403 WRONG_PASSWORD')
  assert.equal(codeOf(await change(aPassword)), 'in')
})

test('old tries are forgotten, and those that are needed longest are kept', async (t) => {
  const { server, attempt, network } = await anAccount(t)
  for (let tries = 0; tries < 5; tries += 1) await attempt(wrong, network(1))
  const db = server.database.everyone
  await server.makeRound('forgetting tries')
  assert.equal(codeOf(await attempt(aPassword, network(1))), '429 RATE_LIMITED')
  await db.run(sql`update password_tries set forget_at = now() - interval '1 second', next_at = now()`)
  await server.makeRound('forgetting tries')
  assert.deepEqual(await db.many(sql`select account from password_tries`), [])
})
