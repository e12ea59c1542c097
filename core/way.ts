import { distanceMetres, type Point } from './geo.ts'
import { decodePolyline } from './polyline.ts'

/*
 * How the way of a driver is drawn: along the roads where the server said how they lead, and as the crow flies where nobody knows.
 * Lines are known by where they begin and end, not by a place in a route: after another order, or a stop that is done without a
 * network, those that still lead from one stop to the next are drawn, and no line is taken for another.
 */

/** What the server said of the way from one place to another. */
export interface KnownLine {
  from: Point
  to: Point
  /** An encoded polyline; null if no road is known. */
  line: string | null
}

/** A piece of a drawn way. What is no road is straight, and has to look like that. */
export interface WayPart {
  points: Point[]
  isRoad: boolean
}

interface Stop {
  lat: number | null
  lng: number | null
  line: string | null
}

/** The lines of a route, from where it starts. */
export function linesOf(start: Point | null, stops: readonly Stop[]): KnownLine[] {
  const lines: KnownLine[] = []
  let from = start
  for (const { lat, lng, line } of stops) {
    if (lat === null || lng === null) continue
    const to = { lat, lng }
    if (from) lines.push({ from, to, line })
    from = to
  }
  return lines
}

/** From where the driver is, if that is known, through the stops. */
export function wayThrough(
  position: Point | undefined,
  stops: readonly Point[],
  lines: readonly KnownLine[],
): WayPart[] {
  const [first] = stops
  const rest = stops.slice(1).map((to, at) => wayBetween(stops[at] as Point, to, lines))
  const begin = position && first ? [wayFrom(position, first, lines)] : []
  return [...begin, ...rest].flat()
}

/** The way from one place to another by a line that is known to lead there. */
export const wayAlong = (from: Point, line: string, to: Point): WayPart[] => joined(from, decodePolyline(line), to)

/** Whether a way between two of these stops was never asked for. */
export const lacksLines = (stops: readonly Point[], lines: readonly KnownLine[]): boolean =>
  stops.some((to, at) => {
    const from = stops[at - 1]
    return from ? !findLine(from, to, lines) : !lines.some((line) => areSame(line.to, to))
  })

/** Farther from a line than this, somebody is on another road. */
const onRoadMetres = 60

/** Whether a driver who is there has no line to that stop, and may get one: nobody asked, or they took another road. */
export function isOffLines(position: Point, to: Point, lines: readonly KnownLine[]): boolean {
  const leading = lines.filter((line) => areSame(line.to, to))
  return leading.length === 0 || (leading.some(({ line }) => line) && !onLine(position, to, lines))
}

const wayBetween = (from: Point, to: Point, lines: readonly KnownLine[]): WayPart[] => {
  const known = findLine(from, to, lines)
  return known?.line ? wayAlong(from, known.line, to) : [{ points: [from, to], isRoad: false }]
}

/** What is left of the line to that stop: whoever follows it does not need another one with every metre. */
function wayFrom(position: Point, to: Point, lines: readonly KnownLine[]): WayPart[] {
  const left = onLine(position, to, lines)
  return left ? joined(position, left, to, besideMetres) : wayBetween(position, to, lines)
}

function onLine(position: Point, to: Point, lines: readonly KnownLine[]): Point[] | undefined {
  let nearest: { metres: number; left: Point[] } | undefined
  for (const known of lines) {
    if (!known.line || !areSame(known.to, to)) continue
    const found = remainderOf(decodePolyline(known.line), position)
    if (found && found.metres <= onRoadMetres && (!nearest || found.metres < nearest.metres)) nearest = found
  }
  return nearest?.left
}

/** From the point of a line that is nearest to a position to its end, and how near that is. */
function remainderOf(line: readonly Point[], position: Point): { metres: number; left: Point[] } | undefined {
  let best: { metres: number; left: Point[] } | undefined
  const [first] = line
  if (first && line.length === 1) return { metres: distanceMetres(position, first), left: [first] }
  for (const [at, end] of line.slice(1).entries()) {
    const point = nearestOn(line[at] as Point, end, position)
    const metres = distanceMetres(position, point)
    if (!best || metres < best.metres) best = { metres, left: [point, ...line.slice(at + 1)] }
  }
  return best
}

function nearestOn(from: Point, to: Point, position: Point): Point {
  // Nearer to the poles a degree to the east is shorter.
  const width = Math.cos((from.lat * Math.PI) / 180)
  const [x, y] = [(to.lng - from.lng) * width, to.lat - from.lat]
  const [ofX, ofY] = [(position.lng - from.lng) * width, position.lat - from.lat]
  const length = x * x + y * y
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, (x * ofX + y * ofY) / length))
  return { lat: from.lat + share * (to.lat - from.lat), lng: from.lng + share * (to.lng - from.lng) }
}

/** A line ends on its road; from there to the door it is walked. */
const walkedMetres = 8
/** A position is never exact, and a marker is larger than that. */
const besideMetres = 25

function joined(from: Point, line: Point[], to: Point, fromMetres = walkedMetres): WayPart[] {
  const [first, last] = [line[0], line.at(-1)]
  if (!first || !last) return [{ points: [from, to], isRoad: false }]
  const walk = (one: Point, other: Point, least = walkedMetres): WayPart[] =>
    distanceMetres(one, other) > least ? [{ points: [one, other], isRoad: false }] : []
  return [
    ...walk(from, first, fromMetres),
    ...(line.length > 1 ? [{ points: line, isRoad: true }] : []),
    ...walk(last, to),
  ]
}

const findLine = (from: Point, to: Point, lines: readonly KnownLine[]) =>
  lines.find((line) => areSame(line.from, from) && areSame(line.to, to))

/** As exact as lines are. */
const tolerance = 0.000_011
const areSame = (one: Point, other: Point) =>
  Math.abs(one.lat - other.lat) < tolerance && Math.abs(one.lng - other.lng) < tolerance
