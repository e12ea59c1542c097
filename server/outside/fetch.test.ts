import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import {
  answer,
  type Behaviour,
  drip,
  hang,
  huge,
  identity,
  late,
  redirect,
  reset,
  startReceiver,
} from '../test/receiver.ts'
import { OutsideError, type OutsideFault } from './fault.ts'
import { createOutside, type Lookup, type OutsideRequest } from './fetch.ts'

interface Setting {
  allow?: string[]
  loopback?: boolean
  lookup?: Lookup
  connectionsPerOrigin?: number
}

function start(t: TestContext, { allow = [], loopback = false, ...options }: Setting = {}) {
  const outside = createOutside({ allow, loopback }, options)
  t.after(outside.close)
  const get = (url: string, more: Partial<OutsideRequest> = {}) =>
    outside.send({ method: 'GET', url, timeoutMs: 2_000, ...more })
  return { ...outside, get }
}

const names =
  (table: Record<string, string[]>): Lookup =>
  async (hostname) => {
    const addresses = table[hostname.replace(/\.$/, '')]
    if (!addresses) throw new Error('There is no such name')
    return addresses.map((address) => ({ address }))
  }

function fault(expected: OutsideFault, message = /./) {
  return (error: unknown) => {
    assert(error instanceof OutsideError, String(error))
    assert.equal(error.fault, expected, error.message)
    assert.match(error.message, message)
    return true
  }
}

// ---- Forbidden addresses ----

/** All of these are 127.0.0.1. */
const disguises = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7F.0x0.0x0.0x1',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '0177.0.0.01',
  '0000177.0000.0000.0001',
  '127.0.0.0x1',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[0000:0000:0000:0000:0000:ffff:7f00:0001]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'anything.localhost',
  'loopback.attacker.example',
  'LOOPBACK.attacker.example.',
  'mapped.attacker.example',
]
const disguisedNames = names({
  localhost: ['127.0.0.1'],
  'anything.localhost': ['127.0.0.1'],
  'loopback.attacker.example': ['127.0.0.1'],
  'mapped.attacker.example': ['::ffff:127.0.0.1'],
})

test('no disguise of a loopback address opens a connection', async (t) => {
  const canary = await startReceiver(t)
  const outside = start(t, { lookup: disguisedNames })
  for (const host of disguises) {
    for (const scheme of ['http', 'https']) {
      const attempt = outside.get(`${scheme}://${host}:${canary.port}/`)
      await assert.rejects(attempt, fault('forbidden', /this server may not call/), host)
    }
  }
  assert.equal(canary.connections, 0)
})

test('the same disguises do reach this machine if loopback is allowed', async (t) => {
  const canary = await startReceiver(t)
  const outside = start(t, { loopback: true, lookup: disguisedNames })
  for (const host of disguises) {
    assert.equal((await outside.get(`http://${host}:${canary.port}/`)).status, 200, host)
  }
})

const forbiddenAddresses = {
  'a loopback address': ['127.0.0.1', '127.255.255.254', '[::1]', '[0:0:0:0:0:0:0:1]'],
  'a private address': [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.100.100.200',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[::ffff:10.0.0.1]',
  ],
  'a link-local address': ['169.254.169.254', '0xa9fea9fe', '2852039166', '[fe80::1]', '[::ffff:169.254.169.254]'],
  'a multicast address': ['224.0.0.1', '239.255.255.255', '[ff02::1]'],
  'a broadcast address': ['255.255.255.255'],
  'an unspecified address': ['0.0.0.0', '0', '0.1.2.3', '[::]'],
  'an address reserved for special use': [
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '168.63.129.16', // Azure's host
    '[::127.0.0.1]', // IPv4-compatible
    '[::8.8.8.8]',
    '[::ffff:0:127.0.0.1]', // IPv4-translated
    '[64:ff9b::127.0.0.1]', // NAT64 to ourselves, to a private network, to metadata
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::127.0.0.1]', // local-use NAT64
    '[64:ff9b:1::808:808]',
    '[2002:7f00:1::]', // 6to4
    '[2002:808:808::]',
    '[2606:4700::5efe:7f00:1]', // ISATAP inside a public network
    '[2606:4700::200:5efe:808:808]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', // Teredo
    '[2001:db8::1]',
    '[3fff::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[100::1]',
    '[5f00::1]',
    '[fec0::1]',
    '[4000::1]', // not allocated yet
  ],
}

test('every private, special and reserved address is forbidden, and the reason says what it is', (t) => {
  const { judge } = start(t)
  for (const [kind, hosts] of Object.entries(forbiddenAddresses)) {
    for (const host of hosts) {
      assert.throws(() => judge(`http://${host}/`), fault('forbidden', new RegExp(kind)), host)
    }
  }
})

