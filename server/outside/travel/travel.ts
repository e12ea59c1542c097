import { setImmediate } from 'node:timers/promises'
import type { Point, Traffic } from '../../../core/geo.ts'
import { emptyTable, estimateRows, slowdownOf, type Transport, type TravelTable } from '../../../core/travel.ts'
import { OutsideError } from '../fault.ts'
import type { Outside } from '../fetch.ts'
import { createWayCache, metresIn, pack, secondsIn } from './cache.ts'
import type { Engine, Way } from './engine.ts'
import { osrm } from './osrm.ts'
import { valhalla } from './valhalla.ts'

/*
 * How long it takes from each place to each other one: from a routing engine, if there is one, otherwise from our
 * estimate. There is always an answer: if an engine fails, is slow or returns nonsense, the estimate is used, and
 * `warnings` says so.
 */

export interface TravelRequest {
  places: readonly Point[]
  traffic: Traffic
  transport: Transport
}

/** The trip from place `i` to place `j` is at `i * places.length + j`. */
export interface TravelTimes extends TravelTable {
  source: 'estimate' | Engine['name']
  /** Must be shown next to the times. */
  isEstimate: boolean
  /** Sentences for the caller. They name no address inside our network. */
  warnings: string[]
}

export interface Travel {
  times(request: TravelRequest): Promise<TravelTimes>
}

const engineOf = { osrm, valhalla }

interface TravelOptions {
  engine: 'estimate' | Engine['name']
  url: string
  /** For one request, and for all that one table needs. */
  requestMs?: number
  tableMs?: number
  /** After a failure the engine is not called for a while: planning must not wait for a dead engine again and again. */
  restMs?: number
  /** Called with the reason when the engine failed. */
  onTrouble?: (error: unknown) => void
}

/** Accepted by both engines with their default limits: OSRM 100 places in all, Valhalla 2,500 pairs. */
const tileSide = 50
const requestsAtOnce = 4
/** Beyond this an engine would need hundreds of requests. */
const mostPlaces = 500
const cachedWays = 200_000

export function createTravel(outside: Outside, options: TravelOptions): Travel {
  const engine = options.engine === 'estimate' ? undefined : engineOf[options.engine](outside, options.url)
  const cache = createWayCache(cachedWays)
  let restsUntil = 0

  async function times({ places, traffic, transport }: TravelRequest): Promise<TravelTimes> {
    requirePlaces(places)
    const estimate = await estimateTimes(places, traffic, transport)
    if (!engine || places.length < 2) return estimate
    const warn = (sentence: string) => ({ ...estimate, warnings: [`${sentence}; travel times are estimates`] })
    const profile = engine.profileOf(transport)
    if (!profile) return warn(`The routing engine does not support travel by ${transport}`)
    if (places.length > mostPlaces) return warn(`The routing engine takes at most ${mostPlaces} places`)
    if (performance.now() < restsUntil) return warn('The routing engine failed a moment ago')
    try {
      const ways = await findWays(engine, profile, places)
      return withWays(estimate, ways, engine.name, slowdownOf(traffic, transport))
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error
      restsUntil = performance.now() + (options.restMs ?? 30_000)
      options.onTrouble?.(error)
      return warn('The routing engine did not give a usable answer')
    }
  }

  /** The trips between all places, packed; undefined where the engine finds none. */
  async function findWays(engine: Engine, profile: string, places: readonly Point[]): Promise<(number | undefined)[]> {
    const size = places.length
    const names = places.map(({ lat, lng }) => `${roundedDegrees(lat)},${roundedDegrees(lng)}`)
    const starts = names.map((name) => `${profile} ${name}`)
    const ways = starts.flatMap((start) => names.map((end) => cache.get(start, end)))
    const deadline = AbortSignal.timeout(options.tableMs ?? 8_000)
    const tiles = missingParts(size, (from, to) => ways[from * size + to] !== undefined).flatMap(tilesOf)

    await inParallel(requestsAtOnce, tiles, async ({ from, to }) => {
      const found = await engine.ask({
        profile,
        from: from.map((index) => rounded(places[index] as Point)),
        to: to.map((index) => rounded(places[index] as Point)),
        timeoutMs: options.requestMs ?? 4_000,
        signal: deadline,
      })
      for (const [row, start] of from.entries())
        for (const [column, end] of to.entries()) {
          const packed = packWay(found[row]?.[column] ?? null)
          ways[start * size + end] = packed
          cache.set(starts[start] as string, names[end] as string, packed)
        }
    })
    return ways.map((way) => (way === noWay ? undefined : way))
  }

  return { times }
}

