import assert from 'node:assert/strict'
import test from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { makeSecret, sign } from './sign.ts'

const body = JSON.stringify({ eventId: 7, awb: 'A-1', data: { details: 'Șoseaua Kiseleff 28, „la poartă” 🚚' } })
const verifiers = {
  standardwebhooks: (secret: string, headers: Record<string, string>) =>
    new StandardWebhook(secret).verify(body, headers),
  svix: (secret: string, headers: Record<string, string>) => new SvixWebhook(secret).verify(body, headers),
}

function signNow(...secrets: string[]) {
  return sign({ id: 'evt_7_3', timestampSeconds: Math.floor(Date.now() / 1000), body, secrets })
}

test('a secret holds 256 random bits', () => {
  const secret = makeSecret()
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(secret, makeSecret())
})

for (const [name, verify] of Object.entries(verifiers)) {
  test(`${name} accepts what we sign`, () => {
    const secret = makeSecret()
    verify(secret, signNow(secret))
  })

  test(`${name} accepts the old and the new secret during a rotation`, () => {
    const [before, after] = [makeSecret(), makeSecret()]
    const headers = signNow(after, before)
    verify(before, headers)
    verify(after, headers)
  })

  test(`${name} refuses a stranger's signature`, () => {
    assert.throws(() => verify(makeSecret(), signNow(makeSecret())))
  })
}

test('the same event, time and secret always give the same signature', () => {
  const headers = sign({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1614265330,
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  })
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('nothing is ever sent unsigned', () => {
  assert.throws(() => signNow(), /at least one secret/)
})
