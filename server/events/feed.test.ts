import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from '../db/sql.ts'
import { encodeCursor } from '../http/answers/cursor.ts'
import { aTask } from '../test/factories.ts'
import { aDriverOf, aPair, type Party } from '../test/partners.ts'
import { amountsOf, tellNumbers } from '../test/proofs.ts'
import { startReceiver } from '../test/receiver.ts'
import { startSecond } from '../test/second.ts'
import { startServer, type TestServer } from '../test/server.ts'
import { until } from '../test/until.ts'

/** Reads a stream of server-sent events until this many have arrived, or one of this awb. */
async function listen(
  server: { url: string; key: string },
  wanted: number | string,
  headers: Record<string, string> = {},
  query = '',
) {
  const controller = new AbortController()
  const response = await fetch(`${server.url}/api/v1/events/stream${query}`, {
    headers: { authorization: server.key, ...headers },
    signal: controller.signal,
  })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /event-stream/)
  const seen: { id: string; event: string; data: { awb: string; eventId: number } }[] = []
  let lastId = ''
  let heartbeats = 0
  const done = (async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() as string
      for (const part of parts) {
        const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
        if (fields['id']) lastId = fields['id']
        if (part.startsWith(':')) heartbeats += 1
        if (fields['data'] && fields['id'])
          seen.push({ id: fields['id'] as string, event: fields['event'] as string, data: JSON.parse(fields['data']) })
      }
      if (typeof wanted === 'number' ? seen.length >= wanted : awbsOf(seen).includes(wanted)) return seen
    }
    return seen
  })()
  const events = async () => {
    const result = await done
    controller.abort()
    return result
  }
  return { seen, events, lastId: () => lastId, heartbeats: () => heartbeats, stop: () => controller.abort() }
}

const awbsOf = (events: { data: { awb: string } }[]) => events.map(({ data }) => data.awb)

test('the feed has all events in order, and can be continued from a cursor', async (t) => {
  const server = await startServer(t)
  for (const awb of ['A', 'B', 'C']) await server.post('/tasks', aTask({ awb }))
  await server.put('/tasks/awb/A', { details: 'x' })

  const first = (await server.get('/events?limit=3')).body
  assert.deepEqual(
    first.events.map(({ eventId }: { eventId: number }) => eventId),
    [1, 2, 3],
  )
  const rest = (await server.get(`/events?after=${first.nextCursor}`)).body
  assert.deepEqual(
    rest.events.map(({ triggerName }: { triggerName: string }) => triggerName),
    ['TASK_UPDATED'],
  )
  assert.deepEqual(rest.events[0].data.previous, { details: '' })
  const end = (await server.get(`/events?after=${rest.nextCursor}`)).body
  assert.deepEqual(end, { success: true, events: [], nextCursor: rest.nextCursor })
  assert.equal((await server.get('/events?after=nonsense')).body.error.field, 'after')
})

test('the feed and a webhook send the same event, byte for byte', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  await server.post('/webHooks', { url: receiver.url, trigger: 4 })
  await server.post('/tasks', aTask())
  const { rawBody } = await receiver.next()
  assert.equal(JSON.stringify((await server.get('/events')).body.events[0]), rawBody)
})

test('a stream sends events as they happen, and can be resumed after an interruption', async (t) => {
  const server = await startServer(t)
  await server.post('/tasks', aTask({ awb: 'BEFORE' }))
  const live = await listen(server, 2)
  await server.post('/tasks', aTask({ awb: 'ONE' }))
  await server.post('/tasks', aTask({ awb: 'TWO' }))
  const heard = await live.events()
  assert.deepEqual(awbsOf(heard), ['ONE', 'TWO'])
  assert.equal(heard[0]?.event, 'TASK_CREATED')

  await server.post('/tasks', aTask({ awb: 'MEANWHILE' }))
  const again = await listen(server, 2, { 'last-event-id': heard[0]?.id as string })
  assert.deepEqual(awbsOf(await again.events()), ['TWO', 'MEANWHILE'])
})

test('an event reaches all readers at once, none only with the next heartbeat', async (t) => {
  const server = await startServer(t)
  const streams = await Promise.all(Array.from({ length: 5 }, () => listen(server, 3)))
  await until('every stream has begun', () => streams.every(({ lastId }) => lastId() !== ''))
  for (const [index, awb] of ['A', 'B', 'C'].entries()) {
    await server.post('/tasks', aTask({ awb }))
    await until(`${awb} in every stream`, () => streams.every(({ seen }) => seen.length > index))
  }
  for (const { events, heartbeats } of streams) {
    assert.deepEqual(awbsOf(await events()), ['A', 'B', 'C'])
    assert.equal(heartbeats(), 0)
  }
})

