import type { Point } from '../../../core/geo.ts'
import type { Transport } from '../../../core/travel.ts'
import { OutsideError } from '../fault.ts'
import { createWayCache, pack } from './cache.ts'
import type { Engine, Way } from './engine.ts'

/*
 * What the routing engine is asked for: only trips that are not known, in parts it accepts, and not for a while after it has
 * failed.
 */

export interface AskingOptions {
  /** For one request, and for all that one table needs. */
  requestMs?: number
  tableMs?: number
  /** After a failure the engine is not called for a while: planning must not wait for a dead engine again and again. */
  restMs?: number
  /** Called with the reason when the engine failed. */
  onTrouble?: (error: unknown) => void
}

export interface Asking {
  name: Engine['name']
  /**
   * The trips between all places, packed; undefined where the engine finds none, or was not asked. A sentence if it could
   * not be asked at all.
   */
  ask(places: readonly Point[], transport: Transport, isKnown: IsKnown): Promise<(number | undefined)[] | string>
}
type IsKnown = (from: number, to: number) => boolean

/** Accepted by both engines with their default limits: OSRM 100 places in all, Valhalla 2,500 pairs. */
const tileSide = 50
const requestsAtOnce = 4
/** Beyond this an engine would need hundreds of requests. */
const mostPlaces = 500
const cachedWays = 200_000

export function createAsking(engine: Engine, options: AskingOptions): Asking {
  const cache = createWayCache(cachedWays)
  let restsUntil = 0

  async function findWays(profile: string, places: readonly Point[], isKnown: IsKnown) {
    const size = places.length
    const names = places.map(({ lat, lng }) => `${roundedDegrees(lat)},${roundedDegrees(lng)}`)
    const starts = names.map((name) => `${profile} ${name}`)
    const ways = starts.flatMap((start, from) =>
      names.map((end, to) => (isKnown(from, to) ? noWay : cache.get(start, end))),
    )
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

  return {
    name: engine.name,
    async ask(places, transport, isKnown) {
      const profile = engine.profileOf(transport)
      if (!profile) return `The routing engine does not support travel by ${transport}`
      // What is known at both ends needs no request.
      const wanted = [...places.keys()].filter((one) =>
        places.some((_, other) => one !== other && !(isKnown(one, other) && isKnown(other, one))),
      )
      if (wanted.length > mostPlaces) return `The routing engine takes at most ${mostPlaces} places`
      if (performance.now() < restsUntil) return 'The routing engine failed a moment ago'
      try {
        return await findWays(profile, places, isKnown)
      } catch (error) {
        if (!(error instanceof OutsideError)) throw error
        restsUntil = performance.now() + (options.restMs ?? 30_000)
        options.onTrouble?.(error)
        return 'The routing engine did not give a usable answer'
      }
    },
  }
}

const noWay = -1
const packWay = (way: Way) => (way ? pack(Math.round(way.seconds), Math.round(way.metres)) : noWay)

/** About ten metres: neighbours have the same trip and need no second request. */
const roundedDegrees = (degrees: number) => Math.round(degrees * 10_000) / 10_000
const rounded = ({ lat, lng }: Point): Point => ({ lat: roundedDegrees(lat), lng: roundedDegrees(lng) })

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
