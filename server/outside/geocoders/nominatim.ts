import type { Outside } from '../fetch.ts'
import { askForJson, type Geocoder, lineOf, nonsense, readPoint } from './geocoder.ts'

/* Nominatim's search: https://nominatim.org/release-docs/latest/api/Search/ */

const who = 'Nominatim'
/** Buildings and places in them; streets are 26, cities 16. */
const houseRank = 30

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
    const precision = Number(best?.place_rank) >= houseRank ? 'exact' : 'approximate'
    return { ...readPoint(who, best?.lat, best?.lon), precision }
  },
})
