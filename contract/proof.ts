import type { Static } from 'typebox'
import { type Language, languageCodes } from '../core/words/languages.ts'
import { mostProofs } from './limits.ts'
import { Awb, Id, Nullable, Secret, Text, Time } from './schema.ts'
import { Type } from './type.ts'

const LanguageName = Type.Optional(
  Type.Unsafe<Language>({
    type: 'string',
    enum: languageCodes,
    description: 'Defaults to the language of the request (`Accept-Language`)',
  }),
)

export const ProofQuery = Type.Object({ language: LanguageName })

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
  language: LanguageName,
})
export type ProofListQuery = Static<typeof ProofListQuery>

const linkFields = {
  id: Id(),
  awbs: Type.Array(Type.String(), { description: 'The tasks it shows' }),
  createdBy: Type.String(),
  createdAt: Time(),
  expiresAt: Time(),
  revokedAt: Nullable(Time()),
}

export const ProofLink = Type.Object(linkFields, { title: 'ProofLink' })
export const NewProofLink = Type.Object(
  { ...linkFields, link: Secret('The address of the page. It is shown only once') },
  { title: 'NewProofLink' },
)
export type ProofLink = Static<typeof ProofLink>
export type NewProofLink = Static<typeof NewProofLink>

export const ProofLinkInput = Type.Object(
  {
    awbs: Type.Array(Awb, { minItems: 1, maxItems: mostProofs, description: 'The tasks it shows, in this order' }),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 366, description: 'How long it works; defaults to 30 days' }),
    ),
  },
  { title: 'ProofLinkInput' },
)
export type ProofLinkInput = Static<typeof ProofLinkInput>
