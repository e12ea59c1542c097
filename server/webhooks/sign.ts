import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

export function makeSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

interface Signable {
  /** The same on every retry and replay, so that the receiver recognises repetitions. */
  id: string
  timestampSeconds: number
  body: string
  /** More than one while a secret is being rotated; the receiver needs to know only one of them. */
  secrets: string[]
}

/** The headers of Standard Webhooks (standardwebhooks.com); any of its libraries can verify them. */
export function sign({ id, timestampSeconds, body, secrets }: Signable) {
  if (secrets.length === 0) throw new Error('A webhook is signed with at least one secret')
  const content = `${id}.${timestampSeconds}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => `v1,${hmac(secret, content)}`).join(' '),
  }
}

function hmac(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return createHmac('sha256', key).update(content).digest('base64')
}
