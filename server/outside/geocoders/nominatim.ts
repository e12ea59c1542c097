import type { Outside } from '../fetch.ts'
import { askForJson, type Geocoder, lineOf, locate, nonsense, readPoint } from './geocoder.ts'

/* Nominatim's search: https://nominatim.org/release-docs/latest/api/Search/ */

const who = 'Nominatim'
/** Buildings and places in them are 30, streets 26 and 27, cities 16. */
const detailOf = (rank: number) => (rank >= 30 ? 'house' : rank >= 26 ? 'street' : 'city')

export const nominatim = (outside: Outside, url: string): Geocoder => ({
  name: 'nominatim',
  async find(place, signal) {
    const query = new URLSearchParams({
      q: lineOf(place),
      countrycodes: place.country.toLowerCase(),
      format: 'jsonv2',
      limit: '1',
    })
    const found = await askForJson(outside, who, `${url}/search?${query}`, signal)
    if (!Array.isArray(found)) throw nonsense(who)
    const [best] = found
    if (best === undefined) return undefined
    return locate(readPoint(who, best?.lat, best?.lon), detailOf(Number(best?.place_rank)))
  },
})
