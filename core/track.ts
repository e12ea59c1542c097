import { distanceMetres, type Point } from './geo.ts'

/*
 * Where somebody drove, from the positions of a phone. Positions are noisy: one that stands still for an hour seems to
 * walk a kilometre, and some are in another town. So a step counts only once it is longer than the noise.
 */

export interface Fix extends Point {
  at: Date
  accuracyMetres: number | null
}

/** Shorter steps are taken for noise. */
const leastStepMetres = 15
/** A less accurate position says little about where the road is. */
const leastAccuracyMetres = 100
/** Nobody drives 360 km/h. */
const mostMetresPerSecond = 100
/** How far a drawn line may be from where they drove. */
const drawnMetres = 8

export interface Track<Seen> {
  metres: number
  /** All positions that count as a step, in order. */
  steps: Seen[]
}

/** Goes through positions in the order of their times, any number at a time. */
export function createTrack<Seen extends Fix>() {
  const track: Track<Seen> = { metres: 0, steps: [] }
  return {
    track,
    add(fixes: readonly Seen[]) {
      for (const fix of fixes) {
        if ((fix.accuracyMetres ?? 0) > leastAccuracyMetres) continue
        const last = track.steps.at(-1)
        const metres = last ? distanceMetres(last, fix) : 0
        const seconds = last ? (fix.at.getTime() - last.at.getTime()) / 1000 : 0
        if (last && (metres < leastStepMetres || metres > seconds * mostMetresPerSecond)) continue
        track.metres += metres
        track.steps.push(fix)
      }
    },
  }
}

/** The same line with fewer points, for drawing: at most so many, and no further from it than needed for that. */
export function thin<Place extends Point>(line: readonly Place[], most: number): Place[] {
  for (let tolerance = drawnMetres; ; tolerance *= 2) {
    const kept = simplify(line, tolerance)
    if (kept.length <= most) return kept
  }
}

/**
 * Walks along the line as long as one straight stroke passes close to every point; where none does, the point before is
 * kept. One look at each point, whatever the line: the usual way (Ramer, Douglas and Peucker) took 11 s for a zigzag of
 * 5,000 points, and phones choose what they report.
 */
function simplify<Place extends Point>(line: readonly Place[], tolerance: number): Place[] {
  const [start, ...rest] = line
  if (!start) return []
  const kept = [start]
  let last = start
  let passes = strokesFrom(start, tolerance)
  for (const place of rest) {
    if (!passes(place)) {
      kept.push(last)
      passes = strokesFrom(last, tolerance)
      passes(place)
    }
    last = place
  }
  return rest.length > 0 ? [...kept, last] : kept
}

const metresPerDegree = 111_195

/** Takes points in order, and says whether a stroke from here past all of them still exists, without turning back. */
function strokesFrom(from: Point, tolerance: number) {
  // On a plane: over a day's drive the earth is flat enough for drawing.
  const scale = Math.cos((from.lat * Math.PI) / 180)
  let heading: number | undefined
  let [leftmost, rightmost, reach] = [-Math.PI, Math.PI, 0]
  return ({ lat, lng }: Point): boolean => {
    const [east, north] = [(lng - from.lng) * scale * metresPerDegree, (lat - from.lat) * metresPerDegree]
    const metres = Math.hypot(east, north)
    if (metres < reach - tolerance) return false
    if (metres <= tolerance) return true
    const bearing = Math.atan2(east, north)
    heading ??= bearing
    const turn = Math.atan2(Math.sin(bearing - heading), Math.cos(bearing - heading))
    if (turn < leftmost || turn > rightmost) return false
    const width = Math.asin(tolerance / metres)
    leftmost = Math.max(leftmost, turn - width)
    rightmost = Math.min(rightmost, turn + width)
    reach = Math.max(reach, metres)
    return true
  }
}
