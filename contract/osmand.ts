import type { Static } from 'typebox'
import { AnyJson, Text } from './schema.ts'
import { Type } from './type.ts'

const Optional = Type.Optional
const parameter = (description?: string) => Optional(Text(100, description ? { description } : {}))

/** What tracking apps of the OsmAnd protocol send in the address. All are texts: one that cannot be read is left out. */
export const OsmandQuery = Type.Object({
  lat: parameter(),
  lon: parameter(),
  location: parameter('`lat,lon`, instead of both'),
  timestamp: parameter('Seconds or milliseconds since 1970, or a time; defaults to now'),
  speed: parameter('Knots'),
  bearing: parameter('Degrees from north, clockwise'),
  heading: parameter('The same'),
  accuracy: parameter('Metres'),
  batt: parameter('Percent'),
})
export type OsmandQuery = Static<typeof OsmandQuery>

/** What newer ones send as a body. */
export const OsmandBody = Type.Object({
  location: Optional(
    AnyJson(
      '`{timestamp, coords: {latitude, longitude, accuracy, speed, heading}, battery: {level}}`, speed in m/s, level 0 to 1',
      4_096,
    ),
  ),
})
export type OsmandBody = Static<typeof OsmandBody>
