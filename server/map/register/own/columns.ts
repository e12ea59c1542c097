/*
 * Files of places: OpenAddresses as CSV or as GeoJSON lines, or a CSV of the operator's own. What their columns are called, and one
 * row as a place.
 */

export interface OwnPlace {
  street: string | null
  number: string | null
  city: string | null
  area: string | null
  postalCode: string | null
  country: string | null
  lat: number
  lng: number
}

export const fields = ['street', 'number', 'city', 'area', 'postalCode', 'country', 'lat', 'lng'] as const
export type Field = (typeof fields)[number]

/** What columns are called, in OpenAddresses and by people. */
const usual: Record<Field, readonly string[]> = {
  street: ['street', 'streetname', 'street_name', 'addr:street', 'strada', 'strasse'],
  number: [
    'number',
    'housenumber',
    'house_number',
    'streetnumber',
    'street_number',
    'addr:housenumber',
    'numar',
    'nr',
    'hausnummer',
  ],
  city: ['city', 'town', 'addr:city', 'oras', 'localitate', 'ort'],
  area: ['area', 'region', 'district', 'county', 'state', 'judet'],
  postalCode: ['postcode', 'postalcode', 'postal_code', 'zip', 'addr:postcode', 'cod_postal', 'plz'],
  country: ['country', 'countrycode', 'country_code', 'tara'],
  lat: ['lat', 'latitude', 'y'],
  lng: ['lng', 'lon', 'long', 'longitude', 'x'],
}

export class WrongColumns extends Error {}

/** "street=Strada,number=Nr" as the operator gives it. */
export function readColumns(given: string | undefined): Partial<Record<Field, string>> {
  if (!given) return {}
  return Object.fromEntries(
    given.split(',').map((pair) => {
      const [field = '', column = ''] = pair.split('=').map((part) => part.trim())
      if (!(fields as readonly string[]).includes(field) || !column)
        throw new WrongColumns(
          `--columns must be pairs such as street=Strada,number=Nr; fields are ${fields.join(', ')}`,
        )
      return [field, column]
    }),
  )
}

const bare = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/^\uFEFF/, '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')

/** In which place of a row each field is. */
export function findColumns(
  header: readonly string[],
  given: Partial<Record<Field, string>>,
): Partial<Record<Field, number>> {
  const names = header.map(bare)
  const found: Partial<Record<Field, number>> = {}
  for (const field of fields) {
    const wanted = given[field]
    const at = wanted
      ? names.indexOf(bare(wanted))
      : usual[field].map((name) => names.indexOf(name)).find((index) => index >= 0)
    if (wanted && at === -1) throw new WrongColumns(`The file has no column "${wanted}"; it has ${header.join(', ')}`)
    if (at !== undefined && at >= 0) found[field] = at
  }
  for (const field of ['lat', 'lng'] as const)
    if (found[field] === undefined)
      throw new WrongColumns(
        `No column of the file looks like ${field}: name it with --columns ${field}=NAME; it has ${header.join(', ')}`,
      )
  if (found.street === undefined && found.city === undefined)
    throw new WrongColumns(
      `No column of the file looks like the street: name it with --columns street=NAME; it has ${header.join(', ')}`,
    )
  return found
}

const longest = 200

/** A row as a place, or what is wrong with it. */
export function readPlace(value: (field: Field) => unknown): OwnPlace | string {
  const text = (field: Field) => {
    const given = value(field)
    const written =
      typeof given === 'string' || typeof given === 'number' ? String(given).replace(/\s+/g, ' ').trim() : ''
    return written ? written.slice(0, longest) : null
  }
  const [lat, lng] = [toNumber(value('lat')), toNumber(value('lng'))]
  if (!(Math.abs(lat) <= 90) || !(Math.abs(lng) <= 180)) return 'its coordinates are none'
  if (lat === 0 && lng === 0) return 'its coordinates are 0, 0'
  const [street, number, city] = [text('street'), text('number'), text('city')]
  if (!street && !(city && number)) return 'it has no street'
  const country = text('country')
  return {
    street,
    number,
    city,
    area: text('area'),
    postalCode: text('postalCode'),
    country: country && /^[a-z]{2}$/i.test(country) ? country.toUpperCase() : null,
    lat,
    lng,
  }
}

/** A decimal comma is a point. */
function toNumber(given: unknown): number {
  if (typeof given === 'number') return given
  return typeof given === 'string' && /^\s*-?\d+(?:[.,]\d+)?\s*$/.test(given)
    ? Number(given.replace(',', '.'))
    : Number.NaN
}