test('allowing loopback allows no other address', (t) => {
  const { judge } = start(t, { loopback: true })
  const { 'a loopback address': loopback, ...others } = forbiddenAddresses
  for (const host of loopback) judge(`http://${host}/`)
  for (const host of Object.values(others).flat()) {
    assert.throws(() => judge(`http://${host}/`), fault('forbidden'), host)
  }
})

test('public addresses are allowed, also through NAT64', (t) => {
  const { judge } = start(t)
  for (const host of ['8.8.8.8', '172.32.0.1', '[2606:4700::1111]', '[::ffff:8.8.8.8]', '[64:ff9b::808:808]']) {
    judge(`https://${host}/hook`)
  }
})

test('ranges and single addresses can be allowed', (t) => {
  const { judge } = start(t, { allow: ['10.1.0.0/16', '192.168.1.7', 'fd12::/16', '127.0.0.1'] })
  for (const host of ['10.1.2.3', '[::ffff:10.1.2.3]', '192.168.1.7', '[fd12::9]', '127.0.0.1'])
    judge(`http://${host}/`)
  for (const host of ['10.2.0.1', '192.168.1.8', '[fd13::1]', '127.0.0.2', '[::1]']) {
    assert.throws(() => judge(`http://${host}/`), fault('forbidden'), host)
  }
})

test('an invalid range is named in the error', () => {
  for (const range of ['10.0.0.0/33', 'localhost', '', '10/8']) {
    assert.throws(
      () => createOutside({ allow: [range], loopback: false }),
      /is not a range of addresses such as 10\.0\.0\.0\/8/,
    )
  }
})

test('a name with one forbidden address among others is forbidden, in any order', async (t) => {
  const receiver = await startReceiver(t)
  const table = { 'a.example': ['127.0.0.1', '10.0.0.1'], 'b.example': ['169.254.169.254', '127.0.0.1'] }
  const outside = start(t, { allow: ['127.0.0.1'], lookup: names(table) })
  for (const name of Object.keys(table)) {
    await assert.rejects(outside.get(`http://${name}:${receiver.port}/`), fault('forbidden'))
  }
  assert.equal(receiver.connections, 0)
})

test('a name that changes its address after the check is still connected to the checked address', async (t) => {
  // 127.0.0.1 is allowed here and stands for a public address; 127.0.0.2 stands for our own network.
  const receiver = await startReceiver(t)
  receiver.always(answer(200, { headers: { connection: 'close' } }))
  let lookups = 0
  const outside = start(t, {
    allow: ['127.0.0.1'],
    lookup: async () => [{ address: ++lookups === 1 ? '127.0.0.1' : '127.0.0.2' }],
  })
  const url = `http://rebinding.example:${receiver.port}/`
  assert.equal((await outside.get(url)).status, 200)
  assert.equal(lookups, 1, 'the name is resolved once per connection, so there is no second, unchecked answer')
  await assert.rejects(outside.get(url), fault('forbidden', /rebinding\.example leads to a loopback address/))
  assert.equal(receiver.connections, 1)
})

test('a redirect is returned as the answer and not followed', async (t) => {
  const [receiver, canary] = [await startReceiver(t), await startReceiver(t)]
  receiver.always(redirect(canary.url, 307))
  const { status, headers } = await start(t, { loopback: true }).get(receiver.url)
  const { location } = headers
  assert.deepEqual({ status, location }, { status: 307, location: canary.url })
  assert.equal(canary.connections, 0)
})

test('proxies named in the environment are not used', async (t) => {
  const [receiver, proxy] = [await startReceiver(t), await startReceiver(t)]
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) {
    process.env[name] = `http://127.0.0.1:${proxy.port}`
    t.after(() => delete process.env[name])
  }
  await start(t, { loopback: true }).get(receiver.url)
  assert.equal(proxy.connections, 0)
  assert.equal(receiver.requests.length, 1)
})

test('anything but a plain web address is refused with the reason', async (t) => {
  const outside = start(t)
  const refused = (url: string, reason: RegExp) => {
    assert.throws(() => outside.judge(url), fault('invalid', reason), url)
    return assert.rejects(outside.get(url), fault('invalid', reason), url)
  }
  for (const url of [
    '',
    'hello',
    '/hook',
    'http://',
    'http://[::1',
    'http://256.1.1.1/',
    'http://a b/',
    'http://[fe80::1%25eth0]/',
  ]) {
    await refused(url, /not a complete URL/)
  }
  for (const url of [
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'ws://example.com/',
  ]) {
    await refused(url, /must start with https:/)
  }
  for (const url of ['http://user@example.com/', 'http://:password@example.com/', 'http://127.0.0.1@example.com/']) {
    await refused(url, /must not contain a user name or password/)
  }
  await refused(`https://example.com/${'x'.repeat(2_048)}`, /longer than 2048 characters/)
})

// ---- Answers ----

