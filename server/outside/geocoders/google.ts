import { OutsideError } from '../fault.ts'
import type { Outside } from '../fetch.ts'
import { askForJson, BusyError, type Geocoder, lineOf, locate, nonsense, readPoint } from './geocoder.ts'

/* Google's geocoding: https://developers.google.com/maps/documentation/geocoding/requests-geocoding */

const who = 'Google'
export const googleUrl = 'https://maps.googleapis.com'

interface Result {
  partial_match?: unknown
  types?: unknown
  geometry?: { location_type?: unknown; location?: { lat?: unknown; lng?: unknown } }
}

export const google = (outside: Outside, url: string, key: string): Geocoder => ({
  name: 'google',
  async find(place, signal) {
    const query = new URLSearchParams({ address: lineOf(place), components: `country:${place.country}`, key })
    const found = await askForJson(outside, who, `${url}/maps/api/geocode/json?${query}`, signal)
    const { status, results } = (found ?? {}) as { status?: unknown; results?: unknown }
    if (status === 'ZERO_RESULTS') return undefined
    if (status === 'OVER_QUERY_LIMIT' || status === 'OVER_DAILY_LIMIT') throw new BusyError(`${who}: quota used up`)
    if (status === 'REQUEST_DENIED') throw new OutsideError('refused', `${who} does not accept the key`)
    if (status !== 'OK' || !Array.isArray(results)) throw nonsense(who)
    const [best] = results as (Result | null)[]
    const { location, location_type } = best?.geometry ?? {}
    return locate(readPoint(who, location?.lat, location?.lng), detailOf(best, location_type))
  },
})

/** What it only found in part is not the house that was asked for. */
function detailOf(result: Result | null | undefined, locationType: unknown) {
  const isWhole = result?.partial_match !== true
  if (isWhole && locationType === 'ROOFTOP') return 'house'
  if (isWhole && locationType === 'RANGE_INTERPOLATED') return 'interpolated'
  const types = Array.isArray(result?.types) ? result.types : []
  return types.some((type) => type === 'route' || type === 'street_address' || type === 'premise') ? 'street' : 'city'
}
