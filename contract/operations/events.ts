import { Event, EventQuery } from '../event.ts'
import { longest } from '../limits.ts'
import { reply, Text } from '../schema.ts'
import { Type } from '../type.ts'
import type { Operation } from './operation.ts'

export const eventOperations = {
  listEvents: {
    method: 'GET',
    path: '/api/v1/events',
    tag: 'Events',
    summary: 'Read the event log from where you left off',
    scope: 'events:read',
    query: EventQuery,
    reply: reply({
      events: Type.Array(Event),
      nextCursor: Type.String({ description: 'Pass it as `after` to continue' }),
    }),
    refuses: [],
  },
  streamEvents: {
    method: 'GET',
    path: '/api/v1/events/stream',
    tag: 'Events',
    summary: 'Stream events as they happen (server-sent events; Last-Event-ID resumes)',
    scope: 'events:read',
    query: Type.Object({ after: Type.Optional(Text(longest.cursor)) }),
    reply: reply({}),
    streams: true,
    refuses: [],
  },
} as const satisfies Record<string, Operation>
