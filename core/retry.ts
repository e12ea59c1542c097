const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How long to wait after the first failed attempt, the second, and so on. When the list ends, the delivery is dead. */
export const retryDelaysMs = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
  2 * hour,
  4 * hour,
  8 * hour,
  8 * hour,
] as const

export const maxAttempts = retryDelaysMs.length + 1

/** The longest wait a receiver can ask for: a mistake there must not delay a delivery for a year. */
export const longestRetryAfterMs = 24 * hour

/** Deliveries that failed together must not all be retried in the same second. */
const jitter = 0.2

export interface Outcome {
  outcome: 'delivered' | 'failed' | 'gone'
  /** What the receiver asked for with 429 or 503. */
  retryAfterSeconds?: number | undefined
}

export interface Attempt extends Outcome {
  /** The number of the attempt just made, from 1. */
  attempt: number
  /** From 0 up to, not including, 1. */
  random: number
}

export type Decision =
  | { kind: 'delivered' }
  | { kind: 'retry'; afterMs: number }
  | { kind: 'dead'; reason: string }
  | { kind: 'disable'; reason: string }

export function nextAttempt({ attempt, outcome, retryAfterSeconds = 0, random }: Attempt): Decision {
  if (outcome === 'delivered') return { kind: 'delivered' }
  if (outcome === 'gone') return { kind: 'disable', reason: 'The receiver answered 410 Gone' }

  const delayMs = retryDelaysMs[attempt - 1]
  if (delayMs === undefined) return { kind: 'dead', reason: `All ${maxAttempts} attempts failed` }

  // Retry-After is a minimum, so it can only lengthen the wait: a receiver that says "1 second" for some minutes would
  // otherwise use up all attempts in some seconds.
  const scheduledMs = delayMs * (1 - jitter + 2 * jitter * random)
  const askedMs = Math.min(retryAfterSeconds * second * (1 + jitter * random), longestRetryAfterMs)
  return { kind: 'retry', afterMs: Math.round(Math.max(scheduledMs, askedMs)) }
}

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Reads a Retry-After header, which is a number of seconds or a date; undefined if it is neither. */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  if (!httpDate.test(text)) return undefined
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil((atMs - nowMs) / second))
}

const failuresToDisable = 300
const failingToDisableMs = 1 * hour

/** A webhook that has failed often and for long is switched off; its events are kept. */
export function isToBeDisabled(consecutiveFailures: number, failingForMs: number): boolean {
  return consecutiveFailures >= failuresToDisable && failingForMs >= failingToDisableMs
}
