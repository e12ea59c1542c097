import { type Static, Type } from 'typebox'
import { mostProofs } from './limits.ts'
import { Text } from './schema.ts'

const Language = Type.Optional(
  Type.Unsafe<'en' | 'ro'>({
    type: 'string',
    enum: ['en', 'ro'],
    description: 'Defaults to the language of the request (`Accept-Language`)',
  }),
)

export const ProofQuery = Type.Object({ language: Language })

export const ProofListQuery = Type.Object({
  taskIds: Type.Optional(
    Type.String({
      pattern: `^\\s*\\d{1,15}(\\s*,\\s*\\d{1,15}){0,${mostProofs - 1}}\\s*$`,
      description: `Ids of tasks, separated by commas, at most ${mostProofs}`,
      'x-rule': `must be 1 to ${mostProofs} ids separated by commas`,
    }),
  ),
  awbs: Type.Optional(
    Text(5_000, {
      description: `AWBs separated by commas, at most ${mostProofs}; instead of taskIds. For AWBs that contain a comma use taskIds`,
    }),
  ),
  language: Language,
})
export type ProofListQuery = Static<typeof ProofListQuery>
