import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { aTask } from '../../test/factories.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { answerUnreadable, createConnections } from './connections.ts'

async function open({ url }: { url: string }): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Everything received until the other side closes, or until `isEnough`. */
async function readAll(socket: Socket, isEnough: (text: string) => boolean = () => false): Promise<string> {
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (isEnough(text)) break
  }
  return text
}

const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

test('requests sent at once on one connection are answered in order', async (t) => {
  const server = await startServer(t)
  const socket = await open(server)
  const awbs = Array.from({ length: 10 }, (_, number) => `P-${number}`)
  const requests = awbs.flatMap((awb) => {
    const body = JSON.stringify(aTask({ awb }))
    const head = `Host: x\r\nAuthorization: ${server.key}\r\n`
    const create = `POST /api/v1/tasks HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
    return [create, `GET /api/v1/tasks/awb/${awb} HTTP/1.1\r\n${head}\r\n`]
  })
  socket.write(requests.join(''))
  const text = await readAll(socket, (text) => statusesIn(text).length === 20 && text.endsWith('}'))
  assert.deepEqual(
    statusesIn(text),
    Array.from({ length: 20 }, () => 200),
  )
  const seen = [...text.matchAll(/"awb":"(P-\d)"/g)].map(([, awb]) => awb)
  assert.deepEqual([...new Set(seen)], awbs)
})

test('a body cut into tiny pieces is refused in words, a few small ones are not', async (t) => {
  const server = await startServer(t)
  const chunked = (pieces: string[]) =>
    `POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: ${server.key}\r\nContent-Type: application/json\r\n` +
    `Transfer-Encoding: chunked\r\n\r\n${pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`
  const answerTo = async (text: string) => {
    const socket = await open(server)
    socket.write(text)
    const answer = await readAll(socket, (text) => /\r\n\r\n[\s\S]+}$/.test(text))
    socket.destroy()
    return answer
  }
  const body = JSON.stringify({ address: { city: 'Cluj' }, details: 'x'.repeat(10_000) })

  const cut = await answerTo(chunked([...body]))
  assert.deepEqual(statusesIn(cut), [400])
  assert.match(cut, /"message":"The body came in too many pieces/)
  assert.deepEqual(statusesIn(await answerTo(chunked(body.match(/.{1,64}/g) as string[]))), [200])
  assert.deepEqual(statusesIn(await answerTo(chunked([...JSON.stringify({ address: { city: 'Cluj' } })]))), [200])
})

test('a body cut into tiny pieces is not read to its end where nobody wants it, either', async (t) => {
  const server = await startServer(t)
  const socket = await open(server)
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  await once(socket, 'readable')
  // One that was read to its end could ask again.
  const next = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  socket.write(`${'1\r\nx\r\n'.repeat(300)}0\r\n\r\n${next}`)
  assert.deepEqual(statusesIn(await readAll(socket)), [404])
})

test('a request with too many headers is refused in words, before others of its connection', async (t) => {
  const server = await startServer(t)
  const withHeaders = (count: number) => {
    const headers = Array.from({ length: count - 1 }, (_, at) => `x${at}: a\r\n`)
    return `GET /health HTTP/1.1\r\nHost: x\r\n${headers.join('')}\r\n`
  }
  const answerTo = async (text: string) => {
    const socket = await open(server)
    socket.end(text)
    return readAll(socket)
  }
  assert.deepEqual(statusesIn(await answerTo(withHeaders(100))), [200])
  const refused = await answerTo(withHeaders(101).repeat(3))
  assert.deepEqual(statusesIn(refused), [413])
  assert.match(refused, /"code":"PAYLOAD_TOO_LARGE","message":"A request can have at most 100 headers"/)
})

test('a client that closes its side after asking is answered', async (t) => {
  const server = await startServer(t)
  const socket = await open(server)
  socket.end(`GET /api/v1/tasks HTTP/1.1\r\nHost: x\r\nAuthorization: ${server.key}\r\n\r\n`)
  assert.deepEqual(statusesIn(await readAll(socket)), [200])
})

test('clients that closed their side are all answered, two at a time, and nobody else waits for them', async (t) => {
  const held: ServerResponse[] = []
  const server = createConnections((request, response) => {
    if (request.url === '/held') held.push(response)
    else response.end()
  }, false).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clients = await Promise.all(Array.from({ length: 9 }, () => open({ url })))
  for (const client of clients) client.end('GET /held HTTP/1.1\r\nHost: x\r\n\r\n')
  const answers = Promise.all(clients.map((client) => readAll(client)))
  for (let left = clients.length; left > 0; left -= 1) {
    await until('clients to be let in', () => held.length === Math.min(2, left))
    assert.equal((await fetch(url)).status, 200)
    assert.equal(held.length, Math.min(2, left))
    held.shift()?.end('done')
  }
  assert.deepEqual((await answers).flatMap(statusesIn), Array(9).fill(200))
})

test('a client that sends many requests and reads no answer is disconnected', async (t) => {
  const server = await startServer(t)
  const socket = await open(server)
  socket.pause()
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_500))
  await once(socket, 'close')
  assert.equal((await fetch(`${server.url}/health`)).status, 200)
})

async function send(server: TestServer, headers: Record<string, string | number>, body = '', path = '/api/v1/tasks') {
  const socket = await open(server)
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  const text = await readAll(socket, (text) => text.includes('\r\n\r\n') && text.endsWith('}'))
  socket.destroy()
  return { text, status: statusesIn(text)[0], code: /"code":"(\w+)"/.exec(text)?.[1] }
}

test('what clients asked that were gone before we accepted their connection is not begun', async (t) => {
  const begun: string[] = []
  const server = createConnections((request, response) => {
    begun.push(request.url as string)
    response.end()
  }, false).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const leave = `for (let left = 20; left > 0; left -= 1) {
    const socket = require('net').connect(${port}, '127.0.0.1', () => {
      socket.write('GET /gone HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', () => socket.resetAndDestroy())
    })
  }`
  // Meanwhile this process, and so the server, is busy.
  execFileSync(process.execPath, ['-e', leave])
  assert.equal((await fetch(`http://127.0.0.1:${port}/here`)).status, 200)
  assert.deepEqual(begun, ['/here'])
})

test('a request refused by its headers is answered before its body arrives', async (t) => {
  const server = await startServer(t)
  const json = { 'Content-Type': 'application/json', 'Content-Length': 1_900_000 }
  const good = { ...json, Authorization: server.key }
  const cases: [headers: Record<string, string | number>, status: number, code: string, path?: string][] = [
    [json, 401, 'UNAUTHORIZED'],
    [{ ...json, Authorization: 'wrong' }, 401, 'UNAUTHORIZED'],
    [{ ...json, Cookie: 'waybill=x' }, 403, 'CROSS_SITE'],
    [{ ...good, 'Content-Length': 2 * 1024 * 1024 + 1 }, 413, 'PAYLOAD_TOO_LARGE'],
    [{ ...good, 'Content-Type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [good, 404, 'NOT_FOUND', '/api/v1/nothing'],
    [good, 405, 'METHOD_NOT_ALLOWED', '/api/v1/company'],
    [json, 413, 'PAYLOAD_TOO_LARGE', '/api/v1/driver/login'],
  ]
  for (const [headers, status, code, path] of cases) {
    const { text, ...told } = await send(server, headers, '{"awb":', path)
    assert.deepEqual(told, { status, code }, `${JSON.stringify(headers)} ${path ?? ''}`)
    assert.doesNotMatch(text, /100 Continue/)
  }
})

test('a client that asks first is told to continue only if the body will be read', async (t) => {
  const server = await startServer(t)
  const headers = { 'Content-Type': 'application/json', Expect: '100-continue', 'Content-Length': 2 }
  assert.deepEqual(statusesIn((await send(server, headers)).text), [401])
  const { text } = await send(server, { ...headers, Authorization: server.key }, '{}')
  assert.deepEqual(statusesIn(text), [100, 400])
})

test('a body without a length is refused as soon as it is too long', async (t) => {
  const server = await startServer(t)
  const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked', Authorization: server.key }
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  assert.deepEqual((await send(server, headers, chunk.repeat(33))).code, 'PAYLOAD_TOO_LARGE')
  assert.equal(
    (await send(server, { ...headers, 'Content-Type': 'text/plain' }, '0\r\n\r\n')).code,
    'VALIDATION_FAILED',
  )
})

test('a client that sends only half of its headers is told that it took too long, and disconnected', async (t) => {
  const app = Fastify({
    serverFactory: (handle) => createConnections(handle, false, 100),
    clientErrorHandler: answerUnreadable,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const socket = await open({ url: `http://127.0.0.1:${port}` })
  socket.write('GET /api/v1/tasks HTTP/1.1\r\nHost: x\r\nAuthoriz')
  assert.match(await readAll(socket), /^HTTP\/1\.1 408 [\s\S]+"code":"REQUEST_TIMEOUT"/)
})
