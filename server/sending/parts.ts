import type { Decision } from '../../core/retry.ts'
import type { Clock } from './clock.ts'

/* What the engine is given, and what it needs to know about it. */

/** A delivery we hold, as far as the engine needs to know it. */
export interface Claimed {
  /** The token of the batch it was claimed with; every later write must show it. */
  claim: string
  receiverId: number
  /** How many attempts were made before. */
  attempts: number
}

/** The result of one attempt. */
export interface Attempted {
  outcome: 'delivered' | 'failed' | 'gone'
  retryAfterSeconds?: number | undefined
}

export interface Result<Delivery, Made> {
  delivery: Delivery
  attempt: Made
  decision: Decision
}

export interface Store<Delivery extends Claimed, Made extends Attempted> {
  /** Takes what is due, at most `limit`, and for each receiver at most what its window allows. */
  claim(token: string, limit: number, windows: ReadonlyMap<number, number>): Promise<Delivery[]>
  /** Writes the results of attempts. A result whose claim was taken over changes nothing. */
  complete(results: Result<Delivery, Made>[]): Promise<void>
  /** Says that we are alive and still working on these. */
  renew(deliveries: Delivery[]): Promise<void>
  /** Gives back what was not finished. */
  release(deliveries: Delivery[]): Promise<void>
}

export interface Parts<Delivery extends Claimed, Made extends Attempted> {
  store: Store<Delivery, Made>
  /** Sends once. Undefined if we aborted it. */
  attempt(delivery: Delivery, signal: AbortSignal): Promise<Made | undefined>
  clock: Clock
  random(): number
  makeToken(): string
  onTrouble(error: unknown, doing: string): void
}