test('a request arrives as it was sent, and its answer comes back', async (t) => {
  const receiver = await startReceiver(t)
  receiver.always(answer(418, { body: 'ceai ☕', headers: { 'X-Kettle': 'on' } }))
  const reply = await start(t, { loopback: true }).send({
    method: 'POST',
    url: `${receiver.url}?a=%20b#part`,
    headers: { 'content-type': 'application/json' },
    body: '{"awb":"ș"}',
    timeoutMs: 2_000,
  })
  const request = await receiver.next()
  assert.equal(request.url, '/hook?a=%20b')
  assert.deepEqual(request.body, { awb: 'ș' })
  assert.equal(request.headers['content-type'], 'application/json')
  assert.equal(request.headers['user-agent'], 'Waybill')
  assert.equal(reply.status, 418)
  assert.equal(reply.headers['x-kettle'], 'on')
  assert.equal(reply.body, 'ceai ☕')
  assert.equal(reply.truncated, false)
  assert(reply.durationMs > 0)
})

test('an interim answer is not mistaken for the answer', async (t) => {
  const receiver = await startReceiver(t)
  const outside = start(t, { loopback: true })
  const interim =
    (then: Behaviour): Behaviour =>
    (request, response) => {
      response.writeProcessing()
      then(request, response)
    }
  receiver.queue(interim(answer(201)), interim(hang))
  assert.equal((await outside.get(receiver.url)).status, 201)
  await assert.rejects(outside.get(receiver.url, { timeoutMs: 150 }), fault('timeout', /did not answer/))
})

test('connections are kept and used again', async (t) => {
  const receiver = await startReceiver(t)
  const outside = start(t, { loopback: true })
  for (let count = 0; count < 10; count++) await outside.get(receiver.url)
  // undici frees a connection a moment after its answer, so a request that follows at once opens a second one.
  assert(receiver.connections <= 2)
})

test('only the first 64 KiB of a huge answer are read', async (t) => {
  const receiver = await startReceiver(t)
  receiver.always(huge(20_000_000))
  const reply = await start(t, { loopback: true }).get(receiver.url)
  assert.equal(reply.status, 200)
  assert.equal(reply.body.length, 64 * 1024)
  assert.equal(reply.truncated, true)
})

test('an answer of exactly the limit is complete, and a cut one never ends with half a character', async (t) => {
  const receiver = await startReceiver(t)
  const outside = start(t, { loopback: true })
  receiver.always(answer(200, { body: 'ab☕' }))
  const read = async (maxBytes: number) => {
    const { body, truncated } = await outside.get(receiver.url, { maxBytes })
    return { body, truncated }
  }
  assert.deepEqual(await read(5), { body: 'ab☕', truncated: false })
  assert.deepEqual(await read(4), { body: 'ab', truncated: true })
})

// ---- No answer ----

test('a request to a receiver that does not answer in time fails', async (t) => {
  const receiver = await startReceiver(t)
  const outside = start(t, { loopback: true })
  receiver.queue(hang, drip(5), late(400))
  const get = () => outside.get(receiver.url, { timeoutMs: 150 })
  await assert.rejects(get(), fault('timeout', new RegExp(`127.0.0.1:${receiver.port} did not answer within 0.15 s`)))
  await assert.rejects(get(), fault('timeout', /answered 200, but did not finish its answer within 0.15 s/))
  await assert.rejects(get(), fault('timeout', /did not answer/))
})

test('a receiver that hangs up counts as no answer', async (t) => {
  const receiver = await startReceiver(t)
  const outside = start(t, { loopback: true })
  receiver.queue(reset, (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('only this')
    setImmediate(() => response.destroy())
  })
  await assert.rejects(outside.get(receiver.url), fault('reset', /closed the connection before answering/))
  await assert.rejects(outside.get(receiver.url), fault('reset'))
})

test('a closed port is reported as a refused connection', async (t) => {
  // No program is ever given a port this low; one that was just closed may be the next that somebody gets.
  const closed = '127.0.0.1:2'
  const outside = start(t, { loopback: true })
  await assert.rejects(
    outside.get(`http://${closed}/`),
    fault('refused', new RegExp(`^${closed} refused the connection$`)),
  )
})

test('a name without an address is reported as not found', async (t) => {
  const outside = start(t, { lookup: names({ 'empty.example': [] }) })
  await assert.rejects(
    outside.get('http://missing.example/'),
    fault('unresolved', /The name missing\.example cannot be resolved/),
  )
  await assert.rejects(outside.get('http://empty.example/'), fault('unresolved', /has no address/))
})

