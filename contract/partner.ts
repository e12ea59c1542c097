import type { Static } from 'typebox'
import { Company } from './company.ts'
import { Id, Nullable, Time } from './schema.ts'
import { Type } from './type.ts'

/** Who has agreed: only this organisation, only the other, or both. */
export const partnerStates = ['asked', 'invited', 'partner'] as const
export type PartnerState = (typeof partnerStates)[number]

export const PartnerInput = Type.Object(
  { companyId: Id('The organisation to work with; it is told, and has to say the same') },
  { title: 'PartnerInput' },
)
export type PartnerInput = Static<typeof PartnerInput>

export const Partner = Type.Object(
  {
    companyId: Id(),
    state: Type.Unsafe<PartnerState>({
      type: 'string',
      enum: [...partnerStates],
      description:
        '`asked`: this organisation agreed, the other has not answered; `invited`: the other agreed; `partner`: both have',
    }),
    company: Nullable(Company),
    since: Time('When the last of those who agreed did'),
  },
  {
    title: 'Partner',
    description: 'Another organisation that tasks can be handed to. `company` is known once it agreed',
  },
)
export type Partner = Static<typeof Partner>
