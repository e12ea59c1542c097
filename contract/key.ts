import type { Static } from 'typebox'
import { longest } from './limits.ts'
import { Id, Name, Nullable, Secret, Text, Time, Whole } from './schema.ts'
import { scopes } from './scopes.ts'
import { Type } from './type.ts'

const Scopes = Type.Array(Type.String({ enum: ['*', ...scopes] }), {
  minItems: 1,
  maxItems: 100,
  description: 'What the key may do; `*` is everything',
})

const fields = {
  id: Id(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  createdAt: Time(),
  lastUsedAt: Nullable(Time('To the minute')),
  expiresAt: Nullable(Time()),
  revokedAt: Nullable(Time()),
}

export const Key = Type.Object(fields, { title: 'Key' })
export const KeyWithSecret = Type.Object(
  { ...fields, secret: Secret('The key itself. It is shown only once') },
  { title: 'KeyWithSecret' },
)
export type Key = Static<typeof Key>
export type KeyWithSecret = Static<typeof KeyWithSecret>

export const KeyInput = Type.Object(
  {
    name: Name({ description: 'What it is for' }),
    scopes: Type.Optional(Scopes),
    expiresAt: Type.Optional(
      Nullable(Text(longest.time, { description: 'YYYY-MM-DD HH:MM:SS in the organisation’s time zone, or ISO 8601' })),
    ),
  },
  { title: 'KeyInput' },
)
export type KeyInput = Static<typeof KeyInput>

export const KeyRotation = Type.Object(
  {
    overlapHours: Type.Optional(
      Whole({ maximum: 720, description: 'How many hours the old key keeps working; defaults to 24, 0 ends it now' }),
    ),
  },
  { title: 'KeyRotation' },
)
export type KeyRotation = Static<typeof KeyRotation>
