import assert from 'node:assert/strict'
import dns from 'node:dns/promises'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { sql } from '../db/sql.ts'
import { answer, type Behaviour, drip, hang, huge, redirect, reset, startReceiver } from '../test/receiver.ts'
import { startServer, type TestServer } from '../test/server.ts'

const modes = ['reachable', 'echo'] as const
type Mode = (typeof modes)[number]

/** Makes every name unknown, without asking a name server. */
function knowNoName(t: TestContext) {
  const lookup = async (hostname: string) => {
    throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' })
  }
  t.mock.method(dns, 'lookup', lookup as typeof dns.lookup)
}

async function start(t: TestContext, mode: Mode) {
  knowNoName(t)
  const server = await startServer(t, { WAYBILL_WEBHOOK_VERIFY: mode })
  const receiver = await startReceiver(t)
  return { server, receiver }
}

interface Refused {
  code: string
  field: string
  message: string
}

/** The complete refusal, so that the tests show the sentences. */
async function refuse(server: TestServer, url: unknown): Promise<Refused> {
  const { status, body } = await server.post('/webHooks', { url, trigger: 4 })
  assert.equal(status, 400, `${url}: ${JSON.stringify(body)}`)
  const [detail = body.error] = body.error.details ?? []
  return { code: body.error.code, field: detail.field, message: detail.message }
}

const invalid = (message: string): Refused => ({ code: 'VALIDATION_FAILED', field: 'url', message })
const notVerified = (message: string): Refused => ({ code: 'WEBHOOK_URL_NOT_VERIFIED', field: 'url', message })

async function assertNothingStored({ database, organisationId, get }: TestServer) {
  assert.deepEqual((await get('/webHooks')).body.webHooks, [])
  const rows = await database.everyone.many(sql`
    select id from webhooks where organisation_id = ${organisationId}
    union all
    select id from receivers where organisation_id = ${organisationId}`)
  assert.deepEqual(rows, [])
}

const incomplete = 'This is not a complete URL such as https://example.com/hook'
const scheme = (given: string) => `The URL must start with https:// or http://, not ${given}`
const credentials = 'The URL must not contain a user name or password'

const cannotBeUrls: [url: unknown, message: string][] = [
  ['hello', incomplete],
  ['example.com/hook', incomplete],
  ['/hook', incomplete],
  ['//example.com/hook', incomplete],
  ['http://', incomplete],
  ['https://[::1/hook', incomplete],
  ['https://256.256.256.256/hook', incomplete],
  ['https://example.com:65536/hook', incomplete],
  ['https://two words.example/hook', incomplete],
  ['ftp://example.com/hook', scheme('ftp:')],
  ['file:///etc/passwd', scheme('file:')],
  ['javascript:alert(1)', scheme('javascript:')],
  ['mailto:me@example.com', scheme('mailto:')],
  ['localhost:8080/hook', scheme('localhost:')],
  ['wss://example.com/hook', scheme('wss:')],
  ['https://me@example.com/hook', credentials],
  ['https://me:secret@example.com/hook', credentials],
  ['https://:secret@example.com/hook', credentials],
]

for (const mode of modes) {
  test(`an impossible webhook url is refused before anything is called (${mode})`, async (t) => {
    const { server, receiver } = await start(t, mode)
    for (const [url, message] of cannotBeUrls)
      assert.deepEqual(await refuse(server, url), invalid(message), String(url))

    const tooLong = receiver.url.padEnd(2_049, 'x')
    for (const url of [tooLong, '', 42, true, ['https://example.com'], { href: receiver.url }, null, undefined]) {
      const { code, field } = await refuse(server, url)
      assert.deepEqual([code, field], ['VALIDATION_FAILED', 'url'], JSON.stringify(url))
    }
    assert.equal(receiver.connections, 0)
    await assertNothingStored(server)
  })

  test(`a url that does not answer properly is refused, each with its own sentence (${mode})`, async (t) => {
    const { server, receiver } = await start(t, mode)
    const here = `127.0.0.1:${receiver.port}`
    const wanted = 'it must answer a GET request'
    const elsewhere = await startReceiver(t)
    // No program is ever given a port this low; one that was just closed may be the next that somebody gets.
    const closed = '127.0.0.1:2'
    const mailServer = await startTalking(t, '220 mail.example ESMTP\r\n')
    const selfSigned = await startReceiver(t, { tls: true })

    const faults: [url: string, check: Behaviour | undefined, message: string][] = [
      ['https://nowhere.example/', undefined, `The name nowhere.example cannot be resolved; ${wanted}`],
      [`http://${closed}/`, undefined, `${closed} refused the connection; ${wanted}`],
      [receiver.url, reset, `${here} closed the connection before answering; ${wanted}`],
      [
        receiver.url,
        redirect(elsewhere.url, 307),
        `The URL answered 307, a redirect to ${elsewhere.url}; use a URL that does not redirect`,
      ],
      [selfSigned.url, undefined, `127.0.0.1:${selfSigned.port} has a self-signed certificate; ${wanted}`],
      [
        receiver.url.replace('http:', 'https:'),
        undefined,
        `${here} does not speak TLS (is it http:// rather than https://?); ${wanted}`,
      ],
    ]
    for (const [url, check, message] of faults) {
      if (check) receiver.onCheck(check)
      assert.deepEqual(await refuse(server, url), notVerified(message))
    }
    const { code, message } = await refuse(server, `http://127.0.0.1:${mailServer}/`)
    assert.equal(code, 'WEBHOOK_URL_NOT_VERIFIED')
    assert.match(message, /^127\.0\.0\.1:\d+ did not send a valid HTTP response \(\w+\); it must answer/)

    assert.equal(elsewhere.connections, 0, 'the redirect was not followed')
    await assertNothingStored(server)
  })

  test(`an unknown trigger is refused before anything is called (${mode})`, async (t) => {
    const { server, receiver } = await start(t, mode)
    for (const trigger of [0, 10, -1, 1.5, 1e9, '0', '10', '', 'x', 'TASK_CREATED', true, [4], {}, null, undefined]) {
      const { status, body } = await server.post('/webHooks', { url: receiver.url, trigger })
      const { code, field } = body.error ?? {}
      assert.deepEqual([status, code, field], [400, 'VALIDATION_FAILED', 'trigger'], JSON.stringify(trigger))
    }
    assert.equal(receiver.connections, 0)
    await assertNothingStored(server)
  })
}

