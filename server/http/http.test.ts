import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { apps } from '../../contract/pages.ts'
import { aTask } from '../test/factories.ts'
import { request, startServer } from '../test/server.ts'

test('a key can be the whole header, or be sent as Bearer or Basic', async (t) => {
  const { url, key } = await startServer(t)
  const basic = Buffer.from(`${key}:`).toString('base64')
  for (const credential of [key, `Bearer ${key}`, `bearer ${key}`, `Basic ${basic}`])
    assert.equal(
      (await request(url, 'GET', '/api/v1/webHooks', { key: credential })).status,
      200,
      credential.slice(0, 6),
    )
})

test('without a valid key every request is refused, with the reason', async (t) => {
  const { url, key } = await startServer(t)
  const damaged = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
  const cases: [string | undefined, RegExp][] = [
    [undefined, /missing/],
    ['nonsense', /Unknown key/],
    [damaged, /malformed/],
    [`wb_1_${'A'.repeat(43)}00000000`, /malformed/],
  ]
  for (const [credential, reason] of cases) {
    const { status, body } = await request(url, 'GET', '/api/v1/webHooks', credential ? { key: credential } : {})
    assert.equal(status, 401)
    assert.equal(body.error.code, 'UNAUTHORIZED')
    assert.match(body.error.message, reason)
  }
})

test('an empty body counts as an empty object, whatever its type', async (t) => {
  const { url, key } = await startServer(t)
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
    const { body } = await request(url, 'POST', '/api/v1/tasks', { key, raw: '', headers: { 'content-type': type } })
    assert.deepEqual([body.error.code, body.error.field], ['VALIDATION_FAILED', 'address'])
  }
})

test('a refusal names the rule that a field breaks, of the request and of an item', async (t) => {
  const server = await startServer(t)
  const long = { address: 'București', addressSecondLine: 'x'.repeat(10_000) }
  const { error } = (await server.post('/tasks', { awb: 'A-1', address: long })).body
  assert.deepEqual([error.field, error.rule], ['address.addressSecondLine', 'maxLength'])
  assert.match(error.message, new RegExp(`at most ${error.limit} characters`))
  const [result] = (await server.post('/tasks/bulkCreate', { tasks: [{ awb: 'A-1', address: long }] })).body.results
  assert.deepEqual([result.error.rule, result.error.limit], [error.rule, error.limit])
})

test('a body that is not JSON is refused with the reason', async (t) => {
  const { url, key } = await startServer(t)
  for (const raw of ['{', 'null x', '{"a":}', 'undefined', new Uint8Array([0x22, 0xff, 0x22])]) {
    const { status, body } = await request(url, 'POST', '/api/v1/tasks', { key, raw })
    assert.deepEqual([status, body.error.code], [400, 'INVALID_JSON'])
  }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = await request(url, 'POST', '/api/v1/tasks', { key, raw: 'awb=1', headers })
  assert.deepEqual([form.status, form.body.error.code], [415, 'UNSUPPORTED_MEDIA_TYPE'])
})

test('a body that is too large is refused, and a very deep one does no harm', async (t) => {
  const { url, key } = await startServer(t)
  const large = await request(url, 'POST', '/api/v1/tasks', { key, raw: `"${'x'.repeat(2 * 1024 * 1024)}"` })
  assert.deepEqual([large.status, large.body.error.code], [413, 'PAYLOAD_TOO_LARGE'])

  const depth = 1_000_000
  const deep = await request(url, 'POST', '/api/v1/tasks', { key, raw: `${'['.repeat(depth)}${']'.repeat(depth)}` })
  assert.deepEqual([deep.status, deep.body.error.code], [400, 'INVALID_JSON'])
})

test('a wrong method and a wrong address get different errors', async (t) => {
  const { url, key } = await startServer(t)
  const method = await request(url, 'PUT', '/api/v1/tasks', { key, body: aTask() })
  assert.deepEqual([method.status, method.body.error.code], [405, 'METHOD_NOT_ALLOWED'])
  for (const path of ['/driver/sync', '/tasks/bulkUnassign'])
    for (const method of ['HEAD', 'GET', 'DELETE'])
      assert.equal((await fetch(`${url}/api/v1${path}`, { method })).status, 405, `${method} ${path}`)
  assert.match(method.headers.get('allow') ?? '', /POST/)

  for (const path of ['/api/v1/nothing', '/api/v1/webHooks/1/2/3', '/api/v1/%zz', '/nothing']) {
    const { status, body } = await request(url, 'GET', path, { key })
    assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'], path)
  }
})

test('an impossible id is treated as unknown', async (t) => {
  const server = await startServer(t)
  for (const id of ['0', '-1', 'abc', '1.5', '9007199254740993', '99999999999999999999', '%20', "1'--"]) {
    const { status, body } = await server.delete(`/webHooks/${id}`)
    assert.deepEqual([status, body.error.code], [404, 'WEBHOOK_NOT_FOUND'], id)
  }
})

test('a request that is not HTTP gets an answer too', async (t) => {
  const { url } = await startServer(t)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end('HELLO\r\n\r\n')
  let answer = ''
  for await (const chunk of socket) answer += chunk
  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.match(answer, /"success":false/)
})

test('anyone who found a security hole is told whom to write to, if the operator says so', async (t) => {
  const path = '/.well-known/security.txt'
  const open = await startServer(t, { WAYBILL_SECURITY_CONTACT: 'security@waybill.example' })
  const { body } = await request(open.url, 'GET', path)

  assert.match(body, /^Contact: mailto:security@waybill.example\n/)
  assert.ok(Date.parse(/^Expires: (.*)$/m.exec(body)?.[1] ?? '') > Date.now())
  const silent = await startServer(t)
  assert.equal((await request(silent.url, 'GET', path)).status, 404)
})

