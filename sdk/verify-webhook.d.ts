/** Says in one sentence why a request is not to be trusted. Answer it with 400 or 401 and do nothing else. */
export declare class WebhookVerificationError extends Error {
  readonly name: 'WebhookVerificationError'
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
export declare function verifyWebhook<Body = unknown>(
  headers: HeaderBag,
  rawBody: string | Uint8Array,
  secret: string,
  options?: Options,
): Body
