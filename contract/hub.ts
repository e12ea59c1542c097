import type { Static } from 'typebox'
import { longest } from './limits.ts'
import { Id, Latitude, Longitude, Name, Text, Time } from './schema.ts'
import { Type } from './type.ts'

const part = Type.Optional(Text(longest.name))
const parts = {
  city: part,
  state: part,
  country: part,
  streetNumber: part,
  streetName: part,
  postalCode: part,
  apartment: part,
}
const name = Name()
const place = {
  address: Type.Optional(
    Text(longest.addressLine, {
      description:
        'The whole address in one line, or coordinates such as `44.4319, 26.1010`. Without lat and lng it is looked up',
    }),
  ),
  lat: Type.Optional(Latitude),
  lng: Type.Optional(Longitude),
  ...parts,
}

export const HubInput = Type.Object({ name, ...place }, { title: 'HubInput' })
export const HubUpdate = Type.Object(
  {
    name: Type.Optional(name),
    ...place,
    findAgain: Type.Optional(
      Type.Boolean({
        description: 'Without `lat` and `lng`, true: the hub is where its address is found, not where it was',
      }),
    ),
  },
  { title: 'HubUpdate' },
)
export type HubInput = Static<typeof HubInput>
export type HubUpdate = Static<typeof HubUpdate>

export const Hub = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    lat: Latitude,
    lng: Longitude,
    address: Type.String({
      description: 'In one line, as it was typed; empty if only its parts or its coordinates were given',
    }),
    precision: Type.String({
      enum: ['exact', 'approximate'],
      description: '`approximate` if only the street or the city of the address was found',
    }),
    city: Type.String(),
    state: Type.String(),
    country: Type.String(),
    streetNumber: Type.String(),
    streetName: Type.String(),
    postalCode: Type.String(),
    apartment: Type.String(),
    createdAt: Time(),
    updatedAt: Time(),
  },
  { title: 'Hub' },
)
export type Hub = Static<typeof Hub>
