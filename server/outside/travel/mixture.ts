import { emptyTable, type TravelTable } from '../../../core/travel.ts'
import { metresIn, secondsIn } from './cache.ts'
import type { Engine } from './engine.ts'
import type { RoadTable } from './roads.ts'

/*
 * Trips from several sources, of which each fills in what the ones before do not know. What is said of them is counted:
 * most of the trips decide the source, and a sentence tells of the others.
 */

export type Source = 'estimate' | 'roads' | Engine['name']

export interface Described {
  /** Where most of the trips are from. */
  source: Source
  /** Must be shown next to the times. */
  isEstimate: boolean
  /** Sentences for the caller. They name no address inside our network. */
  warnings: string[]
}

const [unknown, byRoads, byEngine, byEstimate] = [0, 1, 2, 3]

export interface Mixture extends TravelTable {
  /** Which of these a trip is from. */
  origin: Uint8Array
}

export const emptyMixture = (size: number): Mixture => ({ ...emptyTable(size), origin: new Uint8Array(size * size) })

export const isMissing = ({ origin }: Mixture, trip: number) => origin[trip] === unknown

export function putTrip(mixture: Mixture, trip: number, seconds: number, metres: number, origin: number) {
  mixture.seconds[trip] = Math.round(seconds)
  mixture.metres[trip] = Math.round(metres)
  mixture.origin[trip] = origin
}

/** `factor` is from the time on an empty road to the one that is expected. */
export function addRoads(mixture: Mixture, { seconds, metres }: RoadTable, factor: number) {
  for (let trip = 0; trip < mixture.origin.length; trip += 1) {
    const known = seconds[trip] as number
    if (known >= 0) putTrip(mixture, trip, known * factor, metres[trip] as number, byRoads)
  }
}

export function addWays(mixture: Mixture, ways: readonly (number | undefined)[], factor: number) {
  for (const [trip, way] of ways.entries())
    if (way !== undefined && isMissing(mixture, trip))
      putTrip(mixture, trip, secondsIn(way) * factor, metresIn(way), byEngine)
}

/** So that no trip is without a time. */
export function addEstimates(mixture: Mixture, { seconds, metres }: TravelTable) {
  for (let trip = 0; trip < mixture.origin.length; trip += 1)
    if (isMissing(mixture, trip)) putTrip(mixture, trip, seconds[trip] as number, metres[trip] as number, byEstimate)
}

const engineNames = { osrm: 'OSRM', valhalla: 'Valhalla' } as const

/** The routing engine, if it was asked; and why it could not answer, if it could not. */
export interface Asked {
  engine?: Engine['name'] | undefined
  trouble?: string | undefined
}

/** What is to be said of these trips. */
export function describe({ origin }: Mixture, trips: Iterable<number>, { engine, trouble }: Asked): Described {
  const counts = [0, 0, 0, 0]
  let total = 0
  for (const trip of trips) {
    total += 1
    const from = origin[trip] as number
    counts[from] = (counts[from] as number) + 1
  }
  const [, roads, ways, estimates] = counts as [number, number, number, number]
  const source =
    estimates === total || estimates > Math.max(roads, ways)
      ? 'estimate'
      : ways > roads
        ? (engine as Engine['name'])
        : 'roads'
  return { source, isEstimate: source === 'estimate', warnings: [...sentences()] }

  function* sentences() {
    const these = estimates === total ? 'travel times' : `${estimates} of ${total} trips`
    if (trouble) yield `${trouble}; ${these} are estimates`
    else if (engine && estimates > 0 && estimates === total)
      yield 'The routing engine found no road there; travel times are estimates'
    else if (estimates > 0 && estimates < total) {
      const whose = engine ? 'The routing engine found' : 'The imported map has'
      yield `${whose} no road for ${these}; these are estimates`
    }
    if (engine && roads > 0 && ways > 0)
      yield `The imported map has no road for ${ways} of ${total} trips; these are from ${engineNames[engine]}`
  }
}
