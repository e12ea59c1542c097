import type { Problem, Stop, Vehicle } from './problem.ts'
import { drawBelow, drawUnit, makeRandom, type Random } from './random.ts'

/*
 * Realistic days of a courier, generated from a seed: a town, stops with and without a time window, a lunch. For
 * warming up, tests and measurements.
 */

export interface DayShape {
  stops: number
  drivers?: number
  /** The share of stops with a time window. */
  windowShare?: number
  /** The share of stops that depend on another one. */
  precedenceShare?: number
  /** The share of stops at the door of another one. */
  doorShare?: number
  hasLunch?: boolean
  isClosed?: boolean
  /** Below 1, the stops do not fit into the shift. */
  roominess?: number
}

const [hour, minute] = [3600, 60]
const [shiftStart, lunchEarliest, lunchLatest] = [8 * hour, 12 * hour, 13 * hour]
const townMetres = 16_000
const metresPerSecond = 6

export function makeDay(seed: number, shape: DayShape): Problem {
  const {
    drivers = 1,
    windowShare = 0.5,
    precedenceShare = 0.1,
    doorShare = 0,
    hasLunch = true,
    isClosed = true,
    roominess = 1,
  } = shape
  const random = makeRandom(seed)
  const placeCount = shape.stops + drivers
  const shiftSeconds = Math.round((shape.stops / drivers) * 12 * minute * roominess + 2 * hour)
  const vehicles: Vehicle[] = Array.from({ length: drivers }, (_, index) => ({
    startPlace: shape.stops + index,
    endPlace: isClosed ? shape.stops + index : null,
    shiftStart,
    shiftEnd: shiftStart + shiftSeconds,
    overtimeWeight: 2,
    ...(hasLunch && {
      lunch: { seconds: 30 * minute, earliest: lunchEarliest, latest: lunchLatest, lateWeight: 1 },
    }),
  }))
  const day: Problem = {
    placeCount,
    travelSeconds: makeTown(random, placeCount),
    stops: Array.from({ length: shape.stops }, (_, place) => makeStop(random, place, windowShare, shiftSeconds)),
    vehicles,
    precedences: makePairs(random, shape.stops, precedenceShare),
  }
  if (doorShare > 0) shareDoors(random, day.stops, doorShare)
  return day
}

/** Some stops are at the door of another one, half of them at the same time. */
function shareDoors(random: Random, stops: Stop[], share: number) {
  for (const [index, stop] of stops.entries()) {
    const other = index > 0 && drawUnit(random) < share ? stops[drawBelow(random, index)] : undefined
    if (other) stop.place = other.place
    if (other && drawUnit(random) < 0.5) Object.assign(stop, { earliest: other.earliest, latest: other.latest })
    stop.door = { point: { lat: 44 + stop.place / 1000, lng: 26 }, text: null }
  }
}

/** One-way streets and hills: times differ by direction, but a detour is never shorter. */
function makeTown(random: Random, placeCount: number): Int32Array {
  const places = Array.from({ length: placeCount }, () => ({
    x: drawUnit(random) * townMetres,
    y: drawUnit(random) * townMetres,
    height: drawUnit(random) * 2 * minute,
  }))
  const travelSeconds = new Int32Array(placeCount * placeCount)
  for (const [from, a] of places.entries())
    for (const [to, b] of places.entries()) {
      if (from === to) continue
      const driving = Math.hypot(a.x - b.x, a.y - b.y) / metresPerSecond
      travelSeconds[from * placeCount + to] = Math.ceil(driving + Math.max(0, b.height - a.height))
    }
  return travelSeconds
}

function makeStop(random: Random, place: number, windowShare: number, shiftSeconds: number): Stop {
  const promised = drawUnit(random) < windowShare
  const opens = shiftStart + drawBelow(random, shiftSeconds)
  const length = (1 + drawBelow(random, 4)) * 30 * minute
  return {
    place,
    serviceSeconds: (2 + drawBelow(random, 9)) * minute,
    earliest: promised ? opens : shiftStart,
    latest: promised ? opens + length : shiftStart + shiftSeconds,
    lateWeight: [1, 1, 1, 2, 5][drawBelow(random, 5)]!,
  }
}

function makePairs(random: Random, stops: number, share: number): [number, number][] {
  const pairs: [number, number][] = []
  for (let stop = 1; stop < stops; stop += 1) if (drawUnit(random) < share) pairs.push([drawBelow(random, stop), stop])
  return pairs
}
