import { type ErrorDetail, Refusal } from '../../contract/errors.ts'
import type { AddressInput } from '../../contract/task.ts'
import type { ShownAddress } from '../../core/certainty.ts'
import { readCoordinates } from '../../core/coordinates.ts'
import type { FoundParts } from '../outside/geocoders/geocoder.ts'
import { partColumns, shownPart } from './parts.ts'
import type { ChangedAddress } from './queries.ts'
import type { AddressRow } from './tables.ts'

export type Address = Omit<ChangedAddress, 'task_id'>

/** An address needs a text, or a street or a city to compose one from, or a point on the map. */
export function draftAddress(input: AddressInput, country: string, problems: ErrorDetail[]): Address {
  const nowhere: Address = {
    address: '',
    address_second_line: null,
    city: null,
    area: null,
    country,
    street_number: null,
    street_name: null,
    postal_code: null,
    lat: null,
    lng: null,
    precision: null,
    precision_detail: null,
    found_parts: null,
  }
  const address = mergeAddress(nowhere, input, problems)
  if (!address.address && address.lat === null && problems.length === 0) {
    const message = 'address needs text (address, streetName or city) or lat and lng'
    problems.push({ field: 'address', code: 'VALIDATION_FAILED', message })
  }
  return address
}

/**
 * Given values replace the old ones. If the place changes, its coordinates are cleared unless new ones are given, also
 * as the text of the address. A client that sends back the coordinates it was shown does not make them exact:
 * approximate ones stay approximate, unless it says that somebody has looked.
 */
export function mergeAddress(before: Address, input: AddressInput, problems: ErrorDetail[]): Address {
  const { lat = null, lng = null } = input.lat == null && input.lng == null ? (pointIn(input) ?? input) : input
  if ((lat === null) !== (lng === null)) {
    const field = lat === null ? 'address.lat' : 'address.lng'
    problems.push({
      field,
      code: 'VALIDATION_FAILED',
      message: `${field} is required: lat and lng must be given together`,
    })
  }
  const parts = {
    address_second_line: input.addressSecondLine === undefined ? before.address_second_line : input.addressSecondLine,
    country: input.country?.toUpperCase() || before.country,
    city: givenPart(before, input, 'city'),
    area: givenPart(before, input, 'area'),
    street_number: givenPart(before, input, 'streetNumber'),
    street_name: givenPart(before, input, 'streetName'),
    postal_code: givenPart(before, input, 'postalCode'),
  }
  const wasComposed = before.address === composeAddress(before)
  const address = input.address?.trim() || (wasComposed ? composeAddress(parts) : before.address)
  const place = { ...parts, address }
  const { precision, precision_detail, found_parts } = before
  const known = { lat: before.lat, lng: before.lng, precision, precision_detail, found_parts }
  const given = { precision: null, precision_detail: null }
  const isKnown = lat === before.lat && lng === before.lng && lat !== null
  if (input.confirmed && !isKnown && before.lat !== null) throw new Refusal('ADDRESS_CHANGED')
  if (isKnown) return { ...place, ...known, ...(input.confirmed && given) }
  if (lat !== null && lng !== null) return { ...place, lat, lng, ...given, found_parts: null }
  const stays = isSamePlace(before, place) && !input.findAgain
  return { ...place, ...(stays ? known : { lat: null, lng: null, ...given, found_parts: null }) }
}

/** A part that comes back as it was shown has not been given: a client that reads a task and writes it changes nothing. */
const givenPart = (before: Address, input: AddressInput, name: keyof FoundParts) => {
  const part = input[name]
  return part === undefined || part === shownPart(before, name) ? before[partColumns[name]] : part
}

const pointIn = ({ address }: AddressInput) => (address ? readCoordinates(address) : undefined)

type Parts = Omit<Address, 'lat' | 'lng' | 'precision' | 'precision_detail' | 'found_parts'>
type Place = Pick<Parts, (typeof placeFields)[number]>

const placeFields = ['address', 'city', 'area', 'country', 'street_number', 'street_name', 'postal_code'] as const

/** Another floor is the same place on the map. */
export const isSamePlace = (one: Place, other: Place) => placeFields.every((field) => one[field] === other[field])

/** "Strada Lipscani 12, Sector 3, 030031 București". Empty if there is neither a street nor a city. */
function composeAddress({ street_name, street_number, area, postal_code, city }: Omit<Parts, 'address'>): string {
  if (!street_name?.trim() && !city?.trim()) return ''
  const line = (...words: (string | null)[]) =>
    words
      .map((word) => word?.trim())
      .filter(Boolean)
      .join(' ')
  return [line(street_name, street_number), line(area), line(postal_code, city)].filter(Boolean).join(', ')
}

type Judged = Pick<AddressRow, 'lat' | 'lng' | 'precision' | 'precision_detail' | 'geocode_problem'>

/** An address as core/certainty asks for it. */
export const shownAs = ({ lat, lng, precision, precision_detail, geocode_problem }: Judged): ShownAddress => ({
  lat,
  lng,
  precision,
  precisionDetail: precision_detail,
  geocodingProblem: geocode_problem,
})
