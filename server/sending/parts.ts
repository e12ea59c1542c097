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

/** The result of one attempt. `delivered` says that the receiver can take more; `left`, that it was not asked. */
export interface Attempted {
  outcome: string
}

export interface Result<Delivery, Made, Decided> {
  delivery: Delivery
  attempt: Made
  decision: Decided
}

export interface Store<Delivery extends Claimed, Made extends Attempted, Decided> {
  /**
   * Takes what is due, at most `limit`, and for each receiver at most what its window allows. What we hold, with tokens of ours, is not
   * due for us: a process that stalled is too late to renew, and knows that it is not dead.
   */
  claim(
    token: string,
    limit: number,
    windows: ReadonlyMap<number, number>,
    ours: readonly string[],
  ): Promise<Delivery[]>
  /** Writes the results of attempts. A result whose claim was taken over changes nothing. */
  complete(results: Result<Delivery, Made, Decided>[]): Promise<void>
  /** Says that we are alive and still working on these. */
  renew(deliveries: Delivery[]): Promise<void>
  /** Gives back what was not finished. */
  release(deliveries: Delivery[]): Promise<void>
}

export interface Parts<Delivery extends Claimed, Made extends Attempted, Decided> {
  store: Store<Delivery, Made, Decided>
  /** Sends once. Undefined if we aborted it. */
  attempt(delivery: Delivery, signal: AbortSignal): Promise<Made | undefined>
  /** What follows from an attempt. */
  decide(delivery: Delivery, made: Made): Decided
  clock: Clock
  makeToken(): string
  onTrouble(error: unknown, doing: string): void
}
