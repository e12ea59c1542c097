import { distanceMetres, type Point } from '../../../core/geo.ts'

/** How often the organisation wants to know where its drivers are. */
export interface Pace {
  /** After moving this far. */
  metres: number
  /** At least this often. */
  seconds: number
}

/** Nobody's map needs more, and no battery would last. */
const shortestSeconds = 5
export const secondsOf = ({ seconds }: Pace) => Math.max(shortestSeconds, seconds)

interface Fix extends Point {
  atMs: number
}

/** Whether this one is worth reporting after that one. */
export const isDue = (last: Fix | undefined, fix: Fix, pace: Pace): boolean =>
  !last || distanceMetres(last, fix) >= Math.max(1, pace.metres) || fix.atMs - last.atMs >= secondsOf(pace) * 1000
