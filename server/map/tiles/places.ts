import type { Tags } from '../extract/elements.ts'
import type { Described } from './layers.ts'

/** What a place is, from which zoom its name stands, and its order among the names of that zoom. */
const places: Readonly<Record<string, readonly [kind: string, minZoom: number, order: number]>> = {
  country: ['country', 1, 0],
  state: ['region', 5, 1],
  province: ['region', 5, 1],
  city: ['locality', 7, 2],
  town: ['locality', 8, 2],
  village: ['locality', 10, 3],
  hamlet: ['locality', 12, 5],
  isolated_dwelling: ['locality', 13, 6],
  farm: ['locality', 13, 7],
  allotments: ['locality', 13, 8],
  locality: ['locality', 13, 8],
  suburb: ['macrohood', 11, 9],
  borough: ['macrohood', 11, 9],
  quarter: ['macrohood', 12, 10],
  neighbourhood: ['neighbourhood', 13, 11],
  square: ['neighbourhood', 14, 12],
}
/** Where nobody says how many live there. */
const usualPopulation: Readonly<Record<string, number>> = { city: 50_000, town: 10_000, village: 2_000, hamlet: 200 }
const populationSteps = [1, 200, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 5e6, 1e7, 2e7, 5e7, 1e8, 1e9]

export function describePlace(tags: Tags): Described | undefined {
  const { place, name } = tags
  const found = place === undefined ? undefined : places[place]
  if (!found || place === undefined || !name) return undefined
  const [kind, usual, order] = found
  const population = readPopulation(tags['population']) ?? usualPopulation[place] ?? 0
  const rank = populationSteps.filter((step) => population >= step).length
  const minZoom = place === 'city' ? zoomOfCity(rank, tags['capital']) : usual
  return {
    layer: 'places',
    minZoom,
    properties: {
      kind,
      kind_detail: place,
      name,
      min_zoom: minZoom,
      ...(tags['capital'] && tags['capital'] !== 'no' && { capital: tags['capital'] }),
      population,
      population_rank: rank,
      // First zoom, then kind, then people: what people look for first comes first where names compete.
      sort_key: (minZoom * 13 + order) * 20 + (19 - rank),
    },
  }
}

const zoomOfCity = (populationRank: number, capital: string | undefined) =>
  capital === 'yes' ? 4 : populationRank >= 12 ? 4 : populationRank >= 10 ? 6 : 7

function readPopulation(text: string | undefined): number | undefined {
  const number = text === undefined ? Number.NaN : Number.parseInt(text.replaceAll(/[\s.,]/g, ''), 10)
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** By tag and value: the kind and the first zoom of the few things people find their way by. */
const landmarks: readonly (readonly [key: string, value: string, kind: string, minZoom: number])[] = [
  ['aeroway', 'aerodrome', 'aerodrome', 10],
  ['railway', 'station', 'station', 12],
  ['amenity', 'bus_station', 'bus_station', 13],
  ['amenity', 'hospital', 'hospital', 13],
  ['amenity', 'university', 'university', 13],
  ['amenity', 'townhall', 'townhall', 14],
  ['amenity', 'marketplace', 'marketplace', 14],
  ['amenity', 'college', 'college', 14],
  ['amenity', 'school', 'school', 14],
  ['amenity', 'grave_yard', 'cemetery', 14],
  ['landuse', 'cemetery', 'cemetery', 14],
  ['leisure', 'park', 'park', 14],
  ['leisure', 'stadium', 'stadium', 14],
  ['shop', 'mall', 'mall', 14],
]

export function describeLandmark(tags: Tags): Described | undefined {
  const { name } = tags
  if (!name) return undefined
  const found = landmarks.find(([key, value]) => tags[key] === value)
  if (!found) return undefined
  const [, , kind, minZoom] = found
  const iata = kind === 'aerodrome' && tags['iata']
  return { layer: 'pois', minZoom, properties: { kind, name, min_zoom: minZoom, ...(iata && { iata }) } }
}