test('a stream has only events of its own organisation', async (t) => {
  const server = await startServer(t)
  const other = await server.another()
  const live = await listen(server, 1)
  await other.post('/tasks', aTask({ awb: 'THEIRS' }))
  await server.post('/tasks', aTask({ awb: 'OURS' }))
  assert.deepEqual(awbsOf(await live.events()), ['OURS'])
})

type Pair = Awaited<ReturnType<typeof aPair>>

const endings: Record<string, (pair: Pair) => Promise<unknown>> = {
  'was taken back': ({ shop, task }) => shop.put(`/tasks/${task.id}/undelegate`),
  'was delivered': ({ courier, awb }) => deliver(courier, awb),
}
async function deliver(party: Party, awb: string) {
  const driver = await aDriverOf(party)
  await driver.take(awb)
  await driver.act('start', awb)
  await driver.pay(awb, 50)
  await driver.act('complete', awb)
}

for (const [how, end] of Object.entries(endings))
  test(`a former partner hears no more of a parcel that ${how}, however it listens; its owner does`, async (t) => {
    const pair = await aPair(t)
    const { server, shop, courier, awb } = pair
    const [ours, theirs] = [await listen(shop, 'LAST'), await listen(courier, 'LAST')]
    await pair.delegate()
    await end(pair)
    await shop.delete(`/partners/${courier.organisationId}`)
    await server.database.everyone.run(sql`
      update tasks set completed_at = completed_at - interval '25 hours'
      where organisation_id = ${courier.organisationId}`)
    // A round leaves what somebody holds at that moment to the next one.
    await until('the copy to be erased', async () => {
      await server.makeRound('erasure')
      return (
        (await server.database.everyone.run(sql`
          select from tasks where organisation_id = ${courier.organisationId} and erased_at is null`)) === 0
      )
    })
    for (const one of [shop, courier]) await one.post('/tasks', aTask({ awb: 'OWN' }))

    for (const { status, text } of [
      await shop.put(`/tasks/awb/${awb}`, { details: 'Since then' }),
      await shop.post(`/tasks/awb/${awb}/notes`, { note: 'Since then' }),
    ])
      assert.equal(status, 200, text)
    if (how === 'was taken back') await deliver(shop, awb)
    // What happened before comes before it.
    for (const one of [shop, courier]) await one.post('/tasks', aTask({ awb: 'LAST' }))

    const since = (events: Awaited<typeof ours.seen>) => events.slice(awbsOf(events).indexOf('OWN') + 1)
    const [heard, heardThere] = [await ours.events(), await theirs.events()]
    assert.ok(awbsOf(heardThere).includes(awb), 'as long as it was a partner')
    assert.deepEqual(awbsOf(since(heardThere)), ['LAST'])
    const told = since(heard).filter(({ data }) => data.awb === awb)
    assert.ok(told.length >= 2 && awbsOf(since(heard)).at(-1) === 'LAST', JSON.stringify(told))
    if (how === 'was taken back') assert.ok(told.some(({ event }) => event === 'TASK_COMPLETE'))

    const own = heardThere[awbsOf(heardThere).indexOf('OWN')]
    const page = (await courier.get(`/events?after=${own?.id}`)).body.events
    assert.deepEqual(awbsOf(page.map((data: { awb: string }) => ({ data }))), ['LAST'])
    const again = await (await listen(courier, 'LAST', {}, `?after=${encodeCursor(0)}`)).events()
    assert.deepEqual(awbsOf(again), awbsOf(heardThere))
    assert.doesNotMatch(JSON.stringify(again), /Ana|722000111|Since then/)
  })

test('a stream at one process soon shows what another process did', async (t) => {
  const server: TestServer = await startServer(t)
  const second = await startSecond(t, server)
  const live = await listen({ url: second.url, key: server.key }, 1)
  const begun = performance.now()
  await server.post('/tasks', aTask({ awb: 'ELSEWHERE' }))
  assert.deepEqual(awbsOf(await live.events()), ['ELSEWHERE'])
  t.diagnostic(`heard after ${Math.round(performance.now() - begun)} ms`)
})

/** How many streams the server holds open. */
async function countStreams(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^waybill_streams (\d+)/m.exec(text)?.[1])
}

