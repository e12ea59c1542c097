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

/** Ramer, Douglas and Peucker: keeps the point furthest from the line between two kept ones, if it is too far. */
function simplify<Place extends Point>(line: readonly Place[], tolerance: number): Place[] {
  const isKept = line.map((_, index) => index === 0 || index === line.length - 1)
  const spans: [first: number, last: number][] = [[0, line.length - 1]]
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [first, last] = span
    let [furthest, distance] = [0, tolerance]
    for (let index = first + 1; index < last; index += 1) {
      const away = metresFrom(line[first] as Place, line[last] as Place, line[index] as Place)
      if (away > distance) [furthest, distance] = [index, away]
    }
    if (furthest === 0) continue
    isKept[furthest] = true
    spans.push([first, furthest], [furthest, last])
  }
  return line.filter((_, index) => isKept[index])
}

const metresPerDegree = 111_195

/** The distance of a point from a line, on a plane: over a day's drive the earth is flat enough for drawing. */
function metresFrom(from: Point, to: Point, { lat, lng }: Point): number {
  const scale = Math.cos((from.lat * Math.PI) / 180)
  const [dx, dy] = [(to.lng - from.lng) * scale, to.lat - from.lat]
  const [x, y] = [(lng - from.lng) * scale, lat - from.lat]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, (x * dx + y * dy) / length))
  return Math.hypot(x - along * dx, y - along * dy) * metresPerDegree
}
