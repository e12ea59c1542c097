import { distanceMetres, type Point } from '../../../../core/geo.ts'
import type { Db } from '../../../db/db.ts'
import { unpackHouses, writeNumber } from '../numbers.ts'
import {
  areTooMany,
  findHouses,
  findPlacesById,
  findPlacesNamed,
  findStreets,
  findWords,
  hasCommonWord,
  type KnownPlace,
  type KnownStreet,
  type NamedPlace,
} from './candidates.ts'
import { type AddressText, parse, type Query } from './parse.ts'
import { type Placed, place } from './place.ts'
import { type Ranked, rank } from './rank.ts'
import { findRegions } from './regions.ts'

/*
 * An address, found in one register: its words (parse), what of the register they may be (candidates), how well each fits (rank),
 * and where its number is (place).
 */

/** What was found of an address, as the register writes it. */
export interface FoundParts {
  streetName: string | null
  streetNumber: string | null
  postalCode: string | null
  city: string | null
  area: string | null
}

export interface Found extends Point {
  detail: 'house' | 'interpolated' | 'street' | 'city'
  parts: FoundParts
}

/** A street that fits less is another one. */
const leastScore = 0.6
const leastExplained = 0.68
/** Two that are so near to each other cannot be told apart. */
const tooClose = 0.05
/** A city is meant before a village with the same street. */
const muchLarger = 10
/** Wrong by less than this does no harm. */
const sameMetres = 200
const mostRead = 8
const worthReading = 0.25
const mostCities = 12

interface Seen {
  query: Query
  ranked: readonly Ranked[]
  cities: readonly NamedPlace[]
  isCitySaid: boolean
  /** More streets than were looked at have this name, anywhere. */
  areTooMany: boolean
  /** Streets with a word that thousands have were not looked at, unless for another word. */
  isOneLeftOut: boolean
  places: Map<number, KnownPlace>
}

/** Everything that may be meant, before houses are looked at. */
async function look(db: Db, registerId: number, query: Query): Promise<Seen | undefined> {
  const { matches, codes } = await findWords(db, registerId, query)
  const inCountry = ({ place }: NamedPlace) => !query.country || !place.country || place.country === query.country
  const named = (await findPlacesNamed(db, registerId, query, matches)).filter(inCountry)
  const isCitySaid = query.tokens.some(({ role }) => role === 'city')
  const regions = await findRegions(query)
  const cities = citiesAmong(named, query)
  // A city that the register does not know is somebody else's to find.
  if (isCitySaid && cities.length === 0) return undefined

  const towns = cities.length > 0 ? cities : named.filter(({ score }) => score > 0.8)
  const placeIds = towns.slice(0, mostCities).map(({ place }) => place.id)
  const streetsIn = (ids: number[] | undefined) => findStreets(db, registerId, matches, codes, query.tokens, ids)
  const places = new Map(named.map(({ place }) => [place.id, place]))
  const rankAll = async (streets: KnownStreet[]) => {
    const missing = new Set(
      streets.flatMap(({ place_id, area_id, also_in }) => [
        place_id,
        ...also_in,
        ...(area_id === null ? [] : [area_id]),
      ]),
    )
    for (const id of places.keys()) missing.delete(id)
    if (missing.size > 0) for (const one of await findPlacesById(db, registerId, [...missing])) places.set(one.id, one)
    const inside = streets.filter(({ place_id }) => {
      const country = places.get(place_id)?.country
      return !query.country || !country || country === query.country
    })
    return rank(inside, { query, places, named, cities, regions })
  }
  let ranked = placeIds.length > 0 ? await rankAll(await streetsIn(placeIds)) : []
  // What looked like a town may be the name of a street.
  const [first] = ranked
  let [tooMany, isOneLeftOut] = [false, false]
  if (cities.length === 0 && !(first && first.score >= 0.9 && first.isPlaceNamed)) {
    const streets = await streetsIn(undefined)
    tooMany = areTooMany(streets)
    isOneLeftOut = hasCommonWord(query, matches)
    const anywhere = await rankAll(streets)
    const known = new Set(ranked.map(({ street }) => street.id))
    ranked = [...ranked, ...anywhere.filter(({ street }) => !known.has(street.id))].sort((a, b) => b.score - a.score)
  }
  return { query, ranked, cities: towns, isCitySaid, areTooMany: tooMany, isOneLeftOut, places }
}

/** The towns that were said to be the city: those whose names fit best, in the named county if one is. */
function citiesAmong(named: readonly NamedPlace[], { tokens }: Query): NamedPlace[] {
  const said = named.filter(
    ({ tokens: of, place }) => place.kind !== 'area' && [...of].some((at) => tokens[at]?.role === 'city'),
  )
  const [best] = said
  if (!best) return []
  const likely = said.filter(({ score }) => score > best.score - 0.15)
  const areas = new Set(
    named
      .filter(({ tokens: of, score }) => score > 0.8 && [...of].some((at) => tokens[at]?.role !== 'city'))
      .map(({ place }) => place.id),
  )
  const inArea = likely.filter(({ place }) => place.area_ids.some((id) => areas.has(id)))
  return inArea.length > 0 ? inArea : likely
}

interface Candidate {
  ranked: Ranked
  placed: Placed
  score: number
}

const bonus = { house: 0.06, interpolated: 0.03, street: 0 } as const

