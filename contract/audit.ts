import type { Static } from 'typebox'
import { actorTypes } from './event.ts'
import { longest } from './limits.ts'
import { AnyJson, Id, Nullable, PageQuery, Text, Time } from './schema.ts'
import { Type } from './type.ts'

interface Kind {
  /** What the entry is about, and so what its id stands for. */
  about: string
  means: string
}

/** Everything the audit log tells. The docs and the words of the console are checked against this table. */
export const auditKinds = {
  'company.created': { about: 'company', means: 'An organisation was created, with its first admin' },
  'key.created': { about: 'key', means: 'A key was created' },
  'key.rotated': { about: 'key', means: 'A key was replaced by a new one' },
  'key.revoked': { about: 'key', means: 'A key was revoked' },
} as const satisfies Record<string, Kind>
export type AuditKind = keyof typeof auditKinds

/** Who can have done something: those of events, somebody at the command line, or nobody we know. */
export const auditActorTypes = [...actorTypes, 'COMMAND_LINE', 'NOBODY'] as const
export type AuditActorType = (typeof auditActorTypes)[number]

const Change = Type.Object(
  {
    field: Type.String(),
    before: Type.Optional(AnyJson('The value before; left out if there was none')),
    after: Type.Optional(AnyJson('The value after; left out if there is none')),
  },
  { title: 'AuditChange', description: 'Personal, secret and very long values are left out, both before and after' },
)
export type AuditChange = Static<typeof Change>

export const AuditEntry = Type.Object(
  {
    id: Id(),
    at: Time('By the clock of the database'),
    kind: Type.String({ description: 'What was done; see the [audit log](audit-log.md)' }),
    actor: Type.Object(
      {
        type: Type.String({ enum: [...auditActorTypes] }),
        id: Nullable(Id('Of the key, the person or the driver')),
        name: Nullable(Type.String({ description: 'What they are called now' })),
      },
      { description: 'Who did it' },
    ),
    address: Nullable(Type.String({ description: 'Where the request came from' })),
    userAgent: Nullable(Type.String({ description: 'What the program said it was; at most 200 characters' })),
    subject: Type.Object(
      {
        type: Type.String({ description: 'What it was done to: key, person, driver, task …' }),
        id: Nullable(Id()),
        name: Nullable(Type.String({ description: 'What it is called now, if it has a name' })),
      },
      { description: 'What it was done to' },
    ),
    changes: Type.Array(Change),
    count: Type.Integer({ minimum: 1, description: 'More than 1 for tries to sign in that share a line' }),
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

export const AuditQuery = Type.Object({
  kind: Type.Optional(
    Text(1_000, { description: 'Only these kinds, separated by commas: `key.created`, or `key` for all about keys' }),
  ),
  who: Type.Optional(
    Text(longest.name, { description: 'Only entries whose actor, subject or address contains this text' }),
  ),
  day: Type.Optional(Text(10, { description: 'Only entries of this day in the organisation’s time zone: 2026-11-15' })),
  from: Type.Optional(Text(longest.time, { description: 'Not before this time' })),
  to: Type.Optional(Text(longest.time, { description: 'Before this time' })),
  ...PageQuery.properties,
})
export type AuditQuery = Static<typeof AuditQuery>
