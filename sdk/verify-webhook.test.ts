import assert from 'node:assert/strict'
import test from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.js'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"awb":"A-1","data":{"details":"Piața Unirii 🚚"}}'
const now = new Date('2026-03-02T10:00:00Z')

/** Signed by the independent package, so that this test does not merely agree with itself. */
function signedHeaders({ at = now, by = secret, content = body } = {}): Record<string, string> {
  return {
    'webhook-id': 'evt_1_1',
    'webhook-timestamp': String(at.getTime() / 1000),
    'webhook-signature': new Webhook(by).sign('evt_1_1', at, content),
  }
}

function refusal(message: RegExp) {
  return (error: unknown) => error instanceof WebhookVerificationError && message.test(error.message)
}

test('a genuine request gives its parsed body', () => {
  assert.deepEqual(verifyWebhook(signedHeaders(), body, secret, { now }), JSON.parse(body))
})

test('the body may be text or bytes', () => {
  assert.deepEqual(verifyWebhook(signedHeaders(), Buffer.from(body), secret, { now }), JSON.parse(body))
  assert.deepEqual(verifyWebhook(signedHeaders(), new TextEncoder().encode(body), secret, { now }), JSON.parse(body))
})

test('headers may come from Node, from fetch, or in capitals', () => {
  const headers = signedHeaders()
  const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
  verifyWebhook(new Headers(headers), body, secret, { now })
  verifyWebhook(shouted, body, secret, { now })
})

test('one right signature among several is enough', () => {
  const headers = signedHeaders()
  const stranger = signedHeaders({ by: 'whsec_c3RyYW5nZXI=' })['webhook-signature']
  headers['webhook-signature'] = `v1a,abc ${stranger} v1, ${headers['webhook-signature']}`
  verifyWebhook(headers, body, secret, { now })
})

test('a changed body is refused', () => {
  assert.throws(
    () => verifyWebhook(signedHeaders(), body.replace('A-1', 'A-2'), secret, { now }),
    refusal(/No signature matches/),
  )
})

test("another event's id is refused", () => {
  const headers = { ...signedHeaders(), 'webhook-id': 'evt_2_1' }
  assert.throws(() => verifyWebhook(headers, body, secret, { now }), refusal(/No signature matches/))
})

test('a wrong secret is refused', () => {
  assert.throws(
    () => verifyWebhook(signedHeaders(), body, 'whsec_c3RyYW5nZXI=', { now }),
    refusal(/No signature matches/),
  )
})

test('a right signature of an unknown version is refused', () => {
  const headers = signedHeaders()
  headers['webhook-signature'] = headers['webhook-signature']!.replace('v1,', 'v2,')
  assert.throws(() => verifyWebhook(headers, body, secret, { now }), refusal(/No signature matches/))
})

test('an old recording is refused, and so is one from the future', () => {
  const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
  const check = (minutes: number) => verifyWebhook(signedHeaders(), body, secret, { now: minutesLater(minutes) })
  check(5)
  check(-5)
  assert.throws(() => check(6), refusal(/signed 360 s ago/))
  assert.throws(() => check(-6), refusal(/signed 360 s in the future/))
})

test('the tolerance can be widened', () => {
  verifyWebhook(signedHeaders(), body, secret, { now: new Date(now.getTime() + 3_600_000), toleranceSeconds: 3_600 })
})

for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
  test(`a request without ${name} is refused by that name`, () => {
    const headers = { ...signedHeaders(), [name]: '' }
    assert.throws(() => verifyWebhook(headers, body, secret, { now }), refusal(new RegExp(`${name} is missing`)))
  })
}

test('a parsed body is refused with a hint', () => {
  const parsed = JSON.parse(body)
  assert.throws(() => verifyWebhook(signedHeaders(), parsed, secret, { now }), refusal(/raw body/))
})

test('something that is not a secret is refused with a hint', () => {
  for (const wrong of ['', 'whsec_', 'wb_live_key', 'whsec_not base64']) {
    assert.throws(() => verifyWebhook(signedHeaders(), body, wrong, { now }), refusal(/begins with whsec_/))
  }
})

test('a timestamp that is not a number is refused', () => {
  const headers = { ...signedHeaders(), 'webhook-timestamp': 'yesterday' }
  assert.throws(() => verifyWebhook(headers, body, secret, { now }), refusal(/not a number/))
})

test('a genuine body that is not JSON gets its own error', () => {
  assert.throws(() => verifyWebhook(signedHeaders({ content: 'hello' }), 'hello', secret, { now }), refusal(/not JSON/))
})
