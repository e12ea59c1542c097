import type { Outside } from '../fetch.ts'
import { askForJson, type Geocoder, lineOf, locate, nonsense, readPoint } from './geocoder.ts'

/* Photon's search: https://github.com/komoot/photon/blob/master/docs/api-v1.md */

const who = 'Photon'

interface Feature {
  geometry?: { coordinates?: unknown[] }
  properties?: { type?: unknown; countrycode?: unknown }
}

/** Photon searches all countries, so we ask for several results and take the first in the right country. */
export const photon = (outside: Outside, url: string): Geocoder => ({
  name: 'photon',
  async find(place, signal) {
    const query = new URLSearchParams({ q: lineOf(place), limit: '5' })
    const found = (await askForJson(outside, who, `${url}/api?${query}`, signal)) as { features?: unknown } | null
    const features = found?.features
    if (!Array.isArray(features)) throw nonsense(who)
    const best = features.find(
      (feature: Feature | null) => String(feature?.properties?.countrycode).toUpperCase() === place.country,
    )
    if (!best) return undefined
    const [lng, lat] = Array.isArray(best.geometry?.coordinates) ? best.geometry.coordinates : []
    return locate(readPoint(who, lat, lng), detailOf(best.properties?.type))
  },
})

/** What is neither house nor street is a part of town or more. */
const detailOf = (type: unknown) => (type === 'house' || type === 'street' ? type : 'city')
