import type { Static } from 'typebox'
import { longest, mostItems } from './limits.ts'
import { AnyJson, Id, Nullable, Text, Time } from './schema.ts'
import { DriverSummary, Task } from './task.ts'
import { Type } from './type.ts'

export const actorTypes = ['API', 'ADMIN', 'DRIVER', 'SYSTEM', 'PARTNER'] as const
export type ActorType = (typeof actorTypes)[number]

/** What a webhook receives and the event feed lists: one thing that happened to one task. */
export const Event = Type.Object(
  {
    eventId: Id('Increases within the organisation'),
    time: Time('When it happened, by a clock that is right'),
    recordedAt: Time('When the server received it; later than `time` if a phone was offline'),
    triggerId: Type.Integer({ minimum: 1, maximum: 9 }),
    triggerName: Type.String(),
    companyId: Id(),
    taskId: Id(),
    awb: Type.String(),
    userId: Nullable(Id()),
    sequence: Type.Integer({ minimum: 1, description: 'Increases within the task: 1, 2, 3 …' }),
    actionContext: Type.Object({ type: Type.String({ enum: [...actorTypes] }), id: Nullable(Type.Integer()) }),
    data: Type.Object({
      task: Task,
      user: Nullable(DriverSummary),
      previous: AnyJson('Only the fields that changed, with their previous values; null if it does not apply'),
    }),
  },
  { title: 'Event' },
)
export type Event = Static<typeof Event>

export const EventQuery = Type.Object({
  after: Type.Optional(
    Text(longest.cursor, { description: 'The `nextCursor` of the previous page; defaults to the beginning' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostItems, description: 'Defaults to 100' })),
})
