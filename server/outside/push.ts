import { parseRetryAfter } from '../../core/retry.ts'
import { OutsideError } from './fault.ts'
import type { Outside } from './fetch.ts'

/* Messages to phones by way of the push service of their browser (RFC 8030), encrypted for the browser alone (RFC 8291). */

export interface Subscription {
  endpoint: string
  p256dh: Buffer
  auth: Buffer
}

/** Who we are to a push service (RFC 8292). */
export interface PushIdentity {
  publicKey: string
  privateKey: string
  /** A mailto: or https: address at which its operators can reach ours. */
  contact: string
}

export interface PushMessage {
  text: string
  /** A newer message with the same topic replaces an older one that has not reached the phone. */
  topic: string
  /** How long the push service keeps it for a phone that is off. */
  keepSeconds: number
}

export interface Pushed {
  /** `gone`: there is no such subscription any more. */
  outcome: 'delivered' | 'failed' | 'gone'
  retryAfterSeconds?: number | undefined
}

/** A push service answers in a fraction of this. */
const timeoutMs = 5_000
const encoding = 'aes128gcm'

/** Loaded with the first push, because most starts send none. */
const loadWebPush = async () => (await import('web-push')).default

export const makePushKeys = async () => (await loadWebPush()).generateVAPIDKeys()

/** Undefined if we aborted it ourselves, which is not a failure. */
export async function sendPush(
  outside: Outside,
  identity: PushIdentity,
  subscription: Subscription,
  message: PushMessage,
  signal: AbortSignal,
): Promise<Pushed | undefined> {
  const { endpoint } = subscription
  try {
    const answer = await outside.send({
      method: 'POST',
      url: endpoint,
      headers: {
        ...(await identify(identity, new URL(endpoint).origin)),
        'content-type': 'application/octet-stream',
        'content-encoding': encoding,
        ttl: String(message.keepSeconds),
        topic: message.topic,
        // Otherwise Android delivers it when the phone next wakes up by itself.
        urgency: 'high',
      },
      body: await encrypt(subscription, message.text),
      timeoutMs,
      signal,
    })
    return judge(answer)
  } catch (error) {
    if (error instanceof OutsideError && error.fault === 'aborted') return undefined
    return { outcome: 'failed' }
  }
}

async function encrypt({ p256dh, auth }: Subscription, text: string): Promise<Buffer> {
  const webPush = await loadWebPush()
  return webPush.encrypt(p256dh.toString('base64url'), auth.toString('base64url'), text, encoding).cipherText
}

async function identify({ publicKey, privateKey, contact }: PushIdentity, audience: string) {
  const webPush = await loadWebPush()
  const { Authorization } = webPush.getVapidHeaders(audience, contact, publicKey, privateKey, encoding)
  return { authorization: Authorization }
}

function judge({ status, headers }: { status: number; headers: Record<string, string> }): Pushed {
  if (status >= 200 && status <= 299) return { outcome: 'delivered' }
  if (status === 404 || status === 410) return { outcome: 'gone' }
  return { outcome: 'failed', retryAfterSeconds: parseRetryAfter(headers['retry-after'], Date.now()) }
}
