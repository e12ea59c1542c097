import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aTask } from '../test/factories.ts'
import { startReceiver } from '../test/receiver.ts'
import { startSecond } from '../test/second.ts'
import { startServer, type TestServer } from '../test/server.ts'

/** Reads a stream of server-sent events until it has seen so many. */
async function listen(
  server: { url: string; key: string },
  count: number,
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
        if (fields['data'])
          seen.push({ id: fields['id'] as string, event: fields['event'] as string, data: JSON.parse(fields['data']) })
      }
      if (seen.length >= count) return seen
    }
    return seen
  })()
  const events = async () => {
    const result = await done
    controller.abort()
    return result
  }
  return { events, lastId: () => lastId, stop: () => controller.abort() }
}

const awbsOf = (events: { data: { awb: string } }[]) => events.map(({ data }) => data.awb)

test('the feed tells everything in order, and leads on from where one left off', async (t) => {
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
  assert.equal((await server.get('/events?after=nonsense')).body.error.field, 'cursor')
})

test('the feed and a webhook say the same, to the byte', async (t) => {
  const server = await startServer(t)
  const receiver = await startReceiver(t)
  await server.post('/webHooks', { url: receiver.url, trigger: 4 })
  await server.post('/tasks', aTask())
  const { rawBody } = await receiver.next()
  assert.equal(JSON.stringify((await server.get('/events')).body.events[0]), rawBody)
})

test('a stream tells of events as they happen, and resumes where it was cut', async (t) => {
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

test('a stream hears only its own organisation', async (t) => {
  const server = await startServer(t)
  const other = await server.another()
  const live = await listen(server, 1)
  await other.post('/tasks', aTask({ awb: 'THEIRS' }))
  await server.post('/tasks', aTask({ awb: 'OURS' }))
  assert.deepEqual(awbsOf(await live.events()), ['OURS'])
})

test('a stream at one process hears within a moment what another one did', async (t) => {
  const server: TestServer = await startServer(t)
  const second = await startSecond(t, server)
  const live = await listen({ url: second.url, key: server.key }, 1)
  const begun = performance.now()
  await server.post('/tasks', aTask({ awb: 'ELSEWHERE' }))
  assert.deepEqual(awbsOf(await live.events()), ['ELSEWHERE'])
  t.diagnostic(`heard after ${Math.round(performance.now() - begun)} ms`)
})

test('a stream from a cursor nobody gave out is refused before it begins', async (t) => {
  const server = await startServer(t)
  const { status, body } = await server.get('/events/stream?after=nonsense')
  assert.deepEqual([status, body.error.field], [400, 'cursor'])
})
