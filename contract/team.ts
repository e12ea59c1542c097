import type { Static } from 'typebox'
import { Hub } from './hub.ts'
import { mostItems } from './limits.ts'
import { Id, Name, Nullable, Time } from './schema.ts'
import { Type } from './type.ts'

const name = Name()
const optional = {
  hubId: Type.Optional(Nullable(Id('The hub the team starts from'))),
  drivers: Type.Optional(Type.Array(Id(), { maxItems: mostItems, description: 'Driver ids; replaces the whole list' })),
}

export const TeamInput = Type.Object({ name, ...optional }, { title: 'TeamInput' })
export const TeamUpdate = Type.Object({ name: Type.Optional(name), ...optional }, { title: 'TeamUpdate' })
export type TeamUpdate = Static<typeof TeamUpdate>

export const Team = Type.Object(
  {
    id: Id(),
    name: Type.String(),
    createdAt: Time(),
    updatedAt: Time(),
    hub: Nullable(Hub),
    drivers: Type.Array(Type.Object({ id: Id(), name: Type.String() })),
  },
  { title: 'Team' },
)
export type Team = Static<typeof Team>
