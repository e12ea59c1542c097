import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import type { Refusal } from '../../../contract/errors.ts'
import { until } from '../../test/until.ts'
import { createHoldings } from '../limits/holdings.ts'
import { type BodyLimits, createBodyReader, leaveUnread } from './body.ts'

/** A server that reads bodies within these limits and reports the result. */
async function startReader(
  t: TestContext,
  limits: BodyLimits,
  mostBytesInAll?: number,
  onChunk: (chunk: Buffer) => void = () => {},
) {
  const read = createBodyReader(mostBytesInAll)
  const app = Fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', leaveUnread)
  app.post('/', async (request, reply) => {
    const reading = read(request, reply, limits)
    request.raw.on('data', onChunk)
    return reading.catch((error: Refusal) => reply.code(error.status).send({ code: error.code }))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => app.close())
  return (app.server.address() as AddressInfo).port
}

async function send(port: number, text: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(text)
  const [answer] = await once(socket, 'data')
  return { socket, answer: String(answer) }
}

test('a body that does not arrive in time is refused, and the sender is told', async (t) => {
  const port = await startReader(t, { mostBytes: 1_000, withinMs: 100 })
  const { socket, answer } = await send(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n{"a":')
  assert.match(answer, /^HTTP\/1\.1 408 [\s\S]+REQUEST_TIMEOUT/)
  socket.destroy()
})

test('the memory of a refused body is free at once, also of what still arrives', async (t) => {
  const chunks: Buffer[] = []
  const limits = { mostBytes: 200_000, withinMs: 60_000 }
  const port = await startReader(t, limits, 50_000, (chunk) => chunks.push(chunk))
  const { socket, answer } = await send(
    port,
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 150000\r\n\r\n${'x'.repeat(60_000)}`,
  )
  assert.match(answer, /^HTTP\/1\.1 503 /)
  const arrived = chunks.length
  socket.write('x'.repeat(60_000))
  await until('the rest', () => chunks.length > arrived)
  assert.deepEqual([...new Set(chunks.map(({ buffer }) => (buffer as ArrayBuffer).detached))], [true])
  socket.destroy()
})

test('a body that comes in parts is read as a whole', async (t) => {
  const port = await startReader(t, { mostBytes: 1_000, withinMs: 60_000 })
  const socket = connect(port, '127.0.0.1')
  for (const part of ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n', '{"a":"\u00e9'.slice(0, 6)]) {
    socket.write(part)
    await new Promise(setImmediate)
  }
  socket.write('\u00e9xy"}')
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 200 [\s\S]+\{"a":"\u00e9xy"\}$/)
  socket.destroy()
})

test('all bodies together are bounded: the slowest sender is told to retry, the other is read', async (t) => {
  const port = await startReader(t, { mostBytes: 1_000, withinMs: 60_000 }, 500)
  const begun = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 302\r\n\r\n"${'x'.repeat(300)}`
  const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  const answers = sockets.map(async (socket) => {
    socket.write(begun)
    const [answer] = await once(socket, 'data')
    return { socket, answer: String(answer) }
  })
  const first = await Promise.race(answers)
  assert.match(first.answer, /^HTTP\/1\.1 503 [\s\S]+OVERLOADED/)
  sockets.find((socket) => socket !== first.socket)!.write('"')
  const all = await Promise.all(answers)
  assert.match(all.find(({ socket }) => socket !== first.socket)!.answer, /^HTTP\/1\.1 200 [\s\S]+x{300}$/)
  for (const socket of sockets) socket.destroy()
})

test('when too much is held, the slowest client is dropped first, and running requests stay', () => {
  const holdings = createHoldings(100)
  const dropped: string[] = []
  const holder = (name: string) => ({ drop: () => dropped.push(name) })
  const [working, slow, quick, late] = ['working', 'slow', 'quick', 'late'].map(holder)
  holdings.add(working!, 40)
  holdings.settle(working!)
  holdings.add(slow!, 30)
  holdings.add(quick!, 30)
  assert.deepEqual(dropped, [])
  holdings.add(quick!, 10)
  assert.deepEqual(dropped, ['slow'])
  holdings.release(quick!)
  holdings.add(late!, 61)
  assert.deepEqual(dropped, ['slow', 'late'], 'if nobody else can go, the one who is too many')
  holdings.release(working!)
  holdings.add(slow!, 100)
  assert.deepEqual(dropped, ['slow', 'late'])
})

test('a large body that is nested very deep is refused before it is parsed', async (t) => {
  const port = await startReader(t, { mostBytes: 2_000_000, withinMs: 10_000 })
  const well = (depth: number) =>
    `{"text":"]\\"[","x":${'['.repeat(depth)}"${'y'.repeat(300_000)}"${']'.repeat(depth)}}`
  for (const [depth, status] of [
    [900, 200],
    [100_000, 200],
    [500_000, 400],
  ] as const) {
    const body = well(depth)
    const { socket, answer } = await send(
      port,
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), String(depth))
    socket.destroy()
  }
})
