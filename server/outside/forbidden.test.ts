import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import dgram from 'node:dgram'
import dns, { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { mock, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { sql } from '../db/sql.ts'
import { aTask } from '../test/factories.ts'
import { answer, redirect, startReceiver } from '../test/receiver.ts'
import { startServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import { OutsideError } from './fault.ts'
import { createOutside, type Lookup, type Outside } from './fetch.ts'

/*
 * Clients give us urls. We must connect only to public addresses, whatever they try. No packet of these tests leaves
 * the machine: a name server in this file answers for all names, 127.0.0.1 stands for a public address where one is
 * needed, and a trip-wire checks every connect.
 */

// ---- The trip-wire, the canaries, the name server ----

/** Every address this process tried to connect to. Connections to other machines are stopped before a packet leaves. */
const attempts: string[] = []
const connect = net.Socket.prototype.connect
mock.method(net.Socket.prototype, 'connect', function (this: net.Socket, ...given: unknown[]) {
  const [first] = given.flat() as [{ host?: string; port?: number; path?: string }]
  const { host = 'localhost', port, path } = first
  if (path) return Reflect.apply(connect, this, given)
  attempts.push(`${host} ${port}`)
  if (host === 'localhost' || /^127\.|^::1$|^::ffff:7f/.test(host)) return Reflect.apply(connect, this, given)
  queueMicrotask(() => this.destroy(new Error(`The trip-wire stopped a connection to ${host}`)))
  return this
})

/** Listeners in our own network, all on one port, that must never be reached. */
async function startCanaries(t: TestContext, { port = 0, except = '' } = {}) {
  let [chosen, connections] = [port, 0]
  const listening: string[] = []
  for (const address of ['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.254', '::1']) {
    if (address === except) continue
    const server = net.createServer((socket) => {
      connections++
      socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    })
    // Some systems have no IPv6, or only 127.0.0.1.
    const isUp = await once(server.listen(chosen, address), 'listening').then(
      () => true,
      () => false,
    )
    if (!isUp) continue
    t.after(() => server.close())
    chosen = (server.address() as AddressInfo).port
    listening.push(address)
  }
  assert.ok(listening.length > 0 || except, 'no canary could listen')
  return {
    port: chosen,
    listening,
    get connections() {
      return connections
    },
  }
}

interface Records {
  a?: string[]
  aaaa?: string[]
  /** Aliases that lead to the addresses. */
  cname?: string[]
}
/** The n-th question for a name (of either type) gets the n-th answer; the last one stays. */
type Script = Record<string, Records | Records[]>

const types = { a: 1, cname: 5, aaaa: 28 } as const

/** A small name server as an attacker would run it: it answers by script, and answers must not be cached (TTL 0). */
async function startNameServer(t: TestContext, script: Script) {
  const asked = new Map<string, number>()
  const socket = dgram.createSocket('udp4')
  socket.on('message', (query, from) => socket.send(answerQuery(query), from.port, from.address))
  await once(socket.bind(0, '127.0.0.1'), 'listening')
  t.after(() => socket.close())

  function answerQuery(query: Buffer): Buffer {
    const { name, type, end } = readQuestion(query)
    const key = name.toLowerCase()
    const count = asked.get(`${key} ${type}`) ?? 0
    asked.set(`${key} ${type}`, count + 1)
    const steps = [script[key] ?? script['*']].flat()
    const records = steps[Math.min(count, steps.length - 1)]
    const answers = records ? makeAnswers(name, type, records) : []
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(records ? 0x8580 : 0x8583, 2)
    head.writeUInt16BE(answers.length, 6)
    head.writeUInt16BE(0, 10)
    return Buffer.concat([head, query.subarray(12, end), ...answers])
  }

  // A busy process may take a while to answer itself; asked twice, the script would be a step ahead.
  const resolver = new Resolver({ timeout: 60_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${(socket.address() as AddressInfo).port}`])
  const lookup: Lookup = async (hostname) => {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return found
      .flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
      .map((address) => ({ address }))
  }
  return {
    lookup,
    /** The answer from now on. */
    set: (name: string, records: Records) => (script[name] = records),
    timesAsked: (name: string) => asked.get(`${name} ${types.a}`) ?? 0,
  }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function makeAnswers(name: string, type: number, { a = [], aaaa = [], cname = [] }: Records): Buffer[] {
  const chain = [name, ...cname]
  const last = chain.at(-1)!
  const addresses = type === types.a ? a : type === types.aaaa ? aaaa : []
  return [
    ...cname.map((next, index) => makeRecord(chain[index]!, types.cname, writeName(next))),
    ...addresses.map((address) => makeRecord(last, type, toBytes(address))),
  ]
}

function makeRecord(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10) // type, class, TTL 0, length
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([writeName(name), fixed, data])
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(label, 'latin1'))
  return Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.from([0])])
}

function toBytes(address: string): Buffer {
  if (net.isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const [front = [], back = []] = groups.map((part) => part.split(':').filter(Boolean))
  const middle = Array.from({ length: 8 - front.length - back.length }, () => '0')
  return Buffer.from([...front, ...middle, ...back].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

// ---- The spellings ----

type Bytes = [number, number, number, number]

const hex = (value: number, width = 0) => value.toString(16).padStart(width, '0')
const octal = (value: number, width = 0) => `0${value.toString(8).padStart(width, '0')}`
const asNumber = (bytes: Bytes) => bytes.reduce((sum, byte) => sum * 256 + byte, 0)
const groupsOf = ([a, b, c, d]: Bytes) => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
const inverted = (bytes: Bytes) => bytes.map((byte) => 255 - byte) as Bytes
const withDigits = (text: string, zero: number) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
const percent = (text: string) => text.replace(/./g, (char) => `%${hex(char.charCodeAt(0), 2)}`)

/** Spellings that a url parser, or a sloppy program behind it, may read as an IPv4 address. */
const ipv4Spellings: Record<string, (dotted: string, bytes: Bytes) => string> = {
  plain: (dotted) => dotted,
  'trailing dot': (dotted) => `${dotted}.`,
  'one number': (_, bytes) => String(asNumber(bytes)),
  'one hex number': (_, bytes) => `0x${hex(asNumber(bytes), 8)}`,
  'one HEX number': (_, bytes) => `0X${hex(asNumber(bytes), 8).toUpperCase()}`,
  'one long hex number': (_, bytes) => `0x${hex(asNumber(bytes), 24)}`,
  'one octal number': (_, bytes) => octal(asNumber(bytes)),
  'one padded octal number': (_, bytes) => octal(asNumber(bytes), 20),
  'two parts': (_, [a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  'two parts in hex': (_, [a, b, c, d]) => `0x${hex(a)}.0x${hex((b * 256 + c) * 256 + d)}`,
  'three parts': (_, [a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  'three parts, mixed': (_, [a, b, c, d]) => `${octal(a)}.0x${hex(b)}.${c * 256 + d}`,
  'octal parts': (_, bytes) => bytes.map((byte) => octal(byte)).join('.'),
  'padded octal parts': (_, bytes) => bytes.map((byte) => octal(byte, 8)).join('.'),
  'hex parts': (_, bytes) => bytes.map((byte) => `0x${hex(byte)}`).join('.'),
  'padded HEX parts': (_, bytes) => bytes.map((byte) => `0X${hex(byte, 6).toUpperCase()}`).join('.'),
  'mixed parts': (_, [a, b, c, d]) => `0x${hex(a)}.${octal(b)}.${c}.0x${hex(d)}`,
  'mixed the other way, trailing dot': (_, [a, b, c, d]) => `${octal(a)}.${b}.0x${hex(c)}.${octal(d)}.`,
  'full-width digits': (dotted) => withDigits(dotted, 0xff10),
  'mathematical digits': (dotted) => withDigits(dotted, 0x1d7ce),
  'double-struck digits': (dotted) => withDigits(dotted, 0x1d7d8),
  'segmented digits': (dotted) => withDigits(dotted, 0x1fbf0),
  'circled digits': (dotted) =>
    dotted.replace(/\d/g, (digit) => (digit === '0' ? '⓪' : String.fromCodePoint(0x245f + Number(digit)))),
  'superscript digits': (dotted) => dotted.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]!),
  'subscript digits': (dotted) => withDigits(dotted, 0x2080),
  'full-width hex': (_, bytes) => withDigits(`０ｘ${hex(asNumber(bytes), 8)}`, 0xff10),
  'ideographic dots': (dotted) => dotted.replaceAll('.', '。'),
  'full-width dots': (dotted) => dotted.replaceAll('.', '．'),
  'half-width dots': (dotted) => dotted.replaceAll('.', '｡'),
  'percent-encoded': percent,
  'percent-encoded dots': (dotted) => dotted.replaceAll('.', '%2E'),
  'percent-encoded full-width': (dotted) => encodeURIComponent(withDigits(dotted, 0xff10)),
  'soft hyphens': (dotted) => dotted.replaceAll('.', '\u00ad.'),
  'zero-width spaces': (dotted) => dotted.replaceAll('.', '.\u200b'),
  'word joiners': (dotted) => `\u2060${dotted}`,
  'variation selectors': (dotted) => dotted.replaceAll('.', '\ufe0f.'),
  'byte order mark': (dotted) => `${dotted}\ufeff`,
  tabs: (dotted) => dotted.replaceAll('.', '\t.'),
  'new lines': (dotted) => dotted.replaceAll('.', '.\r\n'),
  mapped: (dotted) => `[::ffff:${dotted}]`,
  'mapped in hex': (_, bytes) => `[::ffff:${groupsOf(bytes)}]`,
  'MAPPED IN FULL': (_, bytes) => `[0000:0000:0000:0000:0000:FFFF:${groupsOf(bytes).toUpperCase()}]`,
  'mapped, zeros elsewhere': (dotted) => `[0:0::0:ffff:${dotted}]`,
  compatible: (dotted) => `[::${dotted}]`,
  'compatible in hex': (_, bytes) => `[::${groupsOf(bytes)}]`,
  translated: (dotted) => `[::ffff:0:${dotted}]`,
  NAT64: (dotted) => `[64:ff9b::${dotted}]`,
  'NAT64 in hex': (_, bytes) => `[0064:FF9B:0:0:0:0:${groupsOf(bytes)}]`,
  'local NAT64': (dotted) => `[64:ff9b:1::${dotted}]`,
  '6to4': (_, bytes) => `[2002:${groupsOf(bytes)}::]`,
  '6to4 with a host': (_, bytes) => `[2002:${groupsOf(bytes)}:1::1]`,
  ISATAP: (dotted) => `[2606:4700::5efe:${dotted}]`,
  'ISATAP, a universal one': (_, bytes) => `[2606:4700:0:1:200:5efe:${groupsOf(bytes)}]`,
  'Teredo server': (_, bytes) => `[2001:0:${groupsOf(bytes)}::]`,
  'Teredo client': (_, bytes) => `[2001::8000:63bf:${groupsOf(inverted(bytes))}]`,
}

const loopbackIpv4 = ['127.0.0.1', '127.0.0.2', '127.255.255.254']
const otherIpv4 = {
  'this network': '0.0.0.0',
  private: '10.0.0.1',
  'private B': '172.16.0.1',
  'private C': '192.168.1.1',
  'carrier-grade NAT': '100.64.0.1',
  'metadata of AWS, Google, Azure, Oracle, DigitalOcean, Hetzner': '169.254.169.254',
  'credentials of ECS': '169.254.170.2',
  'credentials of EKS': '169.254.170.23',
  'metadata of Alibaba': '100.100.100.200',
  'metadata of Oracle Classic': '192.0.0.192',
  'host of Azure': '168.63.129.16',
  benchmarking: '198.18.0.1',
  multicast: '224.0.0.1',
  reserved: '240.0.0.1',
  broadcast: '255.255.255.255',
}

const spell = (dotted: string) =>
  Object.entries(ipv4Spellings).map(([way, write]) => ({
    host: write(dotted, dotted.split('.').map(Number) as Bytes),
    title: `${dotted}, ${way}`,
  }))

const ipv6Hosts = [
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '0::1',
  '::0:1',
  '::0.0.0.1',
  '::',
  '0::0',
  '::ffff:0:1',
  'fe80::1',
  'FE80::A9FE:A9FE',
  'febf::1',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254', // metadata of AWS
  'fd00:ec2::23', // credentials of EKS
  'fd20:ce::254', // metadata of Google
  'fd00:42::42', // metadata of Scaleway
  'ff02::1',
  'ff0e::1',
  '100::1',
  '2001:db8::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '3fff::1',
  '5f00::1',
  '4000::1',
  '64:ff9b:1:ffff::1',
].map((address) => ({ host: `[${address}]`, title: address }))

const hosts = [...loopbackIpv4, ...Object.values(otherIpv4)].flatMap(spell).concat(ipv6Hosts)

/** Tricks around the host. `here` is the canary's host and port; names all lead to the canary as well. */
const urlTricks = (here: string, port: number) => [
  `HTTP://${here}/`,
  `hTtPs://${here}/`,
  `http:${here}/`,
  `http:/${here}/`,
  `http:///${here}/`,
  `http://////${here}/`,
  `http:\\\\${here}\\`,
  `http:/\\${here}`,
  `\\\\${here}\\hook`,
  `//${here}/`,
  here,
  `  http://${here}/  `,
  `\u0000http://${here}/`,
  `\t\nhttp://${here}/`,
  `h\tt\nt\rp://${here}/`,
  `http:/\t/${here}/`,
  `http://\n${here}/`,
  `http://${here}\n/`,
  `http://${here}/\r\nHost: public.example`,
  `http://127.0.0.1\u0000.public.example:${port}/`,
  `http://127.0.0.1%00.public.example:${port}/`,
  `http://127.0.0.1%0d%0a.public.example:${port}/`,
  `http://127.0.0.1%20:${port}/`,
  `http://127.0.0.1 :${port}/`,
  `http://127.0.0.1,public.example:${port}/`,
  `http://127.0.0.1;public.example:${port}/`,
  `http://@${here}/`,
  `http://:@${here}/`,
  `http://@@${here}/`,
  `http://public.example@${here}/`,
  `http://public.example:80@${here}/`,
  `http://public.example%40${here}/`,
  `http://public.example:80%40${here}/`,
  `http://public.example\\@${here}/`,
  `http://${here}\\@public.example/`,
  `http://${here}/@public.example`,
  `http://${here}#@public.example/`,
  `http://${here}?@public.example/`,
  `http://${here}%23@public.example/`,
  `http://${here}%2f@public.example/`,
  `http://public.example#@${here}/`,
  `http://public.example?@${here}/`,
  `http://public.example&@${here}#@public.example/`,
  `http://public.example ${here}/`,
  `http://${here} @public.example/`,
  `http://${here}:80/`,
  `http://${here}@/`,
  'http://127.0.0.1',
  'http://127.0.0.1:/',
  'http://127.0.0.1:0/',
  'http://127.0.0.1:00080/',
  'https://127.0.0.1/',
  'http://127.0.0.1:65536/',
  `http://127.0.0.1:+${port}/`,
  `http://127.0.0.1:0${port}/`,
  `http://127.0.0.1:${withDigits(String(port), 0xff10)}/`,
  `http://127.0.0.1..:${port}/`,
  `http://127.0.0.1../`,
  `http://127..1:${port}/`,
  `http://.127.0.0.1:${port}/`,
  `http://127.0.0.1.1:${port}/`,
  `http://0:${port}/`,
  `http://0x:${port}/`,
  `http://00000:${port}/`,
  `http://0.:${port}/`,
  `http://4294967296:${port}/`,
  `http://6425673729:${port}/`, // 127.0.0.1 plus 2^32
  `http://383.256.256.257:${port}/`, // every part too large by 256
  `http://[::1%25lo]:${port}/`,
  `http://[::1%lo]:${port}/`,
  `http://[::1%251]:${port}/`,
  `http://[fe80::1%25eth0]:${port}/`,
  `http://[::ffff:127.0.0.1%25lo]:${port}/`,
  `http://[::ffff:127.1]:${port}/`,
  `http://[::ffff:0x7f.0.0.1]:${port}/`,
  `http://[[::1]]:${port}/`,
  `http://[::1:${port}/`,
  `http://::1:${port}/`,
  `http://%5B::1%5D:${port}/`,
  `http://[127.0.0.1]:${port}/`,
  `http://[v1.127.0.0.1]:${port}/`,
  `http://localhost:${port}/`,
  `http://LocalHost:${port}/`,
  `http://localhost.:${port}/`,
  `http://ｌｏｃａｌｈｏｓｔ:${port}/`,
  `http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:${port}/`,
  `http://loc\u00adalhost:${port}/`,
  `http://local%68ost:${port}/`,
  `http://localhoſt:${port}/`,
  `http://localhost.localdomain:${port}/`,
  `http://ip6-localhost:${port}/`,
  `http://anything.localhost:${port}/`,
  `http://a.b.c.localhost.:${port}/`,
  `http://127.0.0.1.nip.example:${port}/`,
  `http://7f000001.rebind.example:${port}/`,
  `http://xn--127-.example:${port}/`,
  `http://xn--localhost-:${port}/`,
  `blob:http://${here}/`,
  `view-source:http://${here}/`,
  `jar:http://${here}!/`,
  `feed:http://${here}/`,
  `url:http://${here}/`,
  `http+unix://${here}/`,
  `unix:///var/run/docker.sock`,
  `ftp://${here}/`,
  `gopher://${here}/_GET%20/`,
  `dict://${here}/`,
  `ldap://${here}/`,
  `ws://${here}/`,
  `file://${here}/etc/passwd`,
  `file:///proc/self/environ`,
  `data:text/plain,http://${here}/`,
  `httpss://${here}/`,
  `http\u200b://${here}/`,
]

/** The worst name server: it says that every name is on our own machine. */
const everythingIsHere: Script = { '*': { a: ['127.0.0.1'], aaaa: ['::1'] } }

const get = (outside: Outside, url: string) => outside.send({ method: 'GET', url, timeoutMs: 3_000 })

const faultOf = (sent: Promise<unknown>) =>
  sent.then(
    () => 'answered',
    (error) => (error instanceof OutsideError ? error.fault : String(error)),
  )

async function start(
  t: TestContext,
  { script = everythingIsHere, ...policy }: { script?: Script; allow?: string[]; loopback?: boolean } = {},
) {
  const names = await startNameServer(t, script)
  const outside = createOutside({ allow: [], loopback: false, ...policy }, { lookup: names.lookup })
  t.after(outside.close)
  const before = attempts.length
  return { ...names, outside, newAttempts: () => attempts.slice(before) }
}

// ---- No spelling gets through ----

test('no connection is tried to several hundred spellings of addresses that are not public', async (t) => {
  const canaries = await startCanaries(t)
  const { outside, newAttempts } = await start(t)
  assert(hosts.length > 900, `only ${hosts.length} spellings`)
  for (const { host, title } of hosts) {
    for (const scheme of ['http', 'https']) {
      const fault = await faultOf(get(outside, `${scheme}://${host}:${canaries.port}/`))
      assert.equal(fault, 'forbidden', `${title}: ${host}`)
    }
  }
  assert.deepEqual(newAttempts(), [])
  assert.equal(canaries.connections, 0)
})

/** Otherwise the test above could pass because its spellings lead nowhere at all. */
test('if loopback is allowed, all its spellings arrive', async (t) => {
  const canaries = await startCanaries(t)
  const { outside } = await start(t, { loopback: true })
  const tunnel = /compatible|translated|NAT64|6to4|ISATAP|Teredo/
  const spelled = canaries.listening.filter(net.isIPv4).flatMap(spell)
  const meant = spelled.filter(({ title }) => !tunnel.test(title))
  for (const { host, title } of meant) {
    assert.equal(await faultOf(get(outside, `http://${host}:${canaries.port}/`)), 'answered', title)
  }
  assert.equal(canaries.connections, meant.length)
})

test('tricks around the host are refused, even if every name leads to our machine', async (t) => {
  const canaries = await startCanaries(t)
  // A resolver may accept names that are never sent to a name server; this one resolves even those to our machine.
  const outside = createOutside({ allow: [], loopback: false }, { lookup: async () => [{ address: '127.0.0.1' }] })
  t.after(outside.close)
  const before = attempts.length
  const tricks = canaries.listening
    .map((address) => (net.isIPv6(address) ? `[${address}]` : address))
    .flatMap((address) => urlTricks(`${address}:${canaries.port}`, canaries.port))
  for (const url of tricks) {
    assert.match(await faultOf(get(outside, url)), /^(forbidden|invalid)$/, JSON.stringify(url))
  }
  assert.deepEqual(attempts.slice(before), [])
  assert.equal(canaries.connections, 0)
})

// ---- No name gets through ----

const metadataNames: Script = {
  'metadata.google.internal': { a: ['169.254.169.254'], aaaa: ['fd20:ce::254'] },
  'metadata.goog': { a: ['169.254.169.254'] },
  metadata: { a: ['169.254.169.254'] },
  'instance-data': { a: ['169.254.169.254'] },
  'instance-data.ec2.internal': { aaaa: ['fd00:ec2::254'] },
  'metadata.azure.internal': { a: ['169.254.169.254'] },
  'wireserver.azure.example': { a: ['168.63.129.16'] },
  'metadata.tencentyun.com': { a: ['169.254.0.23'] },
  'metadata.aliyun.example': { a: ['100.100.100.200'] },
  'metadata.oracle.example': { a: ['192.0.0.192'] },
  'metadata.packet.example': { a: ['192.168.10.2'] },
  'rancher-metadata': { a: ['169.254.169.250'] },
  'kubernetes.default.svc': { a: ['10.96.0.1'] },
  'kubernetes.default.svc.cluster.local': { a: ['10.96.0.1'] },
  'host.docker.internal': { a: ['192.168.65.2'] },
  'gateway.docker.internal': { a: ['172.17.0.1'] },
  localhost: { a: ['127.0.0.1'], aaaa: ['::1'] },
  'localhost.localdomain': { a: ['127.0.1.1'] },
  'anything.localhost': { aaaa: ['::1'] },
  'printer.local': { a: ['192.168.1.9'] },
}

const [pub, pub6] = ['127.0.0.1', '2606:4700::1111'] // the first is allowed below, the second truly public

const mixedAnswers: Record<string, Records> = {
  'private last': { a: [pub, '10.0.0.1'] },
  'private first': { a: ['10.0.0.1', pub] },
  'private between': { a: [pub, '127.0.0.2', pub] },
  'one of many': { a: [...Array.from({ length: 12 }, () => pub), '169.254.169.254'] },
  'public A, private AAAA': { a: [pub], aaaa: ['::1'] },
  'private A, public AAAA': { a: ['127.0.0.2'], aaaa: [pub6] },
  'public A, mapped AAAA': { a: [pub], aaaa: ['::ffff:127.0.0.2'] },
  'public A, NAT64 AAAA': { a: [pub], aaaa: ['64:ff9b::7f00:2'] },
  'public A, 6to4 AAAA': { a: [pub], aaaa: ['2002:7f00:2::'] },
  'public A, unique local AAAA': { a: [pub], aaaa: ['fd00::1'] },
  'public A, unspecified AAAA': { a: [pub], aaaa: ['::'] },
  'unspecified A': { a: ['0.0.0.0', pub] },
}
const chainedAnswers: Record<string, Records> = {
  'one step': { cname: ['localhost'], a: ['127.0.0.2'] },
  'to metadata': { cname: ['metadata.google.internal'], a: ['169.254.169.254'] },
  'many steps': { cname: ['a.example', 'b.example', 'c.example', 'db.internal'], a: ['10.1.2.3'] },
  'many steps, IPv6': { cname: ['a.example', 'b.example', 'ip6-localhost'], aaaa: ['::1'] },
  'a chain to both': { cname: ['cdn.example'], a: [pub, '192.168.0.1'] },
}

test('a name with a special address, alone, among good ones or behind aliases, is refused', async (t) => {
  const asNames = (answers: Record<string, Records>) =>
    Object.fromEntries(Object.entries(answers).map(([title, records]) => [`${toLabel(title)}.example`, records]))
  const script = { ...metadataNames, ...asNames(mixedAnswers), ...asNames(chainedAnswers) }
  const { outside, timesAsked, newAttempts } = await start(t, { script, allow: [pub] })
  const canaries = await startCanaries(t)
  for (const name of Object.keys(script)) {
    const shouted = name.toUpperCase()
    for (const url of [
      `http://${name}/`,
      `https://${name}:${canaries.port}/`,
      `http://${shouted}.:${canaries.port}/`,
    ]) {
      assert.equal(await faultOf(get(outside, url)), 'forbidden', url)
    }
    assert.equal(timesAsked(name), 3, 'the name server was really asked')
  }
  assert.deepEqual(newAttempts(), [])
  assert.equal(canaries.connections, 0)
})

const toLabel = (title: string) => title.toLowerCase().replace(/\W+/g, '-')

test('an address is checked in every form a resolver may return it', async (t) => {
  const canaries = await startCanaries(t)
  const forms = [
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:FFFF:7F00:1',
    '::127.0.0.1',
    '::7f00:1',
    '::1%lo',
    '::',
  ]
  const odd = ['fe80::1%lo', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '127.0.0.1.', '[::1]', 'localhost', '', ' ']
  const before = attempts.length
  for (const address of [...forms, ...odd]) {
    const outside = createOutside({ allow: [], loopback: false }, { lookup: async () => [{ address }] })
    t.after(outside.close)
    assert.notEqual(await faultOf(get(outside, `http://odd.example:${canaries.port}/`)), 'answered', address)
  }
  assert.deepEqual(attempts.slice(before), [])
  assert.equal(canaries.connections, 0)
})

// ---- Names that change their address ----

const good: Records = { a: [pub] }
const insides: Records[] = [
  { a: ['127.0.0.2'] },
  { a: ['127.255.255.254'] },
  { aaaa: ['::1'] },
  { a: ['0.0.0.0'] },
  { a: ['169.254.169.254'] },
  { a: [pub, '127.0.0.2'] },
]

/** A receiver at 127.0.0.1, which is allowed and stands for a public address, and canaries at others on that port. */
async function startRebinding(t: TestContext, script: Script, { keepAlive = false } = {}) {
  const receiver = await startReceiver(t)
  receiver.always(answer(200, keepAlive ? {} : { headers: { connection: 'close' } }))
  const canaries = await startCanaries(t, { port: receiver.port, except: pub })
  const started = await start(t, { script, allow: [pub] })
  const elsewhere = () => started.newAttempts().filter((attempt) => attempt !== `${pub} ${receiver.port}`)
  return { ...started, receiver, canaries, elsewhere }
}

test('a name that is public at first and then moves into our network is refused from then on', async (t) => {
  for (const inside of insides) {
    const script = { 'rebind.example': [good, inside] }
    const { outside, receiver, canaries, elsewhere, timesAsked } = await startRebinding(t, script)
    const url = `http://rebind.example:${receiver.port}/`
    assert.equal((await get(outside, url)).status, 200)
    assert.equal(timesAsked('rebind.example'), 1, 'one lookup per connection: there is no second, unchecked answer')
    for (let count = 0; count < 3; count++) assert.equal(await faultOf(get(outside, url)), 'forbidden')
    assert.deepEqual([receiver.connections, canaries.connections, elsewhere()], [1, 0, []])
  }
})

test('a name that alternates between public and private never leads into our network', async (t) => {
  const inside = insides.flatMap((records) => [good, records])
  const script = { 'turns.example': [...inside, ...inside, ...inside] }
  const { outside, receiver, canaries, elsewhere } = await startRebinding(t, script)
  const url = `http://turns.example:${receiver.port}/`
  const seen: string[] = []
  for (let count = 0; count < 12; count++) seen.push(await faultOf(get(outside, url)))
  assert.deepEqual(
    seen,
    seen.map((_, index) => (index % 2 === 0 ? 'answered' : 'forbidden')),
  )
  for (let round = 0; round < 12; round++) {
    await Promise.all(Array.from({ length: 10 }, () => faultOf(get(outside, url))))
  }
  assert.deepEqual([canaries.connections, elsewhere()], [0, []])
})

test('a kept connection stays with the address that was checked, and a new one is checked again', async (t) => {
  const script: Script = { 'moving.example': good }
  const { outside, set, receiver, canaries, elsewhere } = await startRebinding(t, script, { keepAlive: true })
  const url = `http://moving.example:${receiver.port}/`
  assert.equal((await get(outside, url)).status, 200)
  set('moving.example', { a: ['127.0.0.2'], aaaa: ['::1'] })
  // The old connection leads to the old address; a new one is refused.
  for (let count = 0; count < 10; count++) assert.match(await faultOf(get(outside, url)), /^(answered|forbidden)$/)

  receiver.always(answer(200, { headers: { connection: 'close' } }))
  for (let count = 0; count < 4; count++) await faultOf(get(outside, url))
  for (let count = 0; count < 3; count++) assert.equal(await faultOf(get(outside, url)), 'forbidden')
  // The bare address and another spelling of the name do not share the old connection.
  for (const other of [`http://127.0.0.2:${receiver.port}/`, `http://moving.example.:${receiver.port}/`]) {
    assert.equal(await faultOf(get(outside, other)), 'forbidden')
  }
  assert.deepEqual([canaries.connections, elsewhere()], [0, []])
})

// ---- Detours ----

test('a redirect into our network is not followed, however it is written', async (t) => {
  const { outside, receiver, canaries, elsewhere } = await startRebinding(
    t,
    { 'go.example': good },
    { keepAlive: true },
  )
  const spelled = [...spell('127.0.0.2'), ...ipv6Hosts].map(({ host }) => `http://${encodeURI(host)}:${receiver.port}/`)
  const locations = [...spelled, `//127.0.0.2:${receiver.port}/`, `\\\\127.0.0.2:${receiver.port}\\`]
  for (const [index, location] of locations.entries()) {
    const status = [300, 301, 302, 303, 305, 307, 308][index % 7]!
    receiver.queue(redirect(location, status))
    assert.equal((await get(outside, `http://go.example:${receiver.port}/`)).status, status)
  }
  const headers = { refresh: `0; url=http://127.0.0.2:${receiver.port}/`, 'alt-svc': `h2="127.0.0.2:${receiver.port}"` }
  for (const status of [200, 201, 401, 407, 426, 503]) {
    receiver.queue(answer(status, { headers: { ...headers, location: `http://127.0.0.2:${receiver.port}/` } }))
    assert.equal((await get(outside, `http://go.example:${receiver.port}/`)).status, status)
  }
  assert.deepEqual([canaries.connections, elsewhere()], [0, []])
})

test('proxies set in the environment are not used, even if Node is told to use them', async (t) => {
  const receiver = await startReceiver(t)
  const proxy = await startCanaries(t)
  const names = [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'FTP_PROXY',
    'SOCKS_PROXY',
    'npm_config_proxy',
    'GLOBAL_AGENT_HTTP_PROXY',
  ]
  const proxies = names.flatMap((name) => [name, name.toLowerCase()])
  const environment = {
    ...process.env,
    ...Object.fromEntries(proxies.map((name) => [name, `http://127.0.0.1:${proxy.port}`])),
    NO_PROXY: '',
    no_proxy: '',
    NODE_USE_ENV_PROXY: '1',
    NODE_TEST_CONTEXT: undefined,
  }
  const program = `
    import { createOutside } from ${JSON.stringify(join(import.meta.dirname, 'fetch.ts'))}
    const lookup = async () => [{ address: '127.0.0.1' }]
    const outside = createOutside({ allow: [], loopback: true }, { lookup })
    for (const host of ['127.0.0.1', 'public.example']) {
      const { status } = await outside.send({ method: 'GET', url: 'http://' + host + ':${receiver.port}/', timeoutMs: 3000 })
      console.log(status)
    }
    const secure = { method: 'GET', url: 'https://public.example:${receiver.port}/', timeoutMs: 3000 }
    await outside.send(secure).catch((error) => console.log(error.fault))
    await outside.close()`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env: environment })
  assert.deepEqual((await run).stdout.trim().split('\n'), ['200', '200', 'tls'])
  assert.equal(proxy.connections, 0)
  assert.equal(receiver.requests.length, 2)
})

// ---- Through the whole server ----

/** Replaces the system's resolver, so that no lookup leaves the machine. */
function resolveWith(t: TestContext, lookup: Lookup) {
  const systemLookup = (hostname: string) => lookup(hostname) as Promise<never>
  t.mock.method(dns, 'lookup', systemLookup)
}

test('a hundred of these urls as webhooks of a real server: refused, not stored, nothing reached', async (t) => {
  const canaries = await startCanaries(t)
  const nameServer = await startNameServer(t, { ...everythingIsHere, ...metadataNames, 'nowhere.example': {} })
  resolveWith(t, nameServer.lookup)
  const server = await startServer(t, { WAYBILL_WEBHOOK_ALLOW: 'none' })
  const sampled = <Item>(items: Item[], count: number) =>
    items.filter((_, index) => index % Math.ceil(items.length / count) === 0)
  const urls = [
    ...sampled(hosts, 60).map(({ host }, index) => `http${index % 2 ? 's' : ''}://${host}:${canaries.port}/hook`),
    ...sampled(urlTricks(`127.0.0.1:${canaries.port}`, canaries.port), 60),
    ...Object.keys(metadataNames).map((name) => `http://${name}:${canaries.port}/computeMetadata/v1/`),
    `http://nowhere.example:${canaries.port}/`,
  ]
  assert(urls.length > 100)

  const before = attempts.length
  const codes = new Set<string>()
  for (const url of urls) {
    const { status, body } = await server.post('/webHooks', { url, trigger: 4 })
    assert.equal(status, 400, JSON.stringify(url))
    codes.add(body.error.code)
  }
  assert.deepEqual([...codes].sort(), ['VALIDATION_FAILED', 'WEBHOOK_URL_FORBIDDEN', 'WEBHOOK_URL_NOT_VERIFIED'])
  assert.deepEqual((await server.get('/webHooks')).body.webHooks, [])
  const stored = await server.database.everyone.many(
    sql`select id from receivers where organisation_id = ${server.organisationId}`,
  )
  assert.deepEqual(stored, [])
  assert.equal(canaries.connections, 0)
  // The others are calls of this test to the server, and of the server to its database.
  const strays = attempts.slice(before).filter((attempt) => !/^(127\.0\.0\.1|localhost) /.test(attempt))
  assert.deepEqual(strays, [])
})

test('a webhook whose name moves into our network after it was stored gets nothing there', async (t) => {
  const receiver = await startReceiver(t)
  receiver.onCheck(answer(200, { headers: { connection: 'close' } }))
  const canaries = await startCanaries(t, { port: receiver.port, except: pub })
  const nameServer = await startNameServer(t, { 'hook.example': good })
  resolveWith(t, nameServer.lookup)
  // A server for the public, with one private address allowed.
  const server = await startServer(t, {
    WAYBILL_PUBLIC_URL: 'https://waybill.example',
    WAYBILL_WEBHOOK_ALLOW: `${pub}/32`,
  })
  const created = await server.post('/webHooks', { url: `http://hook.example:${receiver.port}/`, trigger: 4 })
  assert.equal(created.status, 200, JSON.stringify(created.body))
  assert.equal(receiver.checks.length, 1)

  nameServer.set('hook.example', { a: ['127.0.0.2'], aaaa: ['::1'] })
  const askedBefore = nameServer.timesAsked('hook.example')
  await server.post('/tasks', aTask())
  await until('a delivery to be attempted', () => nameServer.timesAsked('hook.example') > askedBefore)
  const deliveries = `/webHooks/${created.body.webHook.id}/deliveries?state=pending`
  const failed = await until('the attempt to end', async () => {
    const [delivery] = (await server.get(deliveries)).body.deliveries
    return delivery?.attempts[0]
  })
  assert.match(failed.error, /not public|private|own network|loopback/)
  assert.deepEqual([receiver.requests.length, canaries.connections], [0, 0])
})
