import type { Cause, ChannelName, MessageReason, MessageState } from '../../../core/message-rules/causes.ts'
import type { Facts } from '../../../core/message-rules/rules.ts'
import type { Language } from '../../../core/words/languages.ts'
import { type Known, type Row, table } from '../../db/table.ts'

export const messages = table('messages', {
  organisation_id: 'bigint',
  id: 'bigint',
  task_id: 'bigint?',
  cause: 'text',
  occasion: 'integer',
  channel: 'text',
  recipient: 'text',
  language: 'text',
  subject: 'text',
  body: 'text',
  state: 'text',
  reason: 'text?',
  error: 'text?',
  attempts: 'integer',
  attempts_before: 'integer?',
  claim: 'uuid?',
  due_at: 'timestamptz',
  expires_at: 'timestamptz',
  occurred_at: 'timestamptz',
  created_at: 'timestamptz',
  ended_at: 'timestamptz?',
  facts: 'jsonb',
  quiet_until: 'timestamptz?',
})

interface Meaning {
  cause: Cause | 'test'
  channel: ChannelName
  language: Language
  state: MessageState
  reason: MessageReason | null
  facts: Facts
}
export type MessageRow = Known<Row<typeof messages>, Meaning>

export const messageTexts = table('message_texts', {
  organisation_id: 'bigint',
  cause: 'text',
  language: 'text',
  subject: 'text?',
  body: 'text',
  updated_at: 'timestamptz',
})
export type MessageTextRow = Known<Row<typeof messageTexts>, Pick<Meaning, 'language'> & { cause: Cause }>