const waitForStreams = (url: string, count: number) =>
  until(`${count} streams`, async () => (await countStreams(url)) === count)

/** Opens a stream on its own connection, as a browser does, and waits for its first bytes. */
async function openRaw({ url, key }: { url: string; key: string }, query = '') {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(`GET /api/v1/events/stream${query} HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n\r\n`)
  const [begin] = await once(socket, 'data')
  assert.match(String(begin), /^HTTP\/1\.1 200 /)
  return socket
}

test('a stream ends when its reader closes the connection, not only with the next heartbeat', async (t) => {
  const server = await startServer(t)
  const socket = await openRaw(server)
  let heard = ''
  socket.on('data', (chunk) => (heard += chunk))
  socket.end()
  await until('the server to close it too', () => socket.closed)
  assert.equal(heard, '')
})

test('hundreds of readers come and go without a leak', async (t) => {
  const server = await startServer(t)
  const before = await countStreams(server.url)
  const rounds = amountsOf('readers')['hundreds of readers']
  let most = 0
  for (let round = 0; round < rounds; round += 1) {
    // One caller may have 200 at a time, and the server may not have noticed yet who left.
    await until('room for another hundred', async () => (await countStreams(server.url)) <= before + 50)
    const sockets = await Promise.all(Array.from({ length: 100 }, () => openRaw(server)))
    most = Math.max(most, await countStreams(server.url))
    for (const [index, socket] of sockets.entries()) index % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()
  }
  // One of an earlier test may have been among those before.
  await until('nobody to be left', async () => (await countStreams(server.url)) <= before)
  assert.ok(most >= before + 100, `${most} streams were counted`)
  tellNumbers(t, 'readers', { readers: rounds * 100 })
})

/** In bytes, after garbage collection, because the amount of garbage is random. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('the server buffers little for a reader that does not read', async (t) => {
  const server = await startServer(t)
  const details = 'x'.repeat(9_000)
  for (let bulk = 0; bulk < 4; bulk += 1)
    await server.post('/tasks/bulkCreate', { tasks: Array.from({ length: 200 }, () => aTask({ details })) })
  const streams = await countStreams(server.url)
  const before = memoryInUse()
  const sockets = await Promise.all(Array.from({ length: 20 }, () => openRaw(server, `?after=${encodeCursor(0)}`)))
  for (const socket of sockets) socket.pause()
  // By the time two readers, one after the other, have read everything, the others could have had it too.
  for (let reader = 0; reader < 2; reader += 1)
    await (await listen(server, 800, {}, `?after=${encodeCursor(0)}`)).events()
  const grown = (memoryInUse() - before) / 2 ** 20
  t.diagnostic(`20 readers that stopped reading: ${grown.toFixed(0)} MB, of ${(20 * 800 * 0.01).toFixed(0)} MB to send`)
  await waitForStreams(server.url, streams + 20)
  assert.ok(grown < 100)
  for (const socket of sockets) socket.destroy()
  await waitForStreams(server.url, streams)
})

test('a stream ends when the key it was opened with is revoked', async (t) => {
  const server = await startServer(t)
  const { body } = await server.post('/keys', { name: 'Short-lived' })
  const live = await listen({ url: server.url, key: body.key.secret }, 1)
  await server.delete(`/keys/${body.key.id}`)
  await server.post('/tasks', aTask({ awb: 'SECRET' }))
  assert.deepEqual(await live.events(), [])
})

test('a reader that switches processes misses nothing and gets nothing twice', async (t) => {
  const server = await startServer(t)
  const second = await startSecond(t, server)
  const awbs = Array.from({ length: 56 }, (_, number) => `HOP-${number}`)
  const heard: string[] = []
  let live = await listen(server, 7)
  const writing = (async () => {
    for (const awb of awbs) await server.post('/tasks', aTask({ awb }))
  })()
  for (let hops = 1; ; hops += 1) {
    const seen = await live.events()
    heard.push(...awbsOf(seen))
    const left = awbs.length - heard.length
    if (left <= 0) break
    const url = hops % 2 === 0 ? server.url : second.url
    live = await listen({ url, key: server.key }, Math.min(7, left), { 'last-event-id': seen.at(-1)?.id as string })
  }
  await writing
  assert.deepEqual(heard, awbs)
})

test('a stream from an invalid cursor is refused before it begins', async (t) => {
  const server = await startServer(t)
  const { status, body } = await server.get('/events/stream?after=nonsense')
  assert.deepEqual([status, body.error.field], [400, 'after'])
})
