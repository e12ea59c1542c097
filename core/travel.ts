import type { Point, Traffic } from './geo.ts'

/*
 * How long a trip by road takes without knowing the roads. An estimate, and marked as one wherever it is shown.
 *
 * Roads are a third longer than the straight line, and longer trips use faster roads. So time is a concave function of
 * distance, which means that a detour is never shorter than the direct trip. Rounding up preserves that.
 */

/** The means of transport of a driver; the API defines the numbers. */
export const transports = { 1: 'foot', 2: 'bicycle', 3: 'motorcycle', 4: 'car', 5: 'van', 6: 'truck' } as const
export type Transport = (typeof transports)[keyof typeof transports]

/** What `driverTransportationId` means; the default is a car. */
export const transportOf = (id: number | null | undefined): Transport =>
  transports[id as keyof typeof transports] ?? 'car'

/** How much traffic lengthens the time on an empty road. */
const slowdowns: Record<Traffic, number> = { none: 1, optimistic: 1.15, best_guess: 1.3, pessimistic: 1.7 }

/** The distances by road, in metres, at which the speed changes: streets, main roads, country roads, motorways. */
const bands = [2_000, 10_000, 50_000, Number.POSITIVE_INFINITY] as const

interface Manner {
  /** Metres per second on an empty road, by band; never less in a later one. */
  speeds: readonly [number, number, number, number]
  /** How much traffic affects it, from 0 to 1. */
  feelsTraffic: number
}

const manners: Record<Transport, Manner> = {
  foot: { speeds: [1.35, 1.35, 1.35, 1.35], feelsTraffic: 0 },
  bicycle: { speeds: [4.2, 4.4, 4.6, 4.6], feelsTraffic: 0.2 },
  motorcycle: { speeds: [8.5, 12.5, 19.5, 27], feelsTraffic: 0.5 },
  car: { speeds: [7.8, 11.7, 19.5, 28], feelsTraffic: 1 },
  van: { speeds: [7.4, 11.1, 18.5, 26], feelsTraffic: 1 },
  truck: { speeds: [6.2, 9.4, 16, 21], feelsTraffic: 1 },
}

const detour = 1.35
const earthRadiusMetres = 6_371_000

/** The factor from the time on an empty road to the time in traffic. Engines that do not know traffic need it too. */
export function slowdownOf(traffic: Traffic, transport: Transport): number {
  return 1 + (slowdowns[traffic] - 1) * manners[transport].feelsTraffic
}

/** A square table of trips between places: the trip from place `i` to place `j` is at `i * size + j`. */
export interface TravelTable {
  seconds: Int32Array
  metres: Int32Array
}

export const emptyTable = (size: number): TravelTable => ({
  seconds: new Int32Array(size * size),
  metres: new Int32Array(size * size),
})

/**
 * Fills a table row by row and yields after each, so that the caller can do other work in between. Only half of the
 * cells are computed: by estimate, both directions take the same time.
 */
export function* estimateRows(places: readonly Point[], traffic: Traffic, transport: Transport, table: TravelTable) {
  const size = places.length
  const vectors = toVectors(places)
  const secondsFor = timer(traffic, transport)
  for (let from = 0; from < size; from += 1) {
    for (let to = from + 1; to < size; to += 1) {
      const road = roadMetres(vectors, from, to)
      const seconds = Math.ceil(secondsFor(road))
      const metres = Math.ceil(road)
      table.seconds[from * size + to] = seconds
      table.seconds[to * size + from] = seconds
      table.metres[from * size + to] = metres
      table.metres[to * size + from] = metres
    }
    yield from
  }
}

/** The whole table at once. */
export function estimateTravelTable(places: readonly Point[], traffic: Traffic, transport: Transport): TravelTable {
  const table = emptyTable(places.length)
  for (const _row of estimateRows(places, traffic, transport, table));
  return table
}

/** Places as points on the unit sphere: a distance is then a few multiplications and one arc sine. */
function toVectors(places: readonly Point[]): Float64Array {
  const vectors = new Float64Array(places.length * 3)
  for (const [index, { lat, lng }] of places.entries()) {
    const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180]
    vectors[index * 3] = Math.cos(phi) * Math.cos(lambda)
    vectors[index * 3 + 1] = Math.cos(phi) * Math.sin(lambda)
    vectors[index * 3 + 2] = Math.sin(phi)
  }
  return vectors
}

function roadMetres(vectors: Float64Array, from: number, to: number): number {
  const x = (vectors[from * 3] as number) - (vectors[to * 3] as number)
  const y = (vectors[from * 3 + 1] as number) - (vectors[to * 3 + 1] as number)
  const z = (vectors[from * 3 + 2] as number) - (vectors[to * 3 + 2] as number)
  const halfChord = Math.min(1, Math.sqrt(x * x + y * y + z * z) / 2)
  return detour * 2 * earthRadiusMetres * Math.asin(halfChord)
}

function timer(traffic: Traffic, transport: Transport): (metres: number) => number {
  const { speeds } = manners[transport]
  const slowdown = slowdownOf(traffic, transport)
  const [streets, mainRoads, countryRoads, motorways] = speeds.map((speed) => slowdown / speed) as [
    number,
    number,
    number,
    number,
  ]
  const [first, second, third] = bands
  const [atFirst, atSecond] = [first * streets, first * streets + (second - first) * mainRoads]
  const atThird = atSecond + (third - second) * countryRoads
  return (metres) => {
    if (metres <= first) return metres * streets
    if (metres <= second) return atFirst + (metres - first) * mainRoads
    if (metres <= third) return atSecond + (metres - second) * countryRoads
    return atThird + (metres - third) * motorways
  }
}
