import type { Facts } from '../../../core/message-rules/rules.ts'
import type { Db } from '../../db/db.ts'
import { raw, sql } from '../../db/sql.ts'
import { columnList, unnest } from '../../db/table.ts'
import { type MessageRow, type MessageTextRow, messages } from './tables.ts'

const newColumns = [
  'task_id',
  'cause',
  'occasion',
  'channel',
  'recipient',
  'language',
  'subject',
  'body',
  'state',
  'due_at',
  'expires_at',
  'occurred_at',
  'created_at',
  'facts',
] as const
export type NewMessage = Pick<MessageRow, (typeof newColumns)[number]>

const renewed = newColumns.filter((name) => name !== 'task_id' && name !== 'cause' && name !== 'occasion')
const renew = raw(renewed.map((name) => `${name} = excluded.${name}`).join(', '))

/**
 * At most one for each cause: a second one is not written. One that was never handed over, because the task had changed
 * before, as when the driver took back a start, or because it was old news, makes way for what is true now.
 */
export const insertMessages = (db: Db, organisationId: number, rows: readonly NewMessage[]) =>
  db.run(sql`
    insert into messages (organisation_id, ${columnList(newColumns)})
    select ${organisationId}, given.* from ${unnest(messages, newColumns, rows)}
    on conflict (organisation_id, task_id, cause, occasion) do update
      set ${renew}, reason = null, ended_at = null
      where messages.state = 'dropped' and messages.reason in ('outdated', 'tooOld') and messages.attempts = 0`)

/** The texts the organisation has written itself. */
export const listOwnTexts = (db: Db, organisationId: number) =>
  db.many<MessageTextRow>(sql`select * from message_texts where organisation_id = ${organisationId}`)

export interface ToldWindow {
  task_id: number
  state: string
  facts: Facts
}

/** What customers were told about the windows of these tasks, oldest first. */
export const listToldWindows = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<ToldWindow>(sql`
    select task_id, state, facts from messages
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[]) and cause = 'windowChanged'
    order by id`)

export const deleteMessages = (db: Db, organisationId: number, taskIds: number[]) =>
  db.run(sql`delete from messages where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])`)
