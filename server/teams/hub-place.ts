import { type ErrorDetail, Refusal } from '../../contract/errors.ts'
import type { HubUpdate } from '../../contract/hub.ts'
import { refusalOf } from '../../contract/read/refusal.ts'
import { readCoordinates } from '../../core/coordinates.ts'
import type { Point } from '../../core/geo.ts'
import type { Precision } from '../../core/precision.ts'
import type { Context } from '../context.ts'
import { lookUpNow } from '../geocoding/look-up.ts'
import type { Organisation } from '../organisations/queries.ts'
import type { HubFields } from './queries.ts'

type Place = Omit<HubFields, 'name'>
/** Where a hub is, and how sure that is. */
export type HubPlace = Point & { precision: Precision }

/** A hub before anything is known of it. */
export const nowhere: Place = {
  lat: 0,
  lng: 0,
  address: '',
  precision: 'exact',
  city: '',
  state: '',
  country: '',
  street_number: '',
  street_name: '',
  postal_code: '',
  apartment: '',
}

/** Another address has other parts: those of the old one that are not given with it go. */
export function mergeParts(before: Place, input: HubUpdate) {
  const known = hasOtherAddress(before, input) ? nowhere : before
  return {
    city: input.city ?? known.city,
    state: input.state ?? known.state,
    country: input.country ?? known.country,
    street_number: input.streetNumber ?? known.street_number,
    street_name: input.streetName ?? known.street_name,
    postal_code: input.postalCode ?? known.postal_code,
    apartment: input.apartment ?? known.apartment,
  }
}

function hasOtherAddress(before: Place, { address }: HubUpdate) {
  const text = address?.trim()
  return text !== undefined && text !== '' && text !== before.address
}

/**
 * Where a hub is: as given, as typed into the address, or as the geocoder finds it. Undefined if it stays where it is:
 * only another address moves it, or who asks for it, since whoever sends parts of one has always sent the coordinates too.
 */
export async function findPlace(
  context: Context,
  organisation: Organisation,
  before: Place,
  input: HubUpdate,
): Promise<HubPlace | undefined> {
  const { lat, lng, address } = input
  const isNew = before === nowhere
  if (lat !== undefined && lng !== undefined) return { lat, lng, precision: 'exact' }
  // One of them alone has always moved a hub; a new one needs both.
  if (!isNew && (lat !== undefined || lng !== undefined))
    return { lat: lat ?? before.lat, lng: lng ?? before.lng, precision: 'exact' }
  if (lat !== undefined || lng !== undefined) throw refusalOf([required(lat === undefined ? 'lat' : 'lng')])
  const typed = address === undefined ? undefined : readCoordinates(address)
  if (typed) return { ...typed, precision: 'exact' }
  if (!isNew && !hasOtherAddress(before, input) && !input.findAgain) return undefined
  const parts = mergeParts(before, input)
  const line = address?.trim() || before.address || lineOf(parts)
  if (!line) throw refusalOf(['lat', 'lng'].map(required))
  const found = await lookUpNow(context, organisation, {
    address: line,
    city: parts.city || null,
    area: parts.state || null,
    country: /^[A-Za-z]{2}$/.test(parts.country) ? parts.country.toUpperCase() : organisation.country,
    street_name: parts.street_name || null,
    street_number: parts.street_number || null,
    postal_code: parts.postal_code || null,
  })
  if (typeof found !== 'string') return found
  throw new Refusal('ADDRESS_NOT_FOUND', {
    field: 'address',
    message: `${found}; name the town, or give lat and lng`,
  })
}

const lineOf = ({ street_name, street_number, postal_code, city }: ReturnType<typeof mergeParts>) =>
  [`${street_name} ${street_number}`.trim(), `${postal_code} ${city}`.trim()].filter(Boolean).join(', ')

const required = (field: string): ErrorDetail => ({
  field,
  code: 'VALIDATION_FAILED',
  message: `${field} is required, unless there is an address`,
  rule: 'required',
})
