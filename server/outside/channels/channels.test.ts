import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { readTemplate } from '../../../core/message-rules/gateway.ts'
import { type Say, startMailServer } from '../../test/mail-server.ts'
import { answer, type Behaviour, hang, reset, startReceiver, tooMany } from '../../test/receiver.ts'
import { enginePolicy } from '../addresses.ts'
import { createOutside } from '../fetch.ts'
import type { Channel, Outgoing } from './channel.ts'
import { createGateway } from './gateway.ts'
import { createSmtp } from './smtp.ts'
import { createTwilio } from './twilio.ts'

const message: Outgoing = {
  id: 'waybill-1-7',
  to: '+40730000001',
  sender: null,
  subject: 'Livrare',
  text: 'Sosește & "pleacă"\nla 10:00',
  organisation: { name: 'Curier Rapid', email: 'office@example.org' },
}
const never = new AbortController().signal
/** A busy machine may take seconds to answer; only who never answers is not waited for. */
const patientMs = 30_000
const impatientMs = 2_000

function open(t: TestContext) {
  const outside = createOutside(enginePolicy)
  t.after(outside.close)
  return outside
}

const twilioOf = (t: TestContext, port: number, timeoutMs = patientMs): Channel =>
  createTwilio(open(t), {
    url: `http://127.0.0.1:${port}`,
    accountSid: 'AC123',
    authToken: 'secret',
    from: '+40311000000',
    timeoutMs,
  })

/** As Twilio's documentation shows them. */
const queued = answer(201, { body: '{"sid":"SM0123","status":"queued","error_code":null}' })
const noSuchNumber = answer(400, {
  body: '{"code":21211,"message":"The \'To\' number +40730000001 is not a valid phone number.","more_info":"https://www.twilio.com/docs/errors/21211","status":400}',
})
const wrongKey = answer(401, { body: '{"code":20003,"message":"Authenticate","status":401}' })

test('Twilio gets a message as its documentation says', async (t) => {
  const server = await startReceiver(t)
  server.always(queued)
  assert.deepEqual(await twilioOf(t, server.port).send({ ...message, sender: 'Curier' }, never), { outcome: 'sent' })
  const { method, url, headers, rawBody } = await server.next()
  assert.equal(`${method} ${url}`, 'POST /2010-04-01/Accounts/AC123/Messages.json')
  assert.equal(headers.authorization, `Basic ${Buffer.from('AC123:secret').toString('base64')}`)
  assert.deepEqual(Object.fromEntries(new URLSearchParams(rawBody)), {
    To: message.to,
    From: 'Curier',
    Body: message.text,
  })
})

const outcomes: [what: string, behaviour: Behaviour, outcome: object][] = [
  ['refuses for good', noSuchNumber, { outcome: 'refused', isFinal: true }],
  ['does not know the key', wrongKey, { outcome: 'refused' }],
  ['asks for patience', tooMany('7'), { outcome: 'refused', retryAfterSeconds: 7 }],
  ['is out of order', answer(500), { outcome: 'refused' }],
  ['is behind a proxy that lost it', answer(502), { outcome: 'unknown' }],
  ['does not answer in time', hang, { outcome: 'unknown' }],
  ['hangs up', reset, { outcome: 'unknown' }],
]
for (const [what, behaviour, expected] of outcomes)
  test(`a message may be sent again only if the provider has certainly not taken it: it ${what}`, async (t) => {
    const server = await startReceiver(t)
    server.always(behaviour)
    const handed = await twilioOf(t, server.port, behaviour === hang ? impatientMs : patientMs).send(message, never)
    assert.partialDeepStrictEqual(handed, expected)
    assert.equal('isFinal' in handed, 'isFinal' in expected)
    assert.ok(!JSON.stringify(handed).includes('secret'))
  })

test('a provider that cannot be reached has certainly not taken the message', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  assert.equal((await twilioOf(t, port).send(message, never)).outcome, 'refused')
})

