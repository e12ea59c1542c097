import type { Static } from 'typebox'
import { actorTypes } from './event.ts'
import { longest } from './limits.ts'
import { Awb, Id, Nullable, Text, Time } from './schema.ts'
import { Type } from './type.ts'

/** What an erasure counts. The words of the console are checked against it. */
export const erasedKinds = ['tasks', 'customers', 'notes', 'pictures', 'messages', 'positions'] as const
export type ErasedKind = (typeof erasedKinds)[number]

const Counts = Type.Object(
  {
    tasks: Type.Integer(),
    customers: Type.Integer({ description: 'Customers without another task' }),
    notes: Type.Integer(),
    pictures: Type.Integer({ description: 'Photos and signatures' }),
    messages: Type.Integer(),
    positions: Type.Integer({ description: 'Positions of drivers near the addresses, or of the driver' }),
  },
  { title: 'ErasedCounts' },
)
export type ErasedCounts = Static<typeof Counts>

/** By the setting, by a request for a customer or a task, by one for a driver who left, or because it was a partner's. */
export const erasureReasons = ['time', 'request', 'driver', 'partner'] as const
export type ErasureReason = (typeof erasureReasons)[number]

export const Erasure = Type.Object(
  {
    id: Id(),
    receipt: Type.String({ description: 'A number no other receipt has, in any database' }),
    reason: Type.Unsafe<ErasureReason>({
      type: 'string',
      enum: erasureReasons,
      description:
        '`time`: by `hoursToSaveCustomerDataAfterDone`; `request`: for a customer or a task; `driver`; `partner`: its owner took it back or erased it, or is no partner any more',
    }),
    actor: Type.Object(
      { type: Type.String({ enum: [...actorTypes] }), id: Nullable(Id()) },
      { description: 'Who asked for it' },
    ),
    hours: Nullable(Type.Integer({ description: 'The setting, if it was by time' })),
    driverId: Nullable(Id('The driver, if it was one')),
    taskIds: Type.Array(Id(), { description: 'The tasks it has erased, at most 1,000' }),
    counts: Counts,
    createdAt: Time(),
    finishedAt: Nullable(Time('Null while it is still at work')),
  },
  { title: 'Erasure', description: 'A receipt. Nothing in it is personal, and it is kept' },
)
export type Erasure = Static<typeof Erasure>

const Left = Type.Object(
  {
    taskId: Id(),
    awb: Type.String(),
    because: Type.Unsafe<'open' | 'conflict'>({
      type: 'string',
      enum: ['open', 'conflict'],
      description: '`open`: it has not ended; `conflict`: something a driver did waits for a decision',
    }),
  },
  { title: 'NotErased' },
)
export type LeftTask = Static<typeof Left>

const Regular = Type.Object(
  {
    kind: Type.Unsafe<'schedule' | 'template'>({ type: 'string', enum: ['schedule', 'template'] }),
    id: Id(),
    name: Type.String(),
  },
  { title: 'RegularWork' },
)
export type LeftRegular = Static<typeof Regular>

const one = 'Exactly one of phone, email, awb and driverId'

export const ErasureInput = Type.Object(
  {
    phone: Type.Optional(Text(longest.phone, { description: `Of a customer. ${one}` })),
    email: Type.Optional(Text(longest.email, { description: `Of a customer. ${one}` })),
    awb: Type.Optional(Awb),
    driverId: Type.Optional(Id(`A driver who was deleted. ${one}`)),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only says what would be erased' })),
  },
  { title: 'ErasureInput' },
)
export type ErasureInput = Static<typeof ErasureInput>

/** The answer to a request. */
export const erasureFields = {
  erasures: Type.Array(Erasure, { description: 'The receipts; none of a dry run, nor if there was nothing' }),
  counts: Counts,
  left: Type.Array(Left, { description: 'Tasks that are not erased now, at most 1,000 of them' }),
  leftRegular: Type.Array(Regular, {
    description: 'Schedules and templates that name the customer: they go on until they are changed or deleted',
  }),
}

export const PersonalDataQuery = Type.Object({
  phone: Type.Optional(Text(longest.phone, { description: 'Exactly one of phone and email' })),
  email: Type.Optional(Text(longest.email)),
})
export type PersonalDataQuery = Static<typeof PersonalDataQuery>
