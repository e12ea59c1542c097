import { randomUUID } from 'node:crypto'
import { Refusal } from '../../contract/errors.ts'
import type { TestMessageInput } from '../../contract/message.ts'
import { isEmail } from '../../core/email.ts'
import { type Cause, type ChannelName, isRetryable, messageStates } from '../../core/message-rules/causes.ts'
import { chooseRecipient, expiryOf } from '../../core/message-rules/rules.ts'
import { fillText } from '../../core/message-rules/texts.ts'
import { dayOf } from '../../core/message-rules/times.ts'
import { examplePhone, readPhone } from '../../core/phone.ts'
import { settingsOf } from '../../core/settings.ts'
import type { Context } from '../context.ts'
import type { Organisation } from '../organisations/queries.ts'
import { reasonOf, textOf, valuesOf } from '../tasks/noted-messages/note.ts'
import { listOwnTexts } from '../tasks/noted-messages/queries.ts'
import { findTask } from '../tasks/read/view.ts'
import { countMessage, findMessage, insertTest, type LoggedMessage, requeueMessage } from './queries.ts'
import { handOver, resultOf } from './sending/attempt.ts'
import { leaseSeconds, saveResult } from './sending/store.ts'
import { draftMessage } from './texts.ts'

/** Sends a message again because somebody says so: they know whether the customer has it. */
export async function retryMessage(context: Context, organisation: Organisation, id: number): Promise<LoggedMessage> {
  const message = await getMessage(context, organisation.id, id)
  const { cause } = message
  if (cause === 'test') throw new Refusal('MESSAGE_NOT_RETRYABLE')
  const expires_at = expiryOf(cause, context.clock.now())
  const again = { ...(await addressAgain(context, organisation, message, cause)), expires_at }
  const requeued = await requeueMessage(context.db, organisation.id, id, messageStates.filter(isRetryable), again)
  if (requeued === 0) throw new Refusal('MESSAGE_NOT_RETRYABLE')
  context.announceEvents()
  return getMessage(context, organisation.id, id)
}

/** To whom it goes now: it may have failed because the number was wrong, and the office has corrected it. */
async function addressAgain(
  { db, messages, clock }: Context,
  organisation: Organisation,
  { task_id, channel, recipient, subject, language }: LoggedMessage,
  cause: Cause,
) {
  const task = task_id === null ? undefined : await findTask(db, organisation.id, task_id)
  if (!task) return { channel, recipient, subject }
  const first = settingsOf(organisation).messageFirstChannel as ChannelName
  const now = chooseRecipient(task.customer, first, messages.available)
  if (now.channel === channel) return { ...now, subject }
  const own = await listOwnTexts(db, organisation.id)
  const written = own.find((text) => text.cause === cause && text.language === language)
  const moment = clock.now()
  const reason = await reasonOf(db, organisation.id, task, language, moment)
  const values = valuesOf(organisation, task, { now: moment, language, reason })
  return {
    ...now,
    subject:
      now.channel === 'email'
        ? fillText(textOf(cause, language, task.pickup_task, written).subject, values, 'email')
        : '',
  }
}

async function getMessage({ db }: Pick<Context, 'db'>, organisationId: number, id: number) {
  const message = await findMessage(db, organisationId, id)
  if (!message) throw new Refusal('MESSAGE_NOT_FOUND')
  return message
}

const testMs = 60_000

/** Sends a message to an address of the caller's choice, and waits for what becomes of it. */
export async function testMessage(
  context: Context,
  organisation: Organisation,
  { to, ...given }: TestMessageInput,
  ownUrl: string,
): Promise<LoggedMessage> {
  const { channel, recipient } = readRecipient(to, organisation.country)
  if (!context.messages.available.includes(channel)) throw new Refusal('MESSAGE_NO_CHANNEL', { field: 'to' })
  const draft = await draftMessage(context, organisation, given, ownUrl)
  const now = context.clock.now()
  const claim = randomUUID()
  const row = await context.db.transaction(async (db) => {
    const { messageMostPerDay } = settingsOf(organisation)
    const counted = await countMessage(db, organisation.id, dayOf(now, organisation.timezone), messageMostPerDay)
    if (counted === 0) throw new Refusal('MESSAGE_LIMIT')
    return insertTest(db, organisation.id, {
      channel,
      recipient,
      claim,
      language: draft.language,
      subject: channel === 'email' ? draft.subject : '',
      body: channel === 'email' ? draft.text : draft.sms,
      due_at: new Date(now.getTime() + testMs + leaseSeconds * 1_000),
      expires_at: now,
      occurred_at: now,
    })
  })
  const handed = await handOver(context, { ...row, organisation }, AbortSignal.timeout(testMs))
  await saveResult(context.db, row, 1, resultOf(handed, { attempt: 1, now, expiresAt: now }))
  return getMessage(context, organisation.id, row.id)
}

function readRecipient(to: string, country: string): { channel: ChannelName; recipient: string } {
  if (isEmail(to.trim())) return { channel: 'email', recipient: to.trim() }
  const phone = readPhone(to, country)
  if (phone) return { channel: 'sms', recipient: phone }
  const message = `to must be an email address or a phone number such as ${examplePhone(country)}`
  throw new Refusal('INVALID_PHONE', { field: 'to', message })
}
