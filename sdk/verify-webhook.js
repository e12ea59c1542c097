import { createHmac, timingSafeEqual } from 'node:crypto'

// Plain JavaScript, because Node does not strip types inside node_modules; verify-webhook.d.ts has the types.
// Nothing here is newer than Node 18.

export class WebhookVerificationError extends Error {
  name = 'WebhookVerificationError'
}

export function verifyWebhook(headers, rawBody, secret, { toleranceSeconds = 300, now = new Date() } = {}) {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new WebhookVerificationError('Give the raw body, as text or bytes, not the parsed one')
  }
  const key = readSecret(secret)
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature')

  checkAge(timestamp, now, toleranceSeconds)
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest()
  if (!signatures.split(' ').some((signature) => matches(signature, expected))) {
    throw new WebhookVerificationError(
      'No signature matches: the secret is another one, or the body is not the one that was sent',
    )
  }
  return parse(rawBody)
}

function readSecret(secret) {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(secret) ?? []
  if (!encoded) throw new WebhookVerificationError('The secret must be the text that begins with whsec_')
  return Buffer.from(encoded, 'base64')
}

function readHeader(headers, name) {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing`)
  return value
}

function checkAge(timestamp, now, toleranceSeconds) {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('The header webhook-timestamp is not a number')
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp)
  if (Math.abs(ageSeconds) <= toleranceSeconds) return
  const distance = ageSeconds > 0 ? `${ageSeconds} s ago` : `${-ageSeconds} s in the future`
  throw new WebhookVerificationError(
    `It was signed ${distance}, which is more than the ${toleranceSeconds} s tolerated`,
  )
}

function matches(signature, expected) {
  const [version, encoded = ''] = signature.split(',')
  const given = Buffer.from(encoded, 'base64')
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
}

function parse(rawBody) {
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
  try {
    return JSON.parse(text)
  } catch {
    throw new WebhookVerificationError('The signature is right, but the body is not JSON')
  }
}
