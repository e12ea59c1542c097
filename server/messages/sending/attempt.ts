import { causes } from '../../../core/message-rules/causes.ts'
import { isStillTrue, judgeMessage, retryAt, type Verdict, windowKey } from '../../../core/message-rules/rules.ts'
import { fillLink } from '../../../core/message-rules/texts.ts'
import { dayOf } from '../../../core/message-rules/times.ts'
import { settingsOf } from '../../../core/settings.ts'
import type { Service } from '../../context.ts'
import type { Handed } from '../../outside/channels/channel.ts'
import { findAddress } from '../../people/queries.ts'
import type { MessageRow } from '../../tasks/noted-messages/tables.ts'
import { findOwners } from '../../tasks/read/chain.ts'
import { isAnyOptedOut } from '../queries.ts'
import { beginAttempt } from './begin.ts'
import { quietHoursOf } from './quiet.ts'
import { type Made, type MessageResult, result } from './result.ts'
import type { ClaimedMessage } from './store.ts'

/**
 * Decides whether a message goes out, notes that it is about to, and hands it over once. Undefined if it is no longer
 * ours.
 */
export async function attemptMessage(
  service: Service,
  message: ClaimedMessage,
  cut: AbortSignal,
): Promise<Made | undefined> {
  const { attempts } = message
  const leave = (made: MessageResult): Made => ({ outcome: 'left', result: made, attempts })
  // Somebody began to send it and died, or lost touch with the database: it may have been sent.
  if (message.state === 'sending') return leave(result('unknown', { error: 'Waybill stopped while it was being sent' }))

  const verdict = judge(service, {
    ...message,
    is_opted_out: message.is_opted_out || (await hasOwnerOptedOut(service, message)),
  })
  if (verdict.kind === 'later') return leave(result('waiting', { dueAt: verdict.at, quietUntil: verdict.at }))
  if (verdict.kind !== 'send') return leave(result(verdict.kind, { reason: verdict.reason }))

  const link = await linkOf(service, message)
  const filled = { subject: fillLink(message.subject, link), body: fillLink(message.body, link) }
  const begun = await beginAttempt(service, message, filled, dayOf(service.clock.now(), message.organisation.timezone))
  if (begun === 'lost') return undefined
  if (begun !== 'begun') return leave(result('dropped', { reason: begun }))

  const handed = await handOver(service, { ...message, ...filled }, cut)
  const now = service.clock.now()
  const attempt = attempts + 1 - (message.attempts_before ?? 0)
  return {
    outcome: handed.outcome === 'sent' ? 'delivered' : 'failed',
    result: resultOf(handed, { attempt, now, expiresAt: message.expires_at }),
    attempts: attempts + 1,
  }
}

/** Who told an owner of the task that they want no messages gets none from those who do it for them. */
async function hasOwnerOptedOut({ database }: Service, { organisation_id, task, recipient }: ClaimedMessage) {
  if (!task || task.owner_id === null) return false
  const owners = await findOwners(database.of(organisation_id), [task])
  for (const ownerId of owners.get(task.id) ?? [])
    if (await isAnyOptedOut(database.of(ownerId), ownerId, [recipient])) return true
  return false
}

function judge({ clock, messages }: Service, message: ClaimedMessage): Verdict {
  const { organisation, task, cause } = message
  const settings = settingsOf(organisation)
  const told = task && !task.deleted_at && { ...task, window: windowKey(task.complete_after, task.complete_before) }
  const waiting = {
    channel: message.channel,
    recipient: message.recipient,
    expiresAt: message.expires_at,
    isOptedOut: message.is_opted_out,
    isAvailable: messages.available.includes(message.channel),
    isByHand: message.attempts_before !== null,
    isTurnedOn: cause !== 'test' && settings[causes[cause].setting] === true && task?.send_notifications === true,
    isStillTrue: cause !== 'test' && isStillTrue(cause, message.facts, told || undefined),
  }
  return judgeMessage(waiting, clock.now(), quietHoursOf(organisation), organisation.timezone)
}

/** The address of the tracking page. */
async function linkOf({ config, database }: Service, { task }: ClaimedMessage): Promise<string> {
  const address = config.publicUrl ?? (await findAddress(database.everyone)) ?? ''
  return task ? `${address}/t/${task.uuid}` : address
}

type Ready = Pick<MessageRow, 'organisation_id' | 'id' | 'channel' | 'recipient' | 'subject' | 'body'> & {
  organisation: ClaimedMessage['organisation']
}

/** Gives a message to its channel, once. An error nobody expected says nothing about whether it was sent. */
export async function handOver({ messages, log, metrics }: Service, message: Ready, cut: AbortSignal): Promise<Handed> {
  const { organisation, organisation_id, id, channel: name, recipient: to, subject, body: text } = message
  const channel = messages[name]
  if (!channel) return { outcome: 'refused', error: 'This server is not set up to send this kind of message' }
  const outgoing = {
    id: `waybill-${organisation_id}-${id}`,
    to,
    subject,
    text,
    sender: settingsOf(organisation).smsSenderId,
    organisation: { name: organisation.name, email: organisation.email },
  }
  const handed = await channel.send(outgoing, cut).catch((err): Handed => {
    log.warn({ err }, 'A message could not be handed over')
    return { outcome: 'unknown', error: 'Sending failed in a way we did not expect' }
  })
  metrics.messages.inc({ channel: name, outcome: handed.outcome })
  return handed
}

interface Situation {
  attempt: number
  now: Date
  expiresAt: Date
}

export function resultOf(handed: Handed, { attempt, now, expiresAt }: Situation): MessageResult {
  if (handed.outcome === 'sent') return result('sent')
  const { error } = handed
  if (handed.outcome === 'unknown') return result('unknown', { error })
  const { retryAfterSeconds, isFinal } = handed
  const dueAt = retryAt({ attempt, retryAfterSeconds, isFinal, now, expiresAt, random: Math.random() })
  return dueAt ? result('waiting', { error, dueAt }) : result('failed', { error })
}
