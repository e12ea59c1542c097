import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  answer,
  type Behaviour,
  drip,
  gone,
  late,
  misbehaveBySeed,
  redirect,
  refuse,
  reset,
  startReceiver,
  tooMany,
} from './receiver.ts'
import { until } from './until.ts'

const post = (url: string, body: string) => fetch(url, { method: 'POST', body, redirect: 'manual' })

test('the receiver keeps what it got', async (t) => {
  const receiver = await startReceiver(t)
  await post(`${receiver.url}?a=1`, '{"awb":"ș"}')
  const request = await receiver.next()
  assert.equal(request.method, 'POST')
  assert.equal(request.url, '/hook?a=1')
  assert.equal(request.rawBody, '{"awb":"ș"}')
  assert.deepEqual(request.body, { awb: 'ș' })
  assert.equal(request.headers['content-length'], '12')
  assert(request.receivedAt instanceof Date)
})

test('the receiver echoes a check, and keeps it separate from deliveries', async (t) => {
  const receiver = await startReceiver(t)
  assert.equal(await (await fetch(`${receiver.url}?check=abc`)).text(), 'abc')
  assert.equal(receiver.requests.length, 0)
  assert.equal(receiver.checks.length, 1)
})

test('queued behaviours come first, one request each, and then the usual one', async (t) => {
  const receiver = await startReceiver(t)
  receiver.queue(answer(500), gone, tooMany('30'), redirect('/elsewhere'))
  receiver.always(answer(202))
  const statuses = []
  for (const body of ['1', '2', '3', '4', '5', '6']) statuses.push((await post(receiver.url, body)).status)
  assert.deepEqual(statuses, [500, 410, 429, 302, 202, 202])
})

test('the behaviour may depend on the request', async (t) => {
  const receiver = await startReceiver(t)
  receiver.always((request, response) => answer(request.body === 1 ? 500 : 200)(request, response))
  assert.equal((await post(receiver.url, '1')).status, 500)
  assert.equal((await post(receiver.url, '2')).status, 200)
})

test('a test can wait for requests, together or one after the other', async (t) => {
  const receiver = await startReceiver(t)
  const waiting = Promise.all([receiver.waitFor(2), receiver.next(), receiver.next()])
  await post(receiver.url, '1')
  await post(receiver.url, '2')
  const [both, first, second] = await waiting
  assert.deepEqual(both, [first, second])
  assert.equal(second.body, 2)
})

test('waiting for what does not come fails with a sentence that says what arrived', async (t) => {
  const receiver = await startReceiver(t)
  await post(receiver.url, '1')
  await assert.rejects(receiver.waitFor(2, 20), /waited 20 ms for 2 requests, but got 1: POST \/hook/)
})

test('a reset reaches the sender as a reset', async (t) => {
  const receiver = await startReceiver(t)
  receiver.queue(reset)
  await assert.rejects(post(receiver.url, '1'), (error: Error) =>
    /ECONNRESET/.test(String((error.cause as { code?: string }).code)),
  )
})

test('closing leaves no socket open, whatever is still running', async () => {
  const receiver = await startReceiver()
  receiver.queue(drip(5), late(60_000))
  await post(receiver.url, '1')
  const unanswered = assert.rejects(post(receiver.url, '2'))
  const silent = net.connect(receiver.port, '127.0.0.1').on('error', () => {})
  await Promise.all([receiver.waitFor(2), once(silent, 'connect')])
  await receiver.close()
  await unanswered
  assert.equal(receiver.openSockets, 0)
})

test('a refusing receiver closes all connections for a while and then works again', async (t) => {
  const receiver = await startReceiver(t)
  const over = Promise.withResolvers<void>()
  receiver.queue(refuse(() => over.promise))
  await assert.rejects(post(receiver.url, '1'))
  await assert.rejects(post(receiver.url, '2'))
  assert.equal(receiver.requests.length, 1)
  over.resolve()
  const isBack = () =>
    post(receiver.url, '3').then(
      ({ status }) => status === 200,
      () => false,
    )
  await until('the receiver to be back', isBack)
})

/** What a sender sees of each request, one after the other: a status, or that there was no whole answer. */
async function sendMany(t: TestContext, behaviour: Behaviour, count = 60): Promise<string[]> {
  const receiver = await startReceiver(t)
  receiver.always(behaviour)
  const seen = []
  while (receiver.requests.length < count) {
    const before = receiver.requests.length
    const outcome = await post(receiver.url, '1')
      .then(async (response) => `${response.status} ${(await response.text()).length}`)
      .catch(() => 'none')
    if (receiver.requests.length > before) seen.push(outcome)
    else await setTimeout(1)
  }
  return seen
}

test('with the same seed the receiver always misbehaves in the same way', async (t) => {
  const slowMs = 15
  const [first, again, other] = await Promise.all(
    [7, 7, 8].map((seed) => sendMany(t, misbehaveBySeed(seed, { rate: 0.2, slowMs }))),
  )
  assert.deepEqual(again, first)
  assert.notDeepEqual(other, first)
  assert.deepEqual([...new Set(first)].sort(), ['200 0', '200 200000', '302 0', '429 0', '500 0', '503 0', 'none'])
})

test('the rate says how many requests get a good answer', async (t) => {
  const alwaysGood = await sendMany(t, misbehaveBySeed(1, { rate: 1 }))
  assert.deepEqual(new Set(alwaysGood), new Set(['200 0']))
  const mostlyGood = await sendMany(t, misbehaveBySeed(1, { rate: 0.9, slowMs: 5 }), 200)
  const bad = mostlyGood.filter((outcome) => outcome !== '200 0').length
  assert(bad > 5 && bad < 40, `${bad} of 200 were bad`)
})
