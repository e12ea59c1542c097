import type { Static } from 'typebox'
import { Company } from './company.ts'
import { longest, mostReportDays } from './limits.ts'
import { Id, Nullable, ShownAmount, Text, Time } from './schema.ts'
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

export const BalanceQuery = Type.Object({
  from: Type.Optional(Text(longest.time, { description: 'The first day, as 2026-11-15; defaults to `to`, or today' })),
  to: Type.Optional(
    Text(longest.time, {
      description: `The last day, included; defaults to \`from\`. At most ${mostReportDays} days together`,
    }),
  ),
})
export type BalanceQuery = Static<typeof BalanceQuery>

const Owed = (title: string, description: string) =>
  Type.Object(
    {
      total: ShownAmount(),
      days: Type.Array(
        Type.Object(
          {
            day: Type.String(),
            amount: ShownAmount('Less what was corrected; below 0 if that is more'),
            count: Type.Integer({ description: 'How many payments and corrections' }),
          },
          { title: `${title}Day` },
        ),
        { description: 'Days with payments, in the organisation’s time zone' },
      ),
    },
    { title, description },
  )

export const PartnerBalance = Type.Object(
  {
    companyId: Id(),
    currency: Type.String(),
    from: Type.String({ description: 'The first day' }),
    to: Type.String({ description: 'The last day' }),
    toUs: Owed('OwedToUs', 'What the partner collected on tasks given to it'),
    toThem: Owed(
      'OwedToThem',
      'What was collected on tasks the partner gave us, also by whoever they were given on to',
    ),
  },
  {
    title: 'PartnerBalance',
    description: 'What two partners collected for each other: sums of payments, which are never changed',
  },
)
export type PartnerBalance = Static<typeof PartnerBalance>
