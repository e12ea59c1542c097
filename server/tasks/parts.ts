import type { FoundParts } from '../outside/geocoders/geocoder.ts'
import type { AddressRow } from './tables.ts'

/** What a part is called in a row, and by those who give or find it. */
export const partColumns = {
  streetName: 'street_name',
  streetNumber: 'street_number',
  postalCode: 'postal_code',
  city: 'city',
  area: 'area',
} as const satisfies Record<keyof FoundParts, keyof AddressRow>

/** A part as it is shown: as it was given, else as it was found. */
export function shownPart(
  address: Pick<AddressRow, (typeof partColumns)[keyof FoundParts] | 'found_parts'>,
  name: keyof FoundParts,
): string | null {
  const given = address[partColumns[name]]
  return given?.trim() ? given : (address.found_parts?.[name] ?? given)
}
