import type { Static } from 'typebox'
import { longest } from './limits.ts'
import { Each, Latitude, Longitude, Nullable, Text, Time } from './schema.ts'
import { Type } from './type.ts'

const Optional = Type.Optional

/** One place a device has been to. */
export const LocationInput = Type.Object(
  {
    lat: Latitude,
    lng: Longitude,
    occurredAt: Optional(Nullable(Text(longest.time, { description: 'Defaults to now' }))),
    heading: Optional(
      Nullable(Type.Number({ minimum: 0, maximum: 360, description: 'Degrees from north, clockwise' })),
    ),
    speedMetresPerSecond: Optional(Nullable(Type.Number({ minimum: 0, maximum: 1_000_000 }))),
    accuracyMetres: Optional(Nullable(Type.Number({ minimum: 0, maximum: 100_000_000 }))),
    battery: Optional(Nullable(Type.Number({ description: 'Percent; below 0 or above 100 counts as unknown' }))),
  },
  { title: 'LocationInput' },
)
export type LocationInput = Static<typeof LocationInput>

export const LocationReport = Type.Object(
  {
    locations: Each(LocationInput, 'Up to 1,000, in any order; sending them again changes nothing'),
    deviceTime: Optional(
      Text(longest.time, { description: 'What the clock of the device shows now; corrects the times if it is wrong' }),
    ),
  },
  { title: 'LocationReport' },
)
export type LocationReport = Static<typeof LocationReport>

/** How many positions were kept, and why others were not. */
export const LocationsKept = {
  kept: Type.Integer(),
  leftOut: Type.Array(
    Type.Object({
      item: Type.Integer({ description: 'Its place in the list, from 1' }),
      code: Type.String(),
      message: Type.String(),
      field: Optional(Type.String()),
    }),
  ),
}
export type LocationsKept = Static<ReturnType<typeof Type.Object<typeof LocationsKept>>>

export const TrackQuery = Type.Object({
  from: Optional(Text(longest.time, { description: 'Defaults to the beginning of today' })),
  to: Optional(Text(longest.time, { description: 'Defaults to now; at most 48 hours after `from`' })),
})
export type TrackQuery = Static<typeof TrackQuery>

/** Where a driver drove. */
export const Track = {
  from: Time(),
  to: Time(),
  metres: Type.Integer({ description: 'Driven, without the noise of positions while standing still' }),
  locations: Type.Array(
    Type.Object(
      {
        lat: Latitude,
        lng: Longitude,
        occurredAt: Time(),
        heading: Nullable(Type.Number()),
        speedMetresPerSecond: Nullable(Type.Number()),
      },
      { title: 'TrackPoint' },
    ),
    { description: 'As many as are needed to draw the way, at most 1,000, in order' },
  ),
}
export type Track = Static<ReturnType<typeof Type.Object<typeof Track>>>
