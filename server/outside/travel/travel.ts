import { setImmediate } from 'node:timers/promises'
import type { Point, Traffic } from '../../../core/geo.ts'
import {
  emptyTable,
  estimateRows,
  estimateTravelTable,
  slowdownOf,
  type Transport,
  type TravelTable,
} from '../../../core/travel.ts'
import type { Outside } from '../fetch.ts'
import { type AskingOptions, createAsking } from './asking.ts'
import type { Engine } from './engine.ts'
import {
  type Asked,
  addEstimates,
  addRoads,
  addWays,
  type Described,
  describe,
  emptyMixture,
  isMissing,
} from './mixture.ts'
import { osrm } from './osrm.ts'
import { type Leg, noRoads, type Roads, type RoadTable } from './roads.ts'
import { createStepCache } from './steps.ts'
import { valhalla } from './valhalla.ts'

/*
 * How long it takes from each place to each other one: by the roads of the imported map, where they have none by a routing
 * engine if there is one, otherwise by our estimate. There is always an answer: if an engine fails, is slow or returns
 * nonsense, the estimate is used, and `warnings` says so.
 */

export interface TravelRequest {
  places: readonly Point[]
  traffic: Traffic
  transport: Transport
  /** How much slower than by the roads the organisation's drivers really are (docs/decisions/0061); 1 if nobody knows. */
  learned?: number | undefined
}

/** The trip from place `i` to place `j` is at `i * places.length + j`. */
export interface TravelTimes extends TravelTable, Described {}

/** The trip from place `i` to the next one is at `i`. */
export interface Steps extends TravelTable, Described {}

export interface Travel {
  times(request: TravelRequest): Promise<TravelTimes>
  /** Only from each place to the next: what a route in a given order takes. */
  steps(request: TravelRequest): Promise<Steps>
  /** The ways from each place to the next, on empty roads; undefined where there is no line: pages draw a straight one. */
  legs(request: Pick<TravelRequest, 'places' | 'transport'>): Promise<(Leg | undefined)[]>
  /** What the roads alone say, on empty roads: -1 where they know no way, undefined if there are none. */
  byRoads(request: Pick<TravelRequest, 'places' | 'transport'>): Promise<RoadTable | undefined>
}

const engineOf = { osrm, valhalla }

export interface TravelOptions extends AskingOptions {
  /** `roads`: the imported map. An engine is asked for what the map does not have; `estimate` uses neither. */
  engine: 'roads' | 'estimate' | Engine['name']
  url: string
  /** The roads of the imported map, and which import that is. */
  roads?: Roads
  mapId?: () => Promise<number | undefined>
}

export function createTravel(outside: Outside, options: TravelOptions): Travel {
  const { engine, url, mapId = async () => undefined } = options
  const roads = engine === 'estimate' ? noRoads : (options.roads ?? noRoads)
  const asking =
    engine === 'estimate' || engine === 'roads' ? undefined : createAsking(engineOf[engine](outside, url), options)
  const known = createStepCache(roads, mapId)

  /** Asks the engine for the trips that are missing, and adds them. */
  async function askEngine(
    { places, transport }: TravelRequest,
    isKnown: (from: number, to: number) => boolean,
    add: (ways: readonly (number | undefined)[]) => void,
  ): Promise<Asked> {
    const answer = await asking?.ask(places, transport, isKnown)
    if (typeof answer === 'object') add(answer)
    return { engine: asking?.name, trouble: typeof answer === 'string' ? answer : undefined }
  }

  return {
    async times(request) {
      const { places, traffic, transport, learned = 1 } = request
      requirePlaces(places)
      const size = places.length
      const mixture = emptyMixture(size)
      for (let place = 0; place < size; place += 1) mixture.origin[place * (size + 1)] = onTheSpot
      const slowdown = slowdownOf(traffic, transport)
      const table = size > 1 ? await roads.table(transport, places) : undefined
      if (table) addRoads(mixture, table, slowdown * learned)
      let asked: Asked = {}
      if (mixture.origin.includes(0)) {
        const isKnown = (from: number, to: number) => !isMissing(mixture, from * size + to)
        asked = await askEngine(request, isKnown, (ways) => addWays(mixture, ways, slowdown))
        if (mixture.origin.includes(0)) addEstimates(mixture, await estimateTimes(places, traffic, transport))
      }
      const { seconds, metres } = mixture
      return { seconds, metres, ...describe(mixture, tripsOf(size), asked) }
    },

    async steps(request) {
      const { places, traffic, transport, learned = 1 } = request
      requirePlaces(places)
      const count = Math.max(0, places.length - 1)
      const mixture = emptySteps(count)
      const slowdown = slowdownOf(traffic, transport)
      addRoads(mixture, await known.find(transport, places), slowdown * learned)
      let asked: Asked = {}
      if (mixture.origin.includes(0)) {
        const isKnown = (from: number, to: number) => to !== from + 1 || !isMissing(mixture, from)
        const size = places.length
        asked = await askEngine(request, isKnown, (ways) =>
          addWays(
            mixture,
            Array.from({ length: count }, (_, step) => ways[step * size + step + 1]),
            slowdown,
          ),
        )
        addEstimates(mixture, estimateSteps(places, traffic, transport))
      }
      const { seconds, metres } = mixture
      return { seconds, metres, ...describe(mixture, mixture.seconds.keys(), asked) }
    },

    byRoads: ({ places, transport }) => roads.table(transport, places),

    async legs({ places, transport }) {
      requirePlaces(places)
      const found = places.length > 1 ? await roads.legs(transport, places) : undefined
      return found ?? Array.from({ length: Math.max(0, places.length - 1) }, () => undefined)
    },
  }
}

/** From a place to itself: known, and no trip. */
const onTheSpot = 255

function* tripsOf(size: number) {
  for (let trip = 0; trip < size * size; trip += 1) if (trip % (size + 1) !== 0) yield trip
}

const emptySteps = (count: number) => ({
  seconds: new Int32Array(count),
  metres: new Int32Array(count),
  origin: new Uint8Array(count),
})

function requirePlaces(places: readonly Point[]) {
  const isWrong = ({ lat, lng }: Point) => !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)
  const wrong = places.findIndex(isWrong)
  if (wrong >= 0) throw new RangeError(`Place ${wrong} has impossible coordinates`)
}

const cellsBetweenPauses = 25_000

/** The estimate, with pauses so that the process can answer requests: 2,000 places have four million trips. */
async function estimateTimes(places: readonly Point[], traffic: Traffic, transport: Transport): Promise<TravelTable> {
  const table = emptyTable(places.length)
  const rowsBetweenPauses = Math.ceil(cellsBetweenPauses / Math.max(1, places.length))
  for (const row of estimateRows(places, traffic, transport, table))
    if ((row + 1) % rowsBetweenPauses === 0) await setImmediate()
  return table
}

function estimateSteps(places: readonly Point[], traffic: Traffic, transport: Transport): TravelTable {
  const steps = emptySteps(places.length - 1)
  for (const step of steps.seconds.keys()) {
    const pair = estimateTravelTable(places.slice(step, step + 2), traffic, transport)
    steps.seconds[step] = pair.seconds[1] as number
    steps.metres[step] = pair.metres[1] as number
  }
  return steps
}
