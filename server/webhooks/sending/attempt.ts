import { type Outcome, parseRetryAfter } from '../../../core/retry.ts'
import { version } from '../../config.ts'
import { eventBody } from '../../events/present.ts'
import { OutsideError } from '../../outside/fault.ts'
import type { Answer, Outside } from '../../outside/fetch.ts'
import type { AttemptRow } from '../queries.ts'
import { sign } from '../sign.ts'
import type { ClaimedDelivery } from './delivery.ts'

const timeoutMs = 10_000
const keptOfAnswer = 1_024

/** The result of one attempt, and what is logged about it. */
export interface Attempt extends Outcome {
  row: Omit<AttemptRow, 'outcome'>
}

/** Sends one delivery once. Undefined if we aborted it ourselves, which is not a failure. */
export async function attemptDelivery(
  outside: Outside,
  now: () => Date,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  const { organisation_id, webhook_id, event_id } = delivery
  const id = messageId(organisation_id, event_id, webhook_id)
  const sent = await send(
    outside,
    now,
    { id, url: delivery.url, secrets: delivery.secrets, signal },
    eventBody(delivery.event, delivery.task),
  )
  if (!sent) return undefined
  const { outcome, retryAfterSeconds, ...told } = sent
  return {
    outcome,
    retryAfterSeconds,
    row: { organisation_id, webhook_id, event_id, number: delivery.attempts + 1, ...told },
  }
}

/** The same for every attempt and replay, so that a receiver recognises repetitions. */
export const messageId = (organisationId: number, eventId: number, webhookId: number) =>
  `msg_${organisationId}_${eventId}_${webhookId}`

interface Message {
  id: string
  url: string
  secrets: string[]
  signal: AbortSignal
}

export type Sent = Outcome & Pick<AttemptRow, 'status' | 'duration_ms' | 'error' | 'answer' | 'attempted_at'>

/** Signs and posts a body and returns the response. Undefined if we aborted it. */
export async function send(
  outside: Outside,
  now: () => Date,
  { id, url, secrets, signal }: Message,
  body: string,
): Promise<Sent | undefined> {
  const attempted_at = now()
  const begun = performance.now()
  const timestampSeconds = Math.floor(attempted_at.getTime() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Waybill/${version}`,
    ...sign({ id, timestampSeconds, body, secrets }),
  }
  try {
    const answer = await outside.send({ method: 'POST', url, headers, body, timeoutMs, signal })
    return { ...judge(answer, now), attempted_at, duration_ms: Math.round(performance.now() - begun) }
  } catch (error) {
    if (error instanceof OutsideError && error.fault === 'aborted') return undefined
    // An unexpected error is a failed attempt too: retries must come to an end.
    const message = error instanceof OutsideError ? error.message : 'The message could not be sent'
    const duration_ms = Math.round(performance.now() - begun)
    return { outcome: 'failed', status: null, error: message, answer: null, attempted_at, duration_ms }
  }
}

function judge({ status, headers, body }: Answer, now: () => Date) {
  // PostgreSQL stores every character except this one.
  const answer = body.slice(0, keptOfAnswer).replaceAll('\0', '')
  if (status >= 200 && status <= 299) return { outcome: 'delivered' as const, status, answer, error: null }
  const asksForPatience = status === 429 || status === 503
  return {
    outcome: status === 410 ? ('gone' as const) : ('failed' as const),
    status,
    answer,
    error: `The URL answered ${status}`,
    retryAfterSeconds: asksForPatience ? parseRetryAfter(headers['retry-after'], now().getTime()) : undefined,
  }
}
