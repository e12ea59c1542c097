import type { Outside } from '../fetch.ts'
import { createGazetteer } from './embedded.ts'
import type { Geocoder } from './geocoder.ts'
import { google, googleUrl } from './google.ts'
import { nominatim } from './nominatim.ts'
import { photon } from './photon.ts'

export interface GeocodingOptions {
  geocoder: 'embedded' | 'nominatim' | 'photon' | 'google' | 'off'
  url: string | undefined
  perSecond: number | undefined
  googleKey: string | undefined
}

export type Geocoders = ReturnType<typeof openGeocoders>

/** The geocoders of this installation: the shared one, and Google for organisations with their own key. */
export function openGeocoders(
  outside: Outside,
  { geocoder, url, perSecond, googleKey }: GeocodingOptions,
  /** What was imported, if anything may be. */
  register?: Geocoder,
) {
  const embedded = createGazetteer()
  const makers = {
    embedded: () => embedded,
    nominatim: () => nominatim(outside, url as string),
    photon: () => photon(outside, url as string),
    // Without a key Google cannot be used.
    google: () => (googleKey ? google(outside, url ?? googleUrl, googleKey) : embedded),
  }
  const ofGoogle = geocoder === 'google'
  return {
    embedded,
    register,
    /** Undefined if geocoding is off. */
    usual: geocoder === 'off' ? undefined : makers[geocoder](),
    usualPerSecond: perSecond ?? (ofGoogle ? googlePerSecond : 1),
    withKey: (key: string): Geocoder => google(outside, ofGoogle && url ? url : googleUrl, key),
    withKeyPerSecond: ofGoogle && perSecond ? perSecond : googlePerSecond,
  }
}

/** Google allows 50. */
const googlePerSecond = 20
