import { parseRetryAfter, type Attempt as Result } from '../../core/retry.ts'
import { version } from '../config.ts'
import { eventBody } from '../events/present.ts'
import { OutsideError } from '../outside/fault.ts'
import type { Answer, Outside } from '../outside/fetch.ts'
import type { AttemptRow, ClaimedDelivery } from './queries.ts'
import { sign } from './sign.ts'

const timeoutMs = 10_000

/** What came of one attempt, and what is written down about it. */
export interface Attempt {
  outcome: Result['outcome']
  retryAfterSeconds: number | undefined
  row: Omit<AttemptRow, 'outcome'>
}

/** Sends one delivery once. Undefined if we cut it off ourselves, which is nobody's failure. */
export async function attemptDelivery(
  outside: Outside,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  const startedAt = new Date()
  const result = await send(outside, delivery, startedAt, signal)
  if (result instanceof OutsideError && result.fault === 'aborted') return undefined

  const answer = result instanceof OutsideError ? undefined : result
  const status = answer?.status ?? null
  const asksForPatience = status === 429 || status === 503
  const outcome = outcomeOf(status)
  return {
    outcome,
    retryAfterSeconds: asksForPatience ? parseRetryAfter(answer?.headers['retry-after'], Date.now()) : undefined,
    row: {
      organisation_id: delivery.organisation_id,
      webhook_id: delivery.webhook_id,
      event_id: delivery.event_id,
      number: delivery.attempts + 1,
      status,
      duration_ms: Date.now() - startedAt.getTime(),
      error:
        result instanceof OutsideError ? result.message : outcome === 'delivered' ? null : `The url answered ${status}`,
      attempted_at: startedAt,
    },
  }
}

function send(
  outside: Outside,
  delivery: ClaimedDelivery,
  at: Date,
  signal: AbortSignal,
): Promise<Answer | OutsideError> {
  const body = eventBody(delivery.event, delivery.task)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Waybill/${version}`,
    ...sign({
      id: messageId(delivery),
      timestampSeconds: Math.floor(at.getTime() / 1000),
      body,
      secrets: [delivery.secret],
    }),
  }
  return outside.send({ method: 'POST', url: delivery.url, headers, body, timeoutMs, signal }).catch((error) => {
    if (error instanceof OutsideError) return error
    throw error
  })
}

/** The same for every attempt and replay, so that a receiver can tell a repetition. */
const messageId = ({ organisation_id, event_id, webhook_id }: ClaimedDelivery) =>
  `msg_${organisation_id}_${event_id}_${webhook_id}`

function outcomeOf(status: number | null): Result['outcome'] {
  if (status === 410) return 'gone'
  return status !== null && status >= 200 && status <= 299 ? 'delivered' : 'failed'
}
