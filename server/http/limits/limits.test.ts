import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Refusal } from '../../../contract/errors.ts'
import { type Operation, operations } from '../../../contract/operations.ts'
import { aTask, makeDriver } from '../../test/factories.ts'
import { anEmail, tokenIn } from '../../test/people.ts'
import { type Reply, request, startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { createLimits } from './limits.ts'

const proxied = { WAYBILL_TRUST_PROXY: 'true' }

/** A request as a proxy forwards it, from this address. */
const ask = (url: string, key: string, address: string) =>
  request(url, 'GET', '/api/v1/webHooks', { key, headers: { 'x-forwarded-for': address } })

let guess = 0
/** A key as a person would choose it, never the same. */
function aGuess() {
  guess += 1
  return `our secret key ${guess}`
}

async function guessUntilLimited(url: string, address: string) {
  for (let turns = 1; turns <= 40; turns += 1) {
    const reply = await ask(url, aGuess(), address)
    if (reply.status !== 401) return { turns, reply }
  }
  throw new Error('Wrong keys are not limited')
}

test('an organisation with too many requests is told to slow down, and others are not', async (t) => {
  const server = await startServer(t, { WAYBILL_RATE_LIMIT: '5' })
  const neighbour = await server.another()
  const begun = performance.now()
  const replies = await Promise.all(Array.from({ length: 20 }, () => server.get('/webHooks')))
  const refused = replies.filter(({ status }) => status === 429)

  const refilled = Math.ceil((5 * (performance.now() - begun)) / 1_000)
  assert.ok(refused.length >= 15 - refilled && refused.length <= 15, `${refused.length} of 20 were refused`)
  for (const { body, headers } of refused) {
    assert.equal(body.error.code, 'RATE_LIMITED')
    assert.equal(headers.get('retry-after'), '1')
    assert.equal(headers.get('ratelimit'), '"organisation";r=0;t=1')
  }
  assert.equal((await neighbour.get('/webHooks')).status, 200)

  const [first] = replies.filter(({ status }) => status === 200)
  assert.equal(first?.headers.get('ratelimit-policy'), '"organisation";q=5;w=1')
  // On a slow machine it is refilled before the answer is written.
  assert.match(first?.headers.get('ratelimit') ?? '', /^"organisation";r=[45];t=[01]$/)
  await until('the limit to let requests through again', async () => (await server.get('/webHooks')).status === 200)
})

test('without a limit there are no headers about limits', async (t) => {
  const server = await startServer(t)
  const { headers } = await server.get('/webHooks')
  assert.deepEqual([headers.get('ratelimit'), headers.get('ratelimit-policy')], [null, null])
})

test('after too many guesses at keys that people choose an address has to wait; others are not affected', async (t) => {
  const { url, key } = await startServer(t, proxied)
  const { turns, reply } = await guessUntilLimited(url, '203.0.113.1')
  assert.ok(turns >= 21 && turns <= 25, `${turns - 1} wrong keys were checked`)
  assert.deepEqual([reply.status, reply.body.error.code], [429, 'RATE_LIMITED'])
  assert.ok(Number(reply.headers.get('retry-after')) >= 1)

  assert.equal((await ask(url, aGuess(), '203.0.113.2')).status, 401)
  assert.equal((await ask(url, key, '203.0.113.2')).status, 200)
})

test('an integration with an old key does not keep the others in its office out', async (t) => {
  const chosen = 'what the operator chose'
  const { url, another } = await startServer(t, { ...proxied, WAYBILL_API_KEY: chosen })
  const address = '203.0.113.10'
  for (let turn = 0; turn < 50; turn += 1) assert.equal((await ask(url, 'our old key of 2024', address)).status, 401)
  assert.equal((await ask(url, chosen, address)).status, 200, 'one wrong key, however often, is one guess')

  await guessUntilLimited(url, address)
  assert.equal((await ask(url, chosen, address)).status, 200, 'a key that has worked before works')
  const { key } = await another()
  assert.equal((await ask(url, key, address)).status, 200, 'and nobody guesses one of ours, so it works at once')
  assert.equal((await request(url, 'GET', '/api/v1/webHooks')).status, 401, 'a request without a key is not a guess')
})

test('a key that was refused by operations it is not for still works for the others', async (t) => {
  const { url, key } = await startServer(t, proxied)
  const address = '203.0.113.11'
  const elsewhere = Object.values<Operation>(operations).filter(
    ({ access, method }) => (access === 'driver' || access === 'person') && method === 'GET',
  )
  for (const { path } of elsewhere) {
    const { status } = await request(url, 'GET', path, { key, headers: { 'x-forwarded-for': address } })
    assert.equal(status, 401, path)
  }
  await guessUntilLimited(url, address)
  assert.equal((await ask(url, key, address)).status, 200)
})

test('a client cannot fake its address in front of the proxy', async (t) => {
  const { url } = await startServer(t, proxied)
  const from = (place: number) => ask(url, aGuess(), `198.51.100.${place}, 203.0.113.20`)
  const replies = []
  for (let place = 1; place <= 25; place += 1) replies.push(await from(place))
  assert.equal(replies.at(-1)?.status, 429)
})

test('all addresses of one IPv6 network count as one', async (t) => {
  const { url } = await startServer(t, proxied)
  await guessUntilLimited(url, '2001:db8:0:1::1')
  assert.equal((await ask(url, aGuess(), '2001:db8:0:1:ffff::9')).status, 429)
  assert.equal((await ask(url, aGuess(), '2001:db8:0:2::1')).status, 401)
})

test('different wrong secrets are counted, other errors are not, and the right one always works', async () => {
  const limits = createLimits(0)
  const bring = (secret: string, error?: Error) =>
    limits.tryRandom(
      '192.0.2.1',
      () => secret,
      async () => {
        if (error) throw error
        return 'in'
      },
    )
  const wrong = new Refusal('UNAUTHORIZED')
  for (let turn = 0; turn < 400; turn += 1) {
    await assert.rejects(bring(`busy ${turn}`, new Refusal('OVERLOADED')), { code: 'OVERLOADED' })
    await assert.rejects(bring('an old link', wrong), { code: 'UNAUTHORIZED' })
  }
  for (let turn = 1; turn < 300; turn += 1)
    await assert.rejects(bring(`wrong ${turn}`, wrong), { code: 'UNAUTHORIZED' })
  await assert.rejects(bring('one too many', wrong), { code: 'RATE_LIMITED', retryAfterSeconds: 1 })
  await assert.rejects(bring('an old link', wrong), { code: 'UNAUTHORIZED' }, 'it is told what it was told before')
  assert.equal(await bring('right'), 'in')
})

test('an office from which hundreds of wrong links were opened still opens the right ones', async (t) => {
  const server = await startServer(t, proxied)
  const headers = { 'x-forwarded-for': '203.0.113.30' }
  const open = (path: string) => request(server.url, 'GET', path, { headers })
  const { body } = await server.post('/tasks', aTask())
  const { body: made } = await server.post('/proofLinks', { awbs: [body.task.awb] })
  const driver = await makeDriver(server)
  const { body: invitation } = await server.post(`/drivers/${driver.id}/invite`)
  const person = await server.post('/people', { email: anEmail() })

  const post = (path: string, sent: object) => request(server.url, 'POST', `/api/v1${path}`, { headers, body: sent })
  const cookie = (secret: string) => ({ ...headers, cookie: `waybill=${secret}` })
  const wrong: ((secret: string) => Promise<Reply>)[] = [
    (secret) => open(`/t/${secret}`),
    (secret) => open(`/p/${secret}/proof.pdf`),
    (secret) => post('/session/link', { token: secret }),
    (secret) => post('/driver/login', { secret }),
    (secret) => request(server.url, 'GET', '/api/v1/session', { headers: cookie(secret) }),
  ]
  const told = []
  for (let turn = 0; told.at(-1) !== 429 && turn < 400; turn += 1) {
    const { status } = await (wrong[turn % wrong.length] as (typeof wrong)[number])(randomUUID())
    told.push(status)
  }
  assert.ok(told.length > 300 && told.length < 400, `${told.length - 1} were told that there is no such link`)

  assert.equal((await open(`/t/${body.task.uuid}`)).status, 200)
  assert.equal((await open(new URL(made.proofLink.link).pathname)).status, 200)
  assert.equal((await post('/driver/login', { secret: tokenIn(invitation.link) })).status, 200)
  assert.equal((await post('/session/link', { token: tokenIn(person.body.link) })).status, 200)
  const again = await server.post(`/drivers/${driver.id}/invite`)
  assert.equal((await post('/driver/login', { phone: driver.phone, code: again.body.code })).status, 200)
})