async function placeBest(db: Db, registerId: number, ranked: readonly Ranked[], most: number): Promise<Candidate[]> {
  const [first] = ranked
  if (!first) return []
  const worth = ranked.filter(({ score }) => score >= first.score - worthReading).slice(0, most)
  const rows = await findHouses(
    db,
    registerId,
    worth.map(({ street }) => street.id),
  )
  const houses = new Map(rows.map((row) => [row.id, unpackHouses(row.houses)]))
  return worth
    .map((one) => {
      const placed = place(one.street, houses.get(one.street.id) ?? [], one.numbers)
      return { ranked: one, placed, score: one.score + bonus[placed.detail] }
    })
    .sort((a, b) => b.score - a.score || b.ranked.street.house_count - a.ranked.street.house_count)
}

/** Where an address is, if this register knows. */
export async function search(db: Db, registerId: number, address: AddressText): Promise<Found | undefined> {
  const seen = await look(db, registerId, parse(address))
  if (!seen) return undefined
  const candidates = await placeBest(db, registerId, seen.ranked, mostRead)
  const found = decide(candidates, seen)
  return found ?? cityOf(seen)
}

function decide(all: readonly Candidate[], { places, areTooMany, isOneLeftOut }: Seen): Found | undefined {
  const isAlone = ({ isExact }: Ranked) => !areTooMany && (isExact || !isOneLeftOut)
  const candidates = all.filter(
    ({ ranked }) => !ranked.mayBeElsewhere && (ranked.isPlaceNamed || ranked.street.has_postal_code || isAlone(ranked)),
  )
  const [best] = candidates
  if (!best || best.ranked.score < leastScore || best.ranked.explained < leastExplained) return undefined
  const townOf = ({ ranked }: Candidate) => places.get(ranked.street.place_id)
  const population = townOf(best)?.population ?? 0
  const isAsLarge = (other: Candidate) =>
    townOf(other)?.id !== townOf(best)?.id && (townOf(other)?.population ?? 0) * muchLarger >= population
  // Where the name was not written as it is, that a house has the number does not make it the right street; nor the right town.
  const isClose = (other: Candidate) =>
    best.ranked.isExact && !isAsLarge(other)
      ? other.score > best.score - tooClose
      : other.ranked.score > best.ranked.score - tooClose
  const rivals = candidates.filter(
    (other) => other !== best && isClose(other) && distanceMetres(other.placed, best.placed) > sameMetres,
  )
  if (rivals.length === 0) return present(best, places)
  // The same street in several towns, and none was named: at best the one in the city among villages, and it has to be looked at.
  if (rivals.some(isAsLarge)) return undefined
  const postalCode = best.ranked.street.postal_code
  return present({ ...best, placed: { ...best.placed, detail: 'street', found: undefined, postalCode } }, places)
}

function present({ ranked, placed }: Candidate, places: ReadonlyMap<number, KnownPlace>): Found {
  const { street } = ranked
  const { lat, lng, detail, found, postalCode } = placed
  const [typed] = ranked.numbers
  const number = found ?? (detail === 'interpolated' ? typed : undefined)
  const parts: FoundParts = {
    streetName: street.name,
    streetNumber: number ? writeNumber(number) : null,
    postalCode,
    city: places.get(street.place_id)?.name ?? null,
    area: street.area_id === null ? null : (places.get(street.area_id)?.name ?? null),
  }
  return { lat, lng, detail, parts }
}

const towns = new Set(['city', 'town', 'village', 'hamlet'])

/** Only the town is known. */
function cityOf({ query, cities, places }: Seen): Found | undefined {
  const said = cities.filter(
    ({ place, tokens }) => towns.has(place.kind) || [...tokens].some((at) => query.tokens[at]?.role === 'city'),
  )
  const [best, second] = said.toSorted((a, b) => b.score - a.score || b.place.population - a.place.population)
  if (!best) return undefined
  const isClear = !second || second.score < best.score || second.place.population * 2 < best.place.population
  const isFar = second && distanceMetres(second.place, best.place) > 5_000
  if (!isClear && isFar) return undefined
  return foundPlace(best.place, places)
}

const foundPlace = ({ name, lat, lng, area_ids }: KnownPlace, places: ReadonlyMap<number, KnownPlace>): Found => ({
  lat,
  lng,
  detail: 'city',
  parts: {
    streetName: null,
    streetNumber: null,
    postalCode: null,
    city: name,
    area: area_ids.map((id) => places.get(id)?.name).find(Boolean) ?? null,
  },
})

const leastSuggested = 0.4

/** What somebody who is still typing may mean, best first. */
export async function suggest(
  db: Db,
  registerId: number,
  text: string,
  { country, near, limit }: { country?: string | undefined; near?: Point | undefined; limit: number },
): Promise<(Found & { score: number })[]> {
  const query = parse({ address: text, country }, true)
  const seen = await look(db, registerId, query)
  if (!seen) return []
  const candidates = await placeBest(db, registerId, seen.ranked, 2 * limit)
  const nearness = (point: Point) => (near ? Math.max(0, 0.1 - distanceMetres(near, point) / 500_000) : 0)
  const streets = candidates
    .filter(({ score }) => score >= leastSuggested)
    .map((one) => ({ ...present(one, seen.places), score: one.score + nearness(one.placed) }))
  const towns = seen.cities
    .filter(({ place, score }) => score > 0.85 && place.kind !== 'area')
    .map(({ place, score }) => ({ ...foundPlace(place, seen.places), score: score - 0.2 + nearness(place) }))
  const all = [...streets, ...towns].sort((a, b) => b.score - a.score)
  const shown = new Set<string>()
  return all
    .filter(({ parts }) => {
      const key = JSON.stringify(parts)
      return !shown.has(key) && shown.add(key)
    })
    .slice(0, limit)
}
