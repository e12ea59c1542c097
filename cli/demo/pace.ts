import { setTimeout as pause } from 'node:timers/promises'
import { WaybillError } from '../../sdk/client.ts'

export interface Pace {
  seed: number
  /** How many times faster than real time. */
  speed: number
  signal: AbortSignal
}

const isPassing = (error: unknown) => error instanceof WaybillError && [429, 503].includes(error.status)

/** Retries while the server says that it is busy. */
export async function patiently<Result>(call: () => Promise<Result>, { signal }: Pick<Pace, 'signal'>) {
  for (let attempt = 1; ; attempt += 1)
    try {
      signal.throwIfAborted()
      return await call()
    } catch (error) {
      if (!isPassing(error) || attempt === 30) throw error
      await pause(1_000, undefined, { signal })
    }
}
