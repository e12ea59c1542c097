/* The port to whoever carries messages to customers. */

export interface Outgoing {
  /** The same whenever it is sent again, for providers that recognise repetitions. */
  id: string
  /** A phone number in E.164, or an email address. */
  to: string
  /** What the organisation wants to be called; null if it does not say. */
  sender: string | null
  /** Only emails have one. */
  subject: string
  text: string
  organisation: { name: string; email: string }
}

/**
 * What became of it. `refused`: it was certainly not taken, and may be tried again. `unknown`: it may have been taken, so
 * trying again could send it twice.
 */
export type Handed =
  | { outcome: 'sent' }
  | { outcome: 'refused'; error: string; retryAfterSeconds?: number | undefined; isFinal?: true }
  | { outcome: 'unknown'; error: string }

export interface Channel {
  /** Hands a message over once. Errors are told as an outcome, without any secret in them. */
  send(message: Outgoing, signal: AbortSignal): Promise<Handed>
}
