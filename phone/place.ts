import type { Clock } from './ports.ts'

/** Where the phone is, as last measured. */
export interface Place {
  lat: number
  lng: number
  accuracyMetres: number
  /** By the phone's clock. */
  atMs: number
}

/** Older or vaguer than this, it says nothing about where something was done. */
const freshMs = 2 * 60_000
const goodMetres = 100

export function createPlace(clock: Clock) {
  let newest: Place | undefined
  const listeners = new Set<() => void>()
  return {
    current: () => newest,
    /** Undefined: not known, or nobody's business because the driver is off duty. */
    note(place: Place | undefined) {
      newest = place
      for (const listener of listeners) listener()
    },
    /** Where the driver does something, if it is known well enough. Never waited for. */
    forAction() {
      if (!newest || newest.accuracyMetres > goodMetres || clock.nowMs() - newest.atMs > freshMs) return {}
      const { lat, lng, accuracyMetres } = newest
      return { lat, lng, accuracyMetres }
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