test('the health and readiness probes answer', async (t) => {
  const { url } = await startServer(t)
  assert.equal((await request(url, 'GET', '/health')).status, 200)
  assert.equal((await request(url, 'GET', '/ready')).status, 200)
  const metrics = await request(url, 'GET', '/metrics')
  assert.match(metrics.body, /waybill_request_seconds/)
})

test('the licences of what is packed into the pages are passed on with them', async (t) => {
  const { url } = await startServer(t)
  const { status, body } = await request(url, 'GET', '/third-party.txt')
  assert.equal(status, 200)
  for (const name of ['react-dom', 'maplibre-gl', 'idb']) assert.match(body, new RegExp(`## ${name} `))
})

test('the pages work without the network', async (t) => {
  const { url } = await startServer(t)
  const policies = { '/docs': /default-src 'self'/, '/': /script-src 'self';/, '/welcome': /script-src 'self';/ }
  for (const [path, policy] of Object.entries(policies)) {
    const page = await request(url, 'GET', path, { headers: { accept: 'text/html' } })
    const parts = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part]) => part)
    assert.ok(parts.length >= 2)
    for (const part of parts) {
      assert.ok(part.startsWith('/'), `${part} is served by ourselves`)
      assert.equal((await request(url, 'GET', part)).status, 200)
    }
    assert.match(page.headers.get('content-security-policy') ?? '', policy)
    assert.doesNotMatch(page.body, /<script(?![^>]*src=)/, 'no script stands in a page')
  }
  const { body: document } = await request(url, 'GET', '/openapi.json')
  assert.equal(document.openapi, '3.1.0')
  assert.ok(document.paths['/api/v1/webHooks/{webhookId}'].delete)
})

test('browsers cache files whose names change with their content, but check the page itself again', async (t) => {
  const { url } = await startServer(t)
  const page = await request(url, 'GET', '/drivers', { headers: { accept: 'text/html' } })
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.body)?.[1] as string

  assert.match(page.headers.get('cache-control') ?? '', /no-cache/)
  assert.match((await request(url, 'GET', script)).headers.get('cache-control') ?? '', /immutable/)
})

test('at an unknown address a browser gets a "not found" page and a program gets an error', async (t) => {
  const { url } = await startServer(t)
  const browser = { accept: 'text/html,*/*;q=0.8' }
  for (const path of ['/nothing-here', '/driver/1', '/drivers/1', '/assets/none.js']) {
    assert.equal((await request(url, 'GET', path)).body.error.code, 'NOT_FOUND', path)
    const page = await request(url, 'GET', path, { headers: browser })
    assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8'], path)
    assert.match(page.body, /<h1>Page not found<\/h1>/)
  }
  const romanian = await request(url, 'GET', '/nimic', { headers: { ...browser, 'accept-language': 'ro-RO,en' } })
  assert.match(romanian.body, /Pagina nu există/)
  const api = await request(url, 'GET', '/api/v1/nothing', { headers: browser })
  assert.equal(api.body.error.code, 'NOT_FOUND')
})

test('every address of the apps returns the page, also to programs and for HEAD', async (t) => {
  const { url } = await startServer(t)
  for (const path of [...apps.console, ...apps.driver, '/drivers/', '/?day=2026-11-15']) {
    const page = await request(url, 'GET', path)
    assert.equal(page.status, 200, path)
    const head = await request(url, 'HEAD', path)
    assert.deepEqual([head.status, head.text], [200, ''], path)
    assert.equal(head.headers.get('content-length'), page.headers.get('content-length'))
  }
})

test('HEAD answers where GET does, with the same status', async (t) => {
  const { url, key } = await startServer(t)
  for (const path of [
    '/health',
    '/ready',
    '/metrics',
    '/docs',
    '/openapi.json',
    '/console.json',
    '/tracking.json',
    '/brand.svg',
    '/none',
  ]) {
    const [head, get] = [await fetch(url + path, { method: 'HEAD' }), await request(url, 'GET', path)]
    assert.deepEqual([head.status, await head.text()], [get.status, ''], path)
  }
  const head = await fetch(`${url}/api/v1/tasks`, { method: 'HEAD', headers: { authorization: key } })
  assert.equal(head.status, 200)
})

test('a path that leaves the folder or is malformed is not found', async (t) => {
  const { url } = await startServer(t)
  const paths = [
    '/assets/%2e%2e%2fpackage.json',
    '/assets/%00',
    '/assets/..%5c..%5cpackage.json',
    '/assets/%2e',
    '/%00',
  ]
  for (const path of [...paths, '/assets/../../package.json', '/docs/%2e%2e%2fpackage.json', '/map/%2e%2e/x']) {
    const { status, body } = await request(url, 'GET', path)
    assert.deepEqual([status, body.error?.code], [404, 'NOT_FOUND'], path)
  }
})

test('browsers do not cache API responses, and our pages cannot be framed by other sites', async (t) => {
  const server = await startServer(t)
  for (const reply of [await server.get('/tasks'), await server.get('/none'), await server.post('/tasks', {})])
    assert.equal(reply.headers.get('cache-control'), 'no-store')
  for (const path of ['/', '/docs', '/nowhere']) {
    const { headers } = await request(server.url, 'GET', path, { headers: { accept: 'text/html' } })
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path)
    assert.deepEqual([headers.get('x-frame-options'), headers.get('x-content-type-options')], ['DENY', 'nosniff'], path)
  }
})
