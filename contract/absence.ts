import type { Static } from 'typebox'
import { longest } from './limits.ts'
import { Id, Text, Time } from './schema.ts'
import { Type } from './type.ts'
import { undoId } from './undo.ts'

const Day = (description: string) => Text(10, { description })
const Optional = Type.Optional

export const AbsenceInput = Type.Object(
  {
    from: Day('The first day, YYYY-MM-DD in the organisation’s time zone'),
    to: Optional(Day('The last day, not before the first; without it, the first')),
    reason: Optional(Text(longest.absenceReason, { description: 'Only for the office' })),
  },
  { title: 'AbsenceInput' },
)
export type AbsenceInput = Static<typeof AbsenceInput>

export const Absence = Type.Object(
  {
    id: Id(),
    driverId: Id(),
    from: Type.String({ description: 'The first day, YYYY-MM-DD' }),
    to: Type.String({ description: 'The last day' }),
    reason: Type.String(),
    createdAt: Time(),
  },
  { title: 'Absence', description: 'Days on which a driver does not work: they are not planned then' },
)
export type Absence = Static<typeof Absence>

export const AbsenceQuery = Type.Object({
  from: Optional(Day('Only absences that end on this day or later')),
  to: Optional(Day('Only absences that begin on this day or earlier')),
})
export type AbsenceQuery = Static<typeof AbsenceQuery>

export const UnavailableInput = Type.Object(
  {
    inTransit: Optional(
      Type.String({
        enum: ['keep', 'take'],
        description: 'Whether the driver keeps a task in transit; without this, a driver who has one is refused',
      }),
    ),
    through: Optional(
      Day('Take only tasks for today and for days until this one, YYYY-MM-DD; without it, all open tasks'),
    ),
    absence: Optional(Type.Boolean({ description: 'Add an absence from today to `through`, or of today' })),
    reason: Optional(Text(longest.absenceReason, { description: 'Of the absence' })),
    dryRun: Optional(Type.Boolean({ description: 'Only return what would be taken and kept' })),
    undoId,
  },
  { title: 'UnavailableInput' },
)
export type UnavailableInput = Static<typeof UnavailableInput>

export const TakenTask = Type.Object(
  { taskId: Id(), awb: Type.String(), statusId: Type.Integer() },
  { title: 'TakenTask' },
)
export type TakenTask = Static<typeof TakenTask>

/** Why an open task stays with a driver who cannot go on. */
const keptReasons = ['OPEN_CONFLICT', 'IN_TRANSIT', 'LATER_DAY'] as const
export type KeptReason = (typeof keptReasons)[number]

export const KeptTask = Type.Object(
  {
    taskId: Id(),
    awb: Type.String(),
    statusId: Type.Integer(),
    reason: Type.Unsafe<KeptReason>({
      type: 'string',
      enum: keptReasons,
      description:
        'An open conflict is settled first, whatever else is asked for; the rest is as `inTransit` and `through` say',
    }),
  },
  { title: 'KeptTask' },
)
export type KeptTask = Static<typeof KeptTask>