test('any other provider is called as the operator describes it, and no text gets out of its place', async (t) => {
  const server = await startReceiver(t)
  server.always(answer(200, { body: 'OK 17' }))
  const send = async (template: object) => {
    const read = readTemplate(JSON.stringify({ timeoutSeconds: 30, ...template }))
    assert.ok(typeof read === 'object', String(read))
    const handed = await createGateway(open(t), read).send({ ...message, sender: 'Curier' }, never)
    return { ...(await server.next()), outcome: handed.outcome }
  }
  const base = `http://127.0.0.1:${server.port}`
  const json = await send({
    url: `${base}/sms`,
    body: { phone: '{toDigits}', content: { text: '{text}' }, ref: '{id}' },
  })
  assert.deepEqual(json.body, { phone: '40730000001', content: { text: message.text }, ref: message.id })
  assert.deepEqual([json.method, json.headers['content-type'], json.outcome], ['POST', 'application/json', 'sent'])

  const form = await send({ url: `${base}/sms`, body: 'to={to}&text={text}&from={from}' })
  assert.deepEqual(Object.fromEntries(new URLSearchParams(form.rawBody)), {
    to: message.to,
    text: message.text,
    from: 'Curier',
  })

  const query = await send({ method: 'GET', url: `${base}/send?to={to}&text={text}`, accepted: '^OK' })
  assert.equal(new URL(query.url, base).searchParams.get('text'), message.text)
  const xml = await send({ url: base, headers: { 'Content-Type': 'text/xml' }, body: '<m to="{to}">{text}</m>' })
  assert.equal(xml.rawBody, '<m to="+40730000001">Sosește &amp; &quot;pleacă&quot;\nla 10:00</m>')
  assert.equal((await send({ url: base, body: '{to} {text}', accepted: '^DONE' })).outcome, 'refused')
})

test('a template that cannot work is explained', () => {
  const problem = (template: unknown) =>
    readTemplate(typeof template === 'string' ? template : JSON.stringify(template))
  assert.equal(problem('{'), 'is not JSON')
  assert.match(String(problem({ body: '{to} {text}' })), /needs a url/)
  assert.match(String(problem({ url: 'https://{to}/', body: '{text}' })), /needs a url/)
  assert.match(String(problem({ url: 'https://example.org', body: '{to}' })), /must use .*\{text\}/)
  assert.match(
    String(problem({ url: 'https://example.org', body: '{to} {text}', accepted: '(' })),
    /regular expression/,
  )
})

async function startMail(t: TestContext, say?: Say, timeoutMs = patientMs) {
  const { mails, lines, port } = await startMailServer(t, say)
  const channel = createSmtp({
    host: '127.0.0.1',
    port,
    secure: false,
    user: 'waybill',
    password: 'secret',
    from: 'curier@example.org',
    timeoutMs,
  })
  const email = { ...message, to: 'ana@example.org' }
  return { mails, lines, send: (signal = never) => channel.send(email, signal) }
}

test('an email arrives at the mail server, from the organisation', async (t) => {
  const { mails, lines, send } = await startMail(t)
  assert.deepEqual(await send(), { outcome: 'sent' })
  const [mail = ''] = mails
  assert.ok(lines.includes('MAIL FROM:<curier@example.org>') && lines.includes('RCPT TO:<ana@example.org>'))
  assert.match(mail, /^From: Curier Rapid <curier@example.org>$/m)
  assert.match(mail, /^Reply-To: office@example.org$/m)
  assert.match(mail, /^Message-ID: <waybill-1-7@example.org>$/m)
  assert.match(mail, /^Subject: Livrare$/m)
})

function hangUp(socket: Socket) {
  socket.destroy()
  return ''
}

const replies: [what: string, say: Say, outcome: string, timeoutMs?: number][] = [
  ['is not ready', (line) => (line === '' ? '421 later' : undefined), 'refused'],
  ['does not greet', (line) => (line === '' ? '' : undefined), 'refused', impatientMs],
  ['does not know us', (line) => (line.startsWith('AUTH') ? '535 no' : undefined), 'refused'],
  ['does not know the recipient', (line) => (line.startsWith('RCPT') ? '550 no' : undefined), 'refused'],
  ['does not like the mail', (line) => (line === '.' ? '554 spam' : undefined), 'refused'],
  ['does not say whether it took the mail', (line) => (line === '.' ? '' : undefined), 'unknown', impatientMs],
  ['hangs up after the mail', (line, socket) => (line === '.' ? hangUp(socket) : undefined), 'unknown'],
]
for (const [what, say, outcome, timeoutMs] of replies)
  test(`an email is sent again only if it was certainly not taken: the server ${what}`, async (t) => {
    const { send } = await startMail(t, say, timeoutMs)
    const handed = await send()
    assert.equal(handed.outcome, outcome)
    assert.ok(!JSON.stringify(handed).includes('secret'))
  })

test('an email that we stop sending half way may have been taken', async (t) => {
  const stopping = new AbortController()
  const { send } = await startMail(t, (line) => {
    if (line !== '.') return undefined
    stopping.abort()
    return ''
  })
  assert.equal((await send(stopping.signal)).outcome, 'unknown')
  assert.equal((await send(AbortSignal.abort())).outcome, 'refused')
})
