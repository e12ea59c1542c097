import type { Static } from 'typebox'
import { Nullable, Time } from './schema.ts'
import { Type } from './type.ts'

const factor = Type.Number({
  description:
    'How much longer a trip takes than the roads of the imported map say in normal traffic: 1.2 is a fifth longer',
})
const amount = {
  drivers: Type.Integer(),
  days: Type.Integer(),
  count: Type.Integer({ description: 'Hours in which a driver drove' }),
}

/** How fast the drivers of an organisation really are. Never about one of them. */
export const LearnedSpeeds = Type.Object(
  {
    learnedAt: Nullable(Time('When the tracks were last looked at; once a day')),
    needs: Type.Object(amount, { description: 'How much it takes before anything is learned' }),
    vehicles: Type.Array(
      Type.Object({
        transportationId: Type.Integer({ description: '1 foot, 2 bicycle, 3 motorcycle, 4 car, 5 van, 6 truck' }),
        ...amount,
        factor: Nullable(factor),
        hours: Type.Array(
          Type.Object({
            hour: Type.Integer({ description: 'Of the week, 0 to 167: 0 is Monday from midnight to one' }),
            factor,
            count: Type.Integer(),
          }),
          { description: 'What planning uses; none as long as there is not enough' },
        ),
      }),
    ),
  },
  { title: 'LearnedSpeeds' },
)
export type LearnedSpeeds = Static<typeof LearnedSpeeds>
