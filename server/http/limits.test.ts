import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../contract/errors.ts'
import { type Operation, operations } from '../../contract/operations.ts'
import { request, startServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import { createLimits } from './limits.ts'

const proxied = { WAYBILL_TRUST_PROXY: 'true' }
const wrongKey = `wb_1_${'A'.repeat(43)}00000000`

/** A request as a proxy forwards it, from this address. */
const ask = (url: string, key: string, address: string) =>
  request(url, 'GET', '/api/v1/webHooks', { key, headers: { 'x-forwarded-for': address } })

async function failUntilLimited(url: string, address: string) {
  for (let turns = 1; turns <= 40; turns += 1) {
    const reply = await ask(url, wrongKey, address)
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
  assert.equal(first?.headers.get('ratelimit'), '"organisation";r=4;t=1')
  await until('the limit to let requests through again', async () => (await server.get('/webHooks')).status === 200)
})

test('without a limit there are no headers about limits', async (t) => {
  const server = await startServer(t)
  const { headers } = await server.get('/webHooks')
  assert.deepEqual([headers.get('ratelimit'), headers.get('ratelimit-policy')], [null, null])
})

test('after too many wrong keys an address has to wait; other addresses are not affected', async (t) => {
  const { url, key } = await startServer(t, proxied)
  const { turns, reply } = await failUntilLimited(url, '203.0.113.1')
  assert.ok(turns >= 21 && turns <= 25, `${turns - 1} wrong keys were checked`)
  assert.deepEqual([reply.status, reply.body.error.code], [429, 'RATE_LIMITED'])
  assert.ok(Number(reply.headers.get('retry-after')) >= 1)

  assert.equal((await ask(url, wrongKey, '203.0.113.2')).status, 401)
  assert.equal((await ask(url, key, '203.0.113.2')).status, 200)
})

test('a key that has worked before still works from an address with too many wrong keys', async (t) => {
  const { url, key, another, post } = await startServer(t, proxied)
  assert.equal((await ask(url, key, '203.0.113.10')).status, 200)
  await failUntilLimited(url, '203.0.113.10')
  // A new key clears the cache of keys that were looked up.
  await post('/keys', { name: 'New' })
  assert.equal((await ask(url, key, '203.0.113.10')).status, 200)

  const stranger = await another()
  // Meanwhile there may be room for another guess.
  await failUntilLimited(url, '203.0.113.10')
  assert.equal((await ask(url, stranger.key, '203.0.113.10')).status, 429, 'a key not seen before has to wait')
  assert.equal((await request(url, 'GET', '/api/v1/webHooks')).status, 401, 'a request without a key is not a guess')
})

test('a key that was refused by operations it is not for still works for the others', async (t) => {
  const { url, key } = await startServer(t, proxied)
  const address = '203.0.113.11'
  const elsewhere = Object.values<Operation>(operations).filter(
    ({ access, method }) => (access === 'driver' || access === 'person') && method === 'GET',
  )
  assert.equal((await ask(url, key, address)).status, 200)
  for (const { path } of elsewhere) {
    const { status } = await request(url, 'GET', path, { key, headers: { 'x-forwarded-for': address } })
    assert.equal(status, 401, path)
  }
  await failUntilLimited(url, address)
  assert.equal((await ask(url, key, address)).status, 200)
})

test('a client cannot fake its address in front of the proxy', async (t) => {
  const { url } = await startServer(t, proxied)
  const from = (guess: number) => ask(url, wrongKey, `198.51.100.${guess}, 203.0.113.20`)
  const replies = []
  for (let guess = 1; guess <= 25; guess += 1) replies.push(await from(guess))
  assert.equal(replies.at(-1)?.status, 429)
})

test('all addresses of one IPv6 network count as one', async (t) => {
  const { url } = await startServer(t, proxied)
  await failUntilLimited(url, '2001:db8:0:1::1')
  assert.equal((await ask(url, wrongKey, '2001:db8:0:1:ffff::9')).status, 429)
  assert.equal((await ask(url, wrongKey, '2001:db8:0:2::1')).status, 401)
})

test('failed sign-ins count like wrong keys, and other errors do not', async () => {
  const limits = createLimits(0)
  const signIn = (error?: Error) =>
    limits.signIn('192.0.2.1', undefined, async () => {
      if (error) throw error
      return 'in'
    })
  for (let turns = 0; turns < 50; turns += 1) {
    await assert.rejects(signIn(new Refusal('OVERLOADED')), { code: 'OVERLOADED' })
    assert.equal(await signIn(), 'in')
  }
  for (let turns = 0; turns < 20; turns += 1)
    await assert.rejects(signIn(new Refusal('UNAUTHORIZED')), { code: 'UNAUTHORIZED' })
  await assert.rejects(signIn(), { code: 'RATE_LIMITED' })
})
