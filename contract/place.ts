import type { Static } from 'typebox'
import { precisionDetails } from '../core/precision.ts'
import { longest } from './limits.ts'
import { Latitude, Longitude, Nullable, Text } from './schema.ts'
import { Type } from './type.ts'

const NullableText = Nullable(Type.String())

export const placeSources = ['history', 'register', 'geocoder', 'gazetteer'] as const

/** A place that fits what somebody has typed. */
export const SuggestedPlace = Type.Object(
  {
    address: Type.String({ description: 'In one line' }),
    streetName: NullableText,
    streetNumber: NullableText,
    postalCode: NullableText,
    city: NullableText,
    area: NullableText,
    country: Type.String(),
    lat: Latitude,
    lng: Longitude,
    precision: Type.String({ enum: ['exact', 'approximate'] }),
    precisionDetail: Nullable(
      Type.String({
        enum: [...precisionDetails],
        description: 'As in the address of a task; null if the coordinates of the earlier task were given',
      }),
    ),
    source: Type.String({
      enum: [...placeSources],
      description:
        '`history`: an address of your tasks; `register`: what the operator imported; `geocoder`: the configured one; `gazetteer`: only the city',
    }),
  },
  { title: 'SuggestedPlace' },
)
export type SuggestedPlace = Static<typeof SuggestedPlace>

export const mostSuggestions = 10

export const PlaceQuery = Type.Object({
  q: Text(longest.addressLine, { description: 'What was typed so far; from three characters on' }),
  near: Type.Optional(
    Type.String({
      pattern: '^-?\\d{1,2}(\\.\\d+)?,-?\\d{1,3}(\\.\\d+)?$',
      maxLength: 60,
      description: '`lat,lng`: of places that fit as well, the nearer one comes first',
      'x-rule': 'must be lat,lng, such as 45.7558,21.2322',
    }),
  ),
  thorough: Type.Optional(
    Type.Boolean({
      description:
        'Whoever types has stopped: if no house is known, also ask the configured geocoder, which takes its time and is asked only as often as it may be',
    }),
  ),
})