/** The check waits five seconds, so the slow ones wait together. */
test('a url that is too slow is refused after five seconds', async (t) => {
  const wanted = 'it must answer a GET request'
  await Promise.all(
    modes.map(async (mode) => {
      const server = await startServer(t, { WAYBILL_WEBHOOK_VERIFY: mode })
      const [silent, dripping] = [await startReceiver(t), await startReceiver(t)]
      silent.onCheck(hang)
      dripping.onCheck(drip(200))
      const refused = await Promise.all([refuse(server, silent.url), refuse(server, dripping.url)])

      assert.deepEqual(refused, [
        notVerified(`127.0.0.1:${silent.port} did not answer within 5 s; ${wanted}`),
        notVerified(`127.0.0.1:${dripping.port} answered 200, but did not finish its answer within 5 s; ${wanted}`),
      ])
      await assertNothingStored(server)
    }),
  )
})

const token = 'it must answer 200 with exactly the value of the query parameter "check" as the body'

const tokenIn = (url: string) => new URL(url, 'http://receiver.test').searchParams.get('check') ?? ''
const echoing =
  (status: number, change: (token: string) => string): Behaviour =>
  (request, response) =>
    answer(status, { body: change(tokenIn(request.url)) })(request, response)

const wrongEchoes: [answer: Behaviour, says: RegExp][] = [
  [answer(200, { body: 'Hello' }), /^The URL answered 200 with the body "Hello"; /],
  [answer(200), /^The URL answered 200 without a body; /],
  [answer(204), /^The URL answered 204 without a body; /],
  [answer(404, { body: 'Not found' }), /^The URL answered 404 with the body "Not found"; /],
  [answer(200, { body: 'x'.repeat(1_000) }), /^The URL answered 200 with the body "x{100}…"; /],
  [huge(200_000), /^The URL answered 200 with a very large body; /],
  [echoing(201, (given) => given), /^The URL answered 201 with the body "[0-9a-f]{32}"; /],
  [echoing(200, (given) => `${given}\n`), /^The URL answered 200 with the body "[0-9a-f]{32}\n"; /],
  [echoing(200, (given) => given.toUpperCase()), /^The URL answered 200 with the body "[0-9A-F]{32}"; /],
  [echoing(200, (given) => given.slice(1)), /^The URL answered 200 with the body "[0-9a-f]{31}"; /],
  [echoing(200, (given) => `{"check":"${given}"}`), /^The URL answered 200 with the body "\{"check":/],
]

test('if the echo is required, any other answer is refused, and the error says what came and what is expected', async (t) => {
  const { server, receiver } = await start(t, 'echo')
  for (const [check, says] of wrongEchoes) {
    receiver.onCheck(check)
    const { code, field, message } = await refuse(server, receiver.url)
    assert.deepEqual([code, field], ['WEBHOOK_URL_NOT_VERIFIED', 'url'])
    assert.match(message, says)
    assert(message.endsWith(token), message)
  }
  assert.equal(receiver.checks.length, wrongEchoes.length)
  await assertNothingStored(server)
})

test('if being reachable is enough, the same answers are accepted', async (t) => {
  const { server, receiver } = await start(t, 'reachable')
  for (const [check] of wrongEchoes) {
    receiver.onCheck(check)
    const { body } = await server.post('/webHooks', { url: receiver.url, trigger: 4 })
    assert.equal(body.webHook?.verification, 'reachable', JSON.stringify(body))
  }
})

/** Something that speaks first, and not HTTP. */
async function startTalking(t: TestContext, greeting: string): Promise<number> {
  const server = net.createServer((socket) => socket.on('error', () => {}).end(greeting))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}
