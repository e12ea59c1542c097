/*
 * How sure we are where an address is, and what follows from that: one rule for lists, plans, arrivals and every page.
 * The server repeats a part of it in SQL (server/tasks/read/conditions.ts); `certainty.cases.ts` holds both to it.
 */

/** An address as the API shows it. */
export interface ShownAddress {
  lat: number | null
  lng: number | null
  /** `exact`, `approximate` or `none`. */
  precision?: string | null
  /** What was found of it: `house`, `interpolated`, `street`, `city`, `learned`; nothing if somebody gave the coordinates. */
  precisionDetail?: string | null
  /** Why there are no coordinates; empty as long as they are being looked for. */
  geocodingProblem?: string | null
}

interface Consequences {
  /** Somebody has to look at it: it is in the list and the count of addresses to check. */
  isToCheck: boolean
  /** Automatic assignment gives the task to a driver. By hand, people may always. */
  isPlannedAlone: boolean
  /** It is the door: tasks there are one stop, and a driver who is near has arrived. */
  isDoor: boolean
  /** It is marked on the map as not exactly there. */
  isMarked: boolean
}

/**
 * A number between two known ones is at most a few doors off: good enough for a route and its times, not to say that
 * somebody has arrived. Somewhere in a street may be kilometres off, and in a city there is nothing to drive to.
 */
export const certainties = {
  sure: { isToCheck: false, isPlannedAlone: true, isDoor: true, isMarked: false },
  near: { isToCheck: false, isPlannedAlone: true, isDoor: false, isMarked: true },
  street: { isToCheck: true, isPlannedAlone: false, isDoor: false, isMarked: true },
  city: { isToCheck: true, isPlannedAlone: false, isDoor: false, isMarked: true },
  /** The street or only the city: the geocoder did not say, or it was found before we asked. */
  rough: { isToCheck: true, isPlannedAlone: false, isDoor: false, isMarked: true },
  /** It was looked for and not found. */
  nowhere: { isToCheck: true, isPlannedAlone: false, isDoor: false, isMarked: false },
  /** It is still being looked for: there is nothing to check yet. */
  waiting: { isToCheck: false, isPlannedAlone: false, isDoor: false, isMarked: false },
} as const satisfies Record<string, Consequences>
export type Certainty = keyof typeof certainties

const ofDetails: Partial<Record<string, Certainty>> = { interpolated: 'near', street: 'street', city: 'city' }

export function certaintyOf({ lat, lng, precision, precisionDetail, geocodingProblem }: ShownAddress): Certainty {
  if (lat === null || lng === null) return geocodingProblem ? 'nowhere' : 'waiting'
  if (precision !== 'approximate') return 'sure'
  return ofDetails[precisionDetail ?? ''] ?? 'rough'
}

/** Whether somebody has to look at this address. */
export const isToCheck = (address: ShownAddress): boolean => certainties[certaintyOf(address)].isToCheck
/** Whether tasks there are given to drivers by the program alone. */
export const isPlannedAlone = (address: ShownAddress): boolean => certainties[certaintyOf(address)].isPlannedAlone
/** Whether it is the door itself. */
export const isDoor = (address: ShownAddress): boolean => certainties[certaintyOf(address)].isDoor
/** Whether a pin says that it is not exactly there. */
export const isMarked = (address: ShownAddress): boolean => certainties[certaintyOf(address)].isMarked
