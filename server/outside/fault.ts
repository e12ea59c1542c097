export type OutsideFault =
  | 'invalid'
  | 'forbidden'
  | 'unresolved'
  | 'refused'
  | 'unreachable'
  | 'reset'
  | 'timeout'
  | 'tls'
  | 'protocol'
  | 'aborted'

/** Why there is no response, in one sentence that may be shown to the person who entered the URL. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError'
  readonly fault: OutsideFault
  /** Whether the request may have reached the other side: it was being sent when it went wrong. */
  wasOnItsWay = false

  constructor(fault: OutsideFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.fault = fault
  }
}

/** The code of an error thrown by a library. */
export function errorCode(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown')
}
