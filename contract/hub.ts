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

export const HubInput = Type.Object({ name, lat: Latitude, lng: Longitude, ...parts }, { title: 'HubInput' })
export const HubUpdate = Type.Object(
  { name: Type.Optional(name), lat: Type.Optional(Latitude), lng: Type.Optional(Longitude), ...parts },
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
