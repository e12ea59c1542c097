import type { Static } from 'typebox'
import { actorTypes } from './event.ts'
import { longest } from './limits.ts'
import { AnyJson, Id, Nullable, PageQuery, Text, Time, Whole } from './schema.ts'
import { Type } from './type.ts'

interface Kind {
  /** What the entry is about, and so what its id stands for. */
  about: string
  means: string
}

/** Everything the audit log tells. The docs and the words of the console are checked against this table. */
export const auditKinds = {
  'person.signedIn': { about: 'person', means: 'An admin or dispatcher signed in' },
  'person.passwordWrong': { about: 'person', means: 'Somebody tried a wrong password of an account' },
  'person.signedOut': { about: 'person', means: 'They signed out' },
  'person.signedOutEverywhere': { about: 'person', means: 'They ended all their sessions' },
  'person.passwordChanged': { about: 'person', means: 'They changed their password' },
  'person.passwordSet': { about: 'person', means: 'They set a password with a link, and signed in' },
  'person.invited': { about: 'person', means: 'A person was invited' },
  'person.linkCreated': { about: 'person', means: 'A new link to set a password was created' },
  'person.changed': { about: 'person', means: 'The name or the role of a person was changed' },
  'person.deleted': { about: 'person', means: 'A person was deleted' },
  'driver.signedIn': { about: 'driver', means: 'A driver signed in on a device' },
  'driver.codeWrong': { about: 'driver', means: 'Somebody tried a wrong code for an invited driver' },
  'driver.signedOut': { about: 'driver', means: 'A driver signed out on a device' },
  'driver.deviceRemoved': { about: 'driver', means: 'The office signed out a device' },
  'driver.invited': { about: 'driver', means: 'A code and a link to sign in were created' },
  'driver.created': { about: 'driver', means: 'A driver was created' },
  'driver.changed': { about: 'driver', means: 'A driver was changed by the office' },
  'driver.absenceAdded': { about: 'driver', means: 'Days on which a driver does not work were noted' },
  'driver.absenceDeleted': { about: 'driver', means: 'An absence of a driver was deleted' },
  'driver.deleted': { about: 'driver', means: 'A driver was deleted' },
  'key.created': { about: 'key', means: 'A key was created' },
  'key.rotated': { about: 'key', means: 'A key was replaced by a new one' },
  'key.revoked': { about: 'key', means: 'A key was revoked' },
  'webhook.created': { about: 'webhook', means: 'A webhook was created' },
  'webhook.enabled': { about: 'webhook', means: 'A webhook was enabled again' },
  'webhook.secretRotated': { about: 'webhook', means: 'A webhook got a new secret' },
  'webhook.deleted': { about: 'webhook', means: 'A webhook was deleted' },
  'company.created': { about: 'company', means: 'The organisation was created, with its first admin' },
  'company.changed': { about: 'company', means: 'The organisation or its settings were changed' },
  'partner.agreed': { about: 'partner', means: 'The organisation agreed to be a partner of another' },
  'partner.ended': { about: 'partner', means: 'A partnership was ended, or an invitation taken back or declined' },
  'text.changed': { about: 'text', means: 'The text of a message to customers was changed' },
  'form.created': { about: 'form', means: 'A form was created' },
  'form.changed': { about: 'form', means: 'A form was changed' },
  'form.deleted': { about: 'form', means: 'A form was deleted' },
  'reason.created': { about: 'reason', means: 'A reason for failing was created' },
  'reason.changed': { about: 'reason', means: 'A reason for failing was changed' },
  'reason.deleted': { about: 'reason', means: 'A reason for failing was deleted' },
  'schedule.created': { about: 'schedule', means: 'A task was made to repeat' },
  'schedule.changed': { about: 'schedule', means: 'The rest of a series was changed' },
  'schedule.deleted': { about: 'schedule', means: 'A series was ended' },
  'template.created': { about: 'template', means: 'A template for tasks was created' },
  'template.changed': { about: 'template', means: 'A template for tasks was changed' },
  'template.deleted': { about: 'template', means: 'A template for tasks was deleted' },
  'holiday.added': { about: 'holiday', means: 'A day off, or work on a public holiday, was added' },
  'holiday.deleted': { about: 'holiday', means: 'A day was taken from the list of holidays' },
  'task.forceCompleted': { about: 'task', means: 'The office ended a task in the driver’s place' },
  'task.endCorrected': { about: 'task', means: 'How a task ended was corrected: succeeded, or failed, after all' },
  'task.corrected': { about: 'task', means: 'The office changed a task that had ended' },
  'payment.added': { about: 'task', means: 'The office added a payment, or corrected payments by a negative one' },
  'cash.handedIn': { about: 'driver', means: 'Cash that a driver handed in was written down' },
  'cash.closed': { about: 'driver', means: 'A day of a driver’s cash was closed' },
  'cash.corrected': { about: 'driver', means: 'A closed day of a driver’s cash was corrected' },
  'conflict.settled': { about: 'task', means: 'The office decided what becomes of a driver’s work' },
  'proof.exported': { about: 'task', means: 'A proof of delivery was downloaded' },
  'proofLink.created': { about: 'proofLink', means: 'A link to proofs of delivery was created' },
  'proofLink.revoked': { about: 'proofLink', means: 'A link to proofs of delivery was revoked' },
  'label.printed': { about: 'task', means: 'A label was downloaded' },
  'manifest.printed': { about: 'driver', means: 'The run sheet of a driver was downloaded' },
  'list.exported': { about: 'list', means: 'A list was saved as a file; told by the console' },
  'data.erased': {
    about: 'erasure',
    means: 'Personal data was erased: by a request, by the setting, or again after a restore',
  },
  'data.exported': { about: 'person', means: 'What is kept about a customer was downloaded' },
  'backup.restored': { about: 'company', means: 'A backup was restored' },
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
    Text(longest.search, { description: 'Only entries whose actor, subject or address contains this text' }),
  ),
  day: Type.Optional(Text(10, { description: 'Only entries of this day in the organisation’s time zone: 2026-11-15' })),
  from: Type.Optional(Text(longest.time, { description: 'Not before this time' })),
  to: Type.Optional(Text(longest.time, { description: 'Before this time' })),
  ...PageQuery.properties,
})
export type AuditQuery = Static<typeof AuditQuery>

/** Lists that the console saves as files. */
export const exportedLists = ['tasks', 'audit', 'cash'] as const

export const ExportInput = Type.Object(
  {
    list: Type.String({ enum: [...exportedLists] }),
    format: Type.String({ enum: ['csv', 'xlsx'] }),
    rows: Whole({ description: 'How many rows the file has' }),
  },
  { title: 'ExportInput' },
)
export type ExportInput = Static<typeof ExportInput>