const noWay = -1
const packWay = (way: Way) => (way ? pack(Math.round(way.seconds), Math.round(way.metres)) : noWay)

/** About ten metres: neighbours have the same trip and need no second request. */
const roundedDegrees = (degrees: number) => Math.round(degrees * 10_000) / 10_000
const rounded = ({ lat, lng }: Point): Point => ({ lat: roundedDegrees(lat), lng: roundedDegrees(lng) })

function requirePlaces(places: readonly Point[]) {
  const isWrong = ({ lat, lng }: Point) => !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)
  const wrong = places.findIndex(isWrong)
  if (wrong >= 0) throw new RangeError(`Place ${wrong} has impossible coordinates`)
}

const cellsBetweenPauses = 25_000

/** The estimate, with pauses so that the process can answer requests: 2,000 places have four million trips. */
async function estimateTimes(places: readonly Point[], traffic: Traffic, transport: Transport): Promise<TravelTimes> {
  const table = emptyTable(places.length)
  const rowsBetweenPauses = Math.ceil(cellsBetweenPauses / Math.max(1, places.length))
  for (const row of estimateRows(places, traffic, transport, table))
    if ((row + 1) % rowsBetweenPauses === 0) await setImmediate()
  return { ...table, source: 'estimate', isEstimate: true, warnings: [] }
}

/** Replaces the estimates by the engine's trips. Where it finds none the estimate stays, so no trip is infinite. */
function withWays(
  estimate: TravelTimes,
  ways: readonly (number | undefined)[],
  source: Engine['name'],
  slowdown: number,
): TravelTimes {
  const { seconds, metres } = estimate
  const size = Math.sqrt(ways.length)
  let unknown = 0
  for (const [index, way] of ways.entries()) {
    if (index % (size + 1) === 0) continue
    if (way === undefined) unknown += 1
    else {
      seconds[index] = Math.round(secondsIn(way) * slowdown)
      metres[index] = metresIn(way)
    }
  }
  const total = size * (size - 1)
  if (unknown === total) {
    const warnings = ['The routing engine found no road there; travel times are estimates']
    return { ...estimate, warnings }
  }
  const warnings =
    unknown > 0 ? [`The routing engine found no road for ${unknown} of ${total} trips; these are estimates`] : []
  return { seconds, metres, source, isEstimate: false, warnings }
}

export interface Part {
  from: number[]
  to: number[]
}

/**
 * What is left to request. New places are requested completely, in both directions; for the others only the rows and
 * columns that have a gap. One more task for a driver with a planned day costs a row and a column, not the whole table.
 */
export function missingParts(size: number, isKnown: (from: number, to: number) => boolean): Part[] {
  const all = Array.from({ length: size }, (_, index) => index)
  const isGap = (from: number, to: number) => from !== to && !isKnown(from, to)
  const fresh = all.filter((from) => all.every((to) => from === to || (isGap(from, to) && isGap(to, from))))
  const others = all.filter((index) => !fresh.includes(index))
  const gaps = {
    from: others.filter((from) => others.some((to) => isGap(from, to))),
    to: others.filter((to) => others.some((from) => isGap(from, to))),
  }
  return [{ from: fresh, to: all }, { from: others, to: fresh }, gaps].filter(
    ({ from, to }) => from.length > 0 && to.length > 0,
  )
}

const inTiles = (indexes: number[]) =>
  Array.from({ length: Math.ceil(indexes.length / tileSide) }, (_, tile) =>
    indexes.slice(tile * tileSide, (tile + 1) * tileSide),
  )

const tilesOf = ({ from, to }: Part): Part[] =>
  inTiles(from).flatMap((starts) => inTiles(to).map((ends) => ({ from: starts, to: ends })))

/** A few at a time; the first failure ends it. */
async function inParallel<Item>(atOnce: number, items: readonly Item[], work: (item: Item) => Promise<void>) {
  const left = items.values()
  let hasFailed = false
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of left) {
        if (hasFailed) return
        await work(item).catch((error) => {
          hasFailed = true
          throw error
        })
      }
    }),
  )
}