test('a response that is not HTTP counts as no answer', async (t) => {
  const server = net.createServer((socket) => socket.on('error', () => {}).end('220 mail.example ESMTP\r\n'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  await assert.rejects(
    start(t, { loopback: true }).get(`http://127.0.0.1:${port}/`),
    fault('protocol', /valid HTTP response/),
  )
})

test('the caller can abort a request', async (t) => {
  const receiver = await startReceiver(t)
  receiver.always(hang)
  const outside = start(t, { loopback: true })
  const caller = new AbortController()
  const cut = assert.rejects(outside.get(receiver.url, { signal: caller.signal }), fault('aborted'))
  await receiver.next()
  caller.abort()
  await cut
  await assert.rejects(outside.get(receiver.url, { signal: caller.signal }), fault('aborted'))
  assert.equal(receiver.requests.length, 1)
})

test('closing aborts all requests, including those still connecting', async (t) => {
  const receiver = await startReceiver(t)
  receiver.always(hang)
  const silent = net.createServer((socket) => socket.on('error', () => {}))
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  t.after(() => silent.close())
  const handshakeBegun = once(silent, 'connection')

  const outside = start(t, { loopback: true })
  const cut = [receiver.url, `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`].map((url) =>
    assert.rejects(outside.get(url), fault('aborted', /the server is stopping/)),
  )
  const [[handshake]] = await Promise.all([handshakeBegun, receiver.next()])
  await outside.close()
  await Promise.all(cut)
  if (!handshake.closed) await once(handshake.resume(), 'close')
  await assert.rejects(outside.get(receiver.url), fault('aborted', /the server is stopping/))
})

// ---- TLS ----

test('an untrusted certificate is refused', async (t) => {
  const receiver = await startReceiver(t, { tls: true })
  const outside = start(t, { loopback: true })
  await assert.rejects(outside.get(receiver.url), fault('tls', /has a self-signed certificate/))
  assert.equal(receiver.requests.length, 0)
})

test('a trusted certificate is accepted only for its own name', async (t) => {
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([...before, identity.cert])
  t.after(() => tls.setDefaultCACertificates(before))
  const receiver = await startReceiver(t, { tls: true })
  const lookup = names({ 'receiver.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] })
  const outside = start(t, { loopback: true, lookup })
  const get = (host: string) => outside.get(`https://${host}:${receiver.port}/`)

  assert.equal((await get('receiver.test')).status, 200)
  assert.equal((await get('receiver.test.')).status, 200)
  await assert.rejects(get('other.test'), fault('tls', /other\.test:\d+ has a certificate for another name/))
  await assert.rejects(get('127.0.0.1'), fault('tls', /has a certificate for another name/))
  assert.equal(receiver.requests.length, 2)
})

test('https to a port that speaks http fails with an explanation', async (t) => {
  const receiver = await startReceiver(t)
  const outside = start(t, { loopback: true })
  await assert.rejects(outside.get(receiver.url.replace('http:', 'https:')), fault('tls', /does not speak TLS/))
})

// ---- Many at once ----

test('when one address of a name is dead, the next one is tried', async (t) => {
  const receiver = await startReceiver(t)
  const outside = start(t, { loopback: true, lookup: names({ 'two.example': ['::1', '127.0.0.1'] }) })
  assert.equal((await outside.get(`http://two.example:${receiver.port}/`)).status, 200)
})

test('a slow receiver does not hold up another', async (t) => {
  const [slow, quick] = [await startReceiver(t), await startReceiver(t)]
  slow.always(hang)
  const outside = start(t, { loopback: true, connectionsPerOrigin: 2 })
  const stuck = Array.from({ length: 20 }, () =>
    assert.rejects(outside.get(slow.url, { timeoutMs: 600 }), fault('timeout')),
  )
  await slow.waitFor(2)
  for (let count = 0; count < 20; count++) await outside.get(quick.url, { timeoutMs: 500 })
  assert.equal(slow.requests.length, 2)
  await Promise.all(stuck)
})

test('a request aborted while it waited for a connection is never sent', async (t) => {
  const receiver = await startReceiver(t)
  receiver.queue(late(100))
  const outside = start(t, { loopback: true, connectionsPerOrigin: 1 })
  const first = outside.get(`${receiver.url}/1`)
  await assert.rejects(outside.get(`${receiver.url}/2`, { timeoutMs: 30 }), fault('timeout'))
  await first
  await outside.get(`${receiver.url}/3`)
  assert.deepEqual(
    receiver.requests.map(({ url }) => url),
    ['/hook/1', '/hook/3'],
  )
})

test('many connections to one name share one address lookup at a time', async (t) => {
  const receiver = await startReceiver(t)
  let lookups = 0
  const lookup = async () => {
    lookups++
    return [{ address: '127.0.0.1' }]
  }
  const outside = start(t, { loopback: true, lookup })
  await Promise.all(Array.from({ length: 10 }, () => outside.get(`http://busy.example:${receiver.port}/`)))
  assert.equal(receiver.connections, 10)
  assert.equal(lookups, 1)
})
