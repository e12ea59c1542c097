import type { Input } from '../../contract/operations.ts'
import { mostSuggestions, type SuggestedPlace } from '../../contract/place.ts'
import { addressKeys } from '../../core/address-key.ts'
import { readCoordinates } from '../../core/coordinates.ts'
import type { Point } from '../../core/geo.ts'
import { type PrecisionDetail, precisionOf } from '../../core/precision.ts'
import { addressWord } from '../../core/search.ts'
import type { Context } from '../context.ts'
import { findPlaces, listRegisters, type Suggestion } from '../map/register/find-places.ts'
import type { Organisation } from '../organisations/queries.ts'
import { OutsideError } from '../outside/fault.ts'
import type { FoundParts, Located, Place } from '../outside/geocoders/geocoder.ts'
import { findLearned } from '../tasks/learned/places.ts'
import { listOwnAddresses } from '../tasks/search/addresses.ts'
import type { AddressRow } from '../tasks/tables.ts'
import { ask, type Source, sourceOf } from './look-up.ts'

/*
 * Addresses for somebody who is typing one: those of the organisation's own tasks first, then those of the register. A
 * configured geocoder is asked only for who has stopped typing, and if nothing nearer is known; the gazetteer if nothing is.
 */

const fewestCharacters = 3
/** So many of the own ones, so that there is room for others. */
const mostOwn = 5
/** What leaves the house is an address, not its first letters. */
const fewestForOutside = 8
/** A caller is waiting. */
const patienceMs = 3_000

export async function suggestPlaces(
  context: Context,
  organisation: Organisation,
  { q, near, thorough = false }: Input<'suggestPlaces'>['query'],
): Promise<SuggestedPlace[]> {
  const text = q.trim()
  if (text.length < fewestCharacters || readCoordinates(text)) return []
  const found = new Map<string, SuggestedPlace>()
  const add = (places: readonly SuggestedPlace[]) => {
    for (const place of places) if (!found.has(keyOf(place))) found.set(keyOf(place), place)
  }
  add(await listOwn(context, organisation, text))
  add(await listRegistered(context, organisation, text, near === undefined ? undefined : readPoint(near)))
  const isHouseKnown = [...found.values()].some(({ precision }) => precision === 'exact')
  const source = sourceOf(context.geocoders, organisation)
  if (source && thorough && !isHouseKnown && text.length >= fewestForOutside)
    add(await askOutside(context, organisation, source, text))
  if (source && found.size === 0)
    add(present(text, organisation, await findCity(source, organisation, text), 'gazetteer'))
  return [...found.values()].slice(0, mostSuggestions)
}

/** The same house is suggested once, whoever knows it, and whether its postcode and county are written or not. */
function keyOf({ address, city, country, streetName, streetNumber, postalCode }: SuggestedPlace): string {
  const line = postalCode ? address.replace(postalCode, '') : address
  const parts = { city, area: null, country, street_name: streetName, street_number: streetNumber, postal_code: null }
  return addressKeys({ address: line, ...parts })[0] ?? addressWord(address) ?? address
}

function readPoint(near: string): Point {
  const [lat, lng] = near.split(',').map(Number) as [number, number]
  return { lat, lng }
}

/** Where those are by now is known better than when their task was made. */
async function listOwn({ db }: Context, { id }: Organisation, text: string): Promise<SuggestedPlace[]> {
  const rows = await listOwnAddresses(db, id, text, 2 * mostOwn)
  const learned = await findLearned(db, id, rows)
  return rows.flatMap((row, index) => presentOwn(row, learned[index]) ?? []).slice(0, mostOwn)
}

function presentOwn(row: AddressRow, learned: Point | undefined): SuggestedPlace | undefined {
  const point = learned ?? row
  if (point.lat === null || point.lng === null) return undefined
  const detail = learned ? 'learned' : (row.precision_detail as PrecisionDetail | null)
  const precision = learned ? 'exact' : (row.precision ?? 'exact')
  // What is only a street or a city would be looked up again.
  if (precision !== 'exact') return undefined
  return {
    address: row.address,
    streetName: row.street_name,
    streetNumber: row.street_number,
    postalCode: row.postal_code,
    city: row.city,
    area: row.area,
    country: row.country,
    lat: point.lat,
    lng: point.lng,
    precision,
    precisionDetail: detail,
    source: 'history',
  }
}

async function listRegistered(
  { database }: Context,
  { country }: Organisation,
  text: string,
  near: Point | undefined,
): Promise<SuggestedPlace[]> {
  // The register belongs to no organisation.
  const db = database.everyone
  const registers = await listRegisters(db)
  if (registers.length === 0) return []
  const places = await findPlaces(db, registers, text, { country, near, limit: mostSuggestions })
  return places.map((place) => presentRegistered(place, country))
}

const presentRegistered = ({ lat, lng, detail, parts }: Suggestion, country: string): SuggestedPlace => ({
  address: lineOf(parts),
  ...parts,
  country,
  lat,
  lng,
  precision: precisionOf(detail),
  precisionDetail: detail,
  source: 'register',
})

/** "Strada Lipscani 12, 030031 București". */
const lineOf = ({ streetName, streetNumber, postalCode, city, area }: Nullables<FoundParts>) =>
  [
    [streetName, streetNumber],
    [postalCode, city ?? area],
  ]
    .map((words) => words.filter(Boolean).join(' '))
    .filter(Boolean)
    .join(', ')

type Nullables<Parts> = { [Name in keyof Parts]: Parts[Name] | null }

/** Its turns are those of all who ask, so people who type are no more than the background work may be. */
async function askOutside(
  { database }: Context,
  organisation: Organisation,
  source: Source,
  text: string,
): Promise<SuggestedPlace[]> {
  if (source.geocoder === source.embedded) return []
  const sought = { ...placeOf(text, organisation), organisation_id: organisation.id }
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const located = await ask(database.everyone, source, sought, signal, undefined)
    return present(text, organisation, located, 'geocoder')
  } catch (error) {
    // There is time to find it once the address is saved.
    if (error instanceof OutsideError || signal.aborted) return []
    throw error
  }
}

const findCity = ({ embedded }: Source, organisation: Organisation, text: string) =>
  embedded.find(placeOf(text, organisation))

const placeOf = (address: string, { country }: Organisation): Place => ({
  address,
  city: null,
  area: null,
  country,
  street_name: null,
  street_number: null,
  postal_code: null,
})

/** What was typed, and where that is. */
function present(
  text: string,
  { country }: Organisation,
  located: Located | undefined,
  source: SuggestedPlace['source'],
): SuggestedPlace[] {
  if (!located) return []
  const { lat, lng, precision, detail, parts = {} } = located
  const { streetName = null, streetNumber = null, postalCode = null, city = null, area = null } = parts
  const found = { streetName, streetNumber, postalCode, city, area }
  const place = { ...found, country, lat, lng, precision, precisionDetail: detail, source }
  return [{ ...place, address: (source === 'geocoder' && streetName && lineOf(found)) || text }]
}
