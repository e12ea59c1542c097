import { createHmac, timingSafeEqual } from 'node:crypto'

/** Says in one sentence why a request is not to be trusted. Answer it with 400 or 401 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

type HeaderBag = Record<string, string | string[] | undefined> | { get(name: string): string | null }

interface Options {
  /** How far the clocks may differ. An older request could be a replay attack. */
  toleranceSeconds?: number
  now?: Date
}

/**
 * Proves that a request comes from Waybill and was not changed on its way, and returns its parsed body.
 *
 * `rawBody` must be the body as it arrived: JSON that was parsed and written again has other bytes, and another signature.
 */
export function verifyWebhook<Body = unknown>(
  headers: HeaderBag,
  rawBody: string | Uint8Array,
  secret: string,
  { toleranceSeconds = 300, now = new Date() }: Options = {},
): Body {
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
  return parse(rawBody) as Body
}

function readSecret(secret: string): Buffer {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(secret) ?? []
  if (!encoded) throw new WebhookVerificationError('The secret must be the text that begins with whsec_')
  return Buffer.from(encoded, 'base64')
}

function readHeader(headers: HeaderBag, name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing`)
  return value
}

function isHeaders(headers: HeaderBag): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function'
}

function checkAge(timestamp: string, now: Date, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('The header webhook-timestamp is not a number')
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp)
  if (Math.abs(ageSeconds) <= toleranceSeconds) return
  const distance = ageSeconds > 0 ? `${ageSeconds} s ago` : `${-ageSeconds} s in the future`
  throw new WebhookVerificationError(
    `It was signed ${distance}, which is more than the ${toleranceSeconds} s tolerated`,
  )
}

function matches(signature: string, expected: Buffer): boolean {
  const [version, encoded = ''] = signature.split(',')
  const given = Buffer.from(encoded, 'base64')
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
}

function parse(rawBody: string | Uint8Array): unknown {
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)
  try {
    return JSON.parse(text)
  } catch {
    throw new WebhookVerificationError('The signature is right, but the body is not JSON')
  }
}
