import type { Message } from '../../contract/message.ts'
import { isRetryable } from '../../core/message-rules/causes.ts'
import { measureSms } from '../../core/message-rules/sms.ts'
import { fillLink } from '../../core/message-rules/texts.ts'
import type { LoggedMessage } from './queries.ts'

/** What was not sent yet is shown as it would be now. */
export function presentMessage(row: LoggedMessage, ownUrl: string): Message {
  const link = `${ownUrl}/t/${row.uuid}`
  const text = fillLink(row.body, link)
  return {
    id: row.id,
    cause: row.cause,
    taskId: row.task_id,
    awb: row.awb,
    channel: row.channel,
    to: row.recipient,
    language: row.language,
    subject: fillLink(row.subject, link),
    text,
    segments: row.channel === 'sms' ? measureSms(text).segments : null,
    state: row.state,
    reason: row.reason,
    error: row.error,
    attempts: row.attempts,
    occurredAt: row.occurred_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    nextAttemptAt: row.state === 'waiting' ? row.due_at.toISOString() : null,
    endedAt: row.ended_at?.toISOString() ?? null,
    // One without a text was erased.
    canRetry: row.task_id !== null && row.body !== '' && isRetryable(row.state),
  }
}
