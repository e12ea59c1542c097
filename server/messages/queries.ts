import type { MessageQuery } from '../../contract/message.ts'
import type { Cause } from '../../core/message-rules/causes.ts'
import type { Language } from '../../core/words/languages.ts'
import type { Db } from '../db/db.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import { table, unnest } from '../db/table.ts'
import { type MessageRow, messageTexts } from '../tasks/noted-messages/tables.ts'

export const messageOptOuts = table('message_opt_outs', {
  organisation_id: 'bigint',
  address: 'text',
  opted_out_at: 'timestamptz',
})

export const messageDays = table('message_days', { organisation_id: 'bigint', day: 'text', sent: 'integer' })

/** A message and how its task is called by the office and by the customer. */
export type LoggedMessage = MessageRow & { awb: string | null; uuid: string | null }

export interface MessageFilter extends Omit<MessageQuery, 'state' | 'limit' | 'cursor' | 'q'> {
  states: string[] | undefined
  /** Patterns of which one must fit, and from which id on to look for them. */
  search?: { words: string; number: string | null; afterId: number } | undefined
}

/** Messages before an id, newest first. */
export const listMessages = (
  db: Db,
  organisationId: number,
  { states, cause, channel, awb, taskId, to, search }: MessageFilter,
  beforeId: number,
  limit: number,
) =>
  db.many<LoggedMessage>(sql`
    select m.*, t.awb, t.uuid from messages m
    left join tasks t on t.organisation_id = m.organisation_id and t.id = m.task_id
    where m.organisation_id = ${organisationId} and m.id < ${beforeId}
      and (${states ?? null}::text[] is null or m.state = any(${states ?? null}::text[]))
      and (${cause ?? null}::text is null or m.cause = ${cause ?? null})
      and (${channel ?? null}::text is null or m.channel = ${channel ?? null})
      and (${taskId ?? null}::bigint is null or m.task_id = ${taskId ?? null})
      and (${awb ?? null}::text is null or t.awb = ${awb ?? null})
      and (${to ?? null}::text is null or m.recipient = ${to ?? null})
      ${search ? fits(search) : sql``}
    order by m.id desc
    limit ${limit}`)

const fits = ({ words, number, afterId }: NonNullable<MessageFilter['search']>) => sql`
  and m.id > ${afterId}
  and (t.awb ilike ${words} or m.recipient ilike ${words} or m.subject ilike ${words} or m.body ilike ${words}
    or m.recipient like ${number}::text)`

/** The id of the message that comes after `count` others, newest first; undefined if there are not as many. */
export const findMessageAfter = (db: Db, organisationId: number, beforeId: number, count: number) =>
  db.find<{ id: number }>(sql`
    select id from messages where organisation_id = ${organisationId} and id < ${beforeId}
    order by id desc
    offset ${count} limit 1`)

export const findMessage = (db: Db, organisationId: number, id: number) =>
  db.find<LoggedMessage>(sql`
    select m.*, t.awb, t.uuid from messages m
    left join tasks t on t.organisation_id = m.organisation_id and t.id = m.task_id
    where m.organisation_id = ${organisationId} and m.id = ${id}`)

type Requeued = Pick<MessageRow, 'channel' | 'recipient' | 'subject' | 'expires_at'>

/** Sends a message again, if it is in one of these states, and was not erased. */
export const requeueMessage = (
  db: Db,
  organisationId: number,
  id: number,
  states: string[],
  { channel, recipient, subject, expires_at }: Requeued,
) =>
  db.run(sql`
    update messages
    set state = 'waiting', reason = null, error = null, claim = null, ended_at = null, attempts_before = attempts,
      channel = ${channel}, recipient = ${recipient}, subject = ${subject}, due_at = now(), expires_at = ${expires_at}
    where organisation_id = ${organisationId} and id = ${id} and task_id is not null and body <> ''
      and state = any(${states}::text[])`)

const textColumns = ['cause', 'language', 'subject', 'body'] as const

interface WrittenText {
  cause: Cause
  language: Language
  subject: string | null
  body: string
}

export const saveTexts = (db: Db, organisationId: number, texts: readonly WrittenText[]) =>
  db.run(sql`
    insert into message_texts (organisation_id, cause, language, subject, body)
    select ${organisationId}, given.* from ${unnest(messageTexts, textColumns, texts)}
    on conflict (organisation_id, cause, language) do update
    set subject = excluded.subject, body = excluded.body, updated_at = now()`)

export const deleteTexts = (
  db: Db,
  organisationId: number,
  texts: readonly Pick<WrittenText, 'cause' | 'language'>[],
) =>
  db.run(sql`
    delete from message_texts t using ${unnest(messageTexts, ['cause', 'language'], texts)}
    where t.organisation_id = ${organisationId} and t.cause = given.cause and t.language = given.language`)

/** Counts one more message of a day, unless it has had as many as it may. Returns how many were counted: one or none. */
export const countMessage = (db: Db, organisationId: number, day: string, most: number) =>
  db.run(sql`
    insert into message_days as d (organisation_id, day, sent)
    select ${organisationId}, ${day}, 1 where ${most} > 0
    on conflict (organisation_id, day) do update set sent = d.sent + 1 where d.sent < ${most}`)

/** Who wants no messages is known by a hash of their address, which outlives the erasure of everything else about them. */
export const optOutKey = (organisationId: Sql, address: Sql) =>
  sql`encode(sha256(convert_to(${organisationId} || ' ' || lower(trim(${address})), 'UTF8')), 'hex')`

const keysOf = (organisationId: number, addresses: string[]) =>
  sql`select ${optOutKey(sql`${organisationId}::bigint`, raw('address'))} from unnest(${addresses}::text[]) as address`

export const insertOptOuts = (db: Db, organisationId: number, addresses: string[]) =>
  db.run(sql`
    insert into message_opt_outs (organisation_id, address)
    select ${organisationId}, key.* from (${keysOf(organisationId, addresses)}) as key
    on conflict do nothing`)

export const deleteOptOuts = (db: Db, organisationId: number, addresses: string[]) =>
  db.run(sql`
    delete from message_opt_outs
    where organisation_id = ${organisationId} and address in (${keysOf(organisationId, addresses)})`)

export const isAnyOptedOut = async (db: Db, organisationId: number, addresses: string[]) =>
  (await db.find<object>(sql`
    select from message_opt_outs
    where organisation_id = ${organisationId} and address in (${keysOf(organisationId, addresses)})
    limit 1`)) !== undefined

type NewTest = Pick<
  MessageRow,
  'channel' | 'recipient' | 'language' | 'subject' | 'body' | 'claim' | 'due_at' | 'expires_at' | 'occurred_at'
>

/** A test message that is being sent: should we die meanwhile, it becomes unknown like any other. */
export const insertTest = (db: Db, organisationId: number, given: NewTest) =>
  db.get<MessageRow>(sql`
    insert into messages (
      organisation_id, cause, channel, recipient, language, subject, body, state, attempts, claim, due_at, expires_at,
      occurred_at)
    values (
      ${organisationId}, 'test', ${given.channel}, ${given.recipient}, ${given.language}, ${given.subject},
      ${given.body}, 'sending', 1, ${given.claim}, ${given.due_at}, ${given.expires_at}, ${given.occurred_at})
    returning *`)
