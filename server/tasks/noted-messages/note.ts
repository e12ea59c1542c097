import { tellsCustomer } from '../../../core/delegation.ts'
import { firstNameOf } from '../../../core/first-name.ts'
import { type Cause, type ChannelName, causes, languageOf } from '../../../core/message-rules/causes.ts'
import { chooseRecipient, expiryOf, type Facts, isNewWindow, windowKey } from '../../../core/message-rules/rules.ts'
import { fillText, linkToCome, type MessageText, tellsTime, type Values } from '../../../core/message-rules/texts.ts'
import { describeArrival, describeWindow } from '../../../core/message-rules/times.ts'
import { settingsOf } from '../../../core/settings.ts'
import { Failed, InTransit, isOpen, Succeeded } from '../../../core/task-status.ts'
import type { Language } from '../../../core/words/languages.ts'
import { serverTexts } from '../../../core/words/server.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import type { Happened } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { findReason } from '../../reasons/queries.ts'
import { arrivalOf, hasArrived } from '../arrival.ts'
import type { TaskView } from '../tables.ts'
import { insertMessages, listOwnTexts, listToldWindows, type NewMessage } from './queries.ts'

/*
 * Writes down what customers are to be told, in the transaction of the change that causes it: so nothing is told without
 * its cause, and nothing is forgotten. Whether it really goes out is decided when it is sent (server/messages).
 */

export interface Step {
  before: TaskView
  after: TaskView
  happened: Happened | undefined
}

/** A window that is changed again soon is told once. */
const settleMs = 2 * 60_000

/** Notes the messages that changes of tasks cause. Costs nothing while no cause is turned on. */
export async function noteMessages(
  context: Context,
  db: Db,
  organisation: Organisation,
  steps: readonly Step[],
  now: Date,
) {
  const settings = settingsOf(organisation)
  const caused = steps.flatMap((step) =>
    causesOf(step)
      .filter((cause) => settings[causes[cause].setting] && step.after.send_notifications && isTeller(step.after))
      .map((cause): Caused => ({ task: step.after, cause, at: step.happened?.at ?? now, ...occasionOf(cause, step) })),
  )
  const news = await leaveOutKnownWindows(db, organisation.id, caused)
  await noteCaused(context, db, organisation, news, now)
}

/** Whether this row of a task that organisations share is the one whose customer is told. */
const isTeller = ({ owner_id, fulfiller_id, messages_by }: TaskView) =>
  tellsCustomer({ ownerId: owner_id, fulfillerId: fulfiller_id, messagesBy: messages_by })

export interface Caused {
  task: TaskView
  cause: Cause
  at: Date
  occasion?: number
  facts?: Facts
  stopsBefore?: number
}

/** Writes down messages whose cause is certain. */
export async function noteCaused(
  { messages }: Pick<Context, 'messages'>,
  db: Db,
  organisation: Organisation,
  caused: readonly Caused[],
  now: Date,
) {
  if (caused.length === 0) return
  const own = await listOwnTexts(db, organisation.id)
  const settings = settingsOf(organisation)
  const language = languageOf(settings.messageLanguage, organisation.country)
  const reasons = await Promise.all(caused.map(({ task }) => reasonOf(db, organisation.id, task, language, now)))
  const rows = caused.map((one, index): NewMessage => {
    const { task, cause, at, occasion = 0, facts = {} } = one
    const first = settings.messageFirstChannel as ChannelName
    const { channel, recipient } = chooseRecipient(task.customer, first, messages.available)
    const written = own.find((text) => text.cause === cause && text.language === language)
    const text = textOf(cause, language, task.pickup_task, written)
    const values = valuesOf(organisation, task, {
      now,
      language,
      stopsBefore: one.stopsBefore,
      reason: reasons[index] ?? '',
    })
    const told = channel === 'email' ? `${text.subject} ${text.body}` : text.body
    const isTimeTold = tellsTime(told, { eta: arrivalOf(task) !== null, window: values.window !== '' })
    return {
      task_id: task.id,
      cause,
      occasion,
      channel,
      recipient,
      language,
      facts: { ...facts, ...(isTimeTold && { tellsTime: true }) },
      subject: channel === 'email' ? fillText(text.subject, values, channel) : '',
      body: fillText(text.body, values, channel),
      state: 'waiting',
      due_at: cause === 'windowChanged' ? new Date(now.getTime() + settleMs) : now,
      expires_at: expiryOf(cause, at),
      occurred_at: at,
      created_at: now,
    }
  })
  await insertMessages(db, organisation.id, rows)
}

interface Written {
  subject: string | null
  body: string
}

/** The organisation's own text, whatever the task is, or the one that comes with Waybill. */
export function textOf(cause: Cause, language: Language, isPickup: boolean, own: Written | undefined): MessageText {
  const { standardTexts, pickupTexts } = serverTexts[language]
  const standard = (isPickup ? pickupTexts : standardTexts)[cause]
  return { subject: own?.subject ?? standard.subject, body: own?.body ?? standard.body }
}

/** Why a task failed, from the organisation's list. What a driver wrote about it is for the office. */
export async function reasonOf(db: Db, organisationId: number, task: TaskView, language: Language, now: Date) {
  const { cancel_reason_code: code, completed_at } = task
  const reason = code ? await findReason(db, organisationId, code, completed_at ?? now) : undefined
  return reason?.labels[language] ?? reason?.label ?? ''
}

interface Situation {
  now: Date
  language: Language
  reason: string
  stopsBefore?: number | undefined
}

/** What stands in the places of a text. The link is filled in when the message is sent: only then is our address known. */
export function valuesOf(
  organisation: Organisation,
  task: TaskView,
  { now, language, stopsBefore, reason }: Situation,
): Values {
  const here = { now, timezone: organisation.timezone, language }
  return {
    company: organisation.name,
    customer: task.customer?.name ?? '',
    awb: task.awb,
    driver: firstNameOf(task.driver?.name ?? task.fulfiller_driver ?? ''),
    eta: describeArrival(arrivalOf(task), here),
    window: describeWindow(task.complete_after, task.complete_before, here),
    stops: stopsBefore === undefined ? '' : String(stopsBefore),
    reason: reason && !/[.!?]$/.test(reason) ? `${reason}.` : reason,
    link: linkToCome,
  }
}

/** What customers could be told of a change. */
export function causesOf({ before, after }: Step): Cause[] {
  const found: Cause[] = []
  const becomes = (status: number) => before.status_id !== status && after.status_id === status
  if (after.deleted_at) return found
  if (becomes(InTransit)) found.push('onItsWay')
  if (after.status_id === InTransit && hasArrived(after) && !hasArrived(before)) found.push('arrived')
  if (becomes(Succeeded)) found.push('delivered')
  if (becomes(Failed)) found.push('failed')
  const isStillOpen = isOpen({ statusId: after.status_id })
  // The first window of a task is not a change of one, and none is not news.
  if (isStillOpen && windowOf(before) !== '/' && windowOf(after) !== '/' && windowOf(before) !== windowOf(after))
    found.push('windowChanged')
  return found
}

const windowOf = ({ complete_after, complete_before }: TaskView) => windowKey(complete_after, complete_before)

/** A window can change again; everything else happens to a task once. */
const occasionOf = (cause: Cause, { before, after }: Step) =>
  cause === 'windowChanged'
    ? { occasion: after.last_sequence, facts: { known: windowOf(before), window: windowOf(after) } }
    : {}

async function leaveOutKnownWindows(db: Db, organisationId: number, caused: Caused[]): Promise<Caused[]> {
  const changed = caused.filter(({ cause }) => cause === 'windowChanged')
  if (changed.length === 0) return caused
  const ids = changed.map(({ task }) => task.id)
  const told = Map.groupBy(await listToldWindows(db, organisationId, ids), ({ task_id }) => task_id)
  return caused.flatMap((one) => {
    if (one.cause !== 'windowChanged') return [one]
    const { known: before = '', window: after = '' } = one.facts ?? {}
    const { known, isNews } = isNewWindow(told.get(one.task.id) ?? [], before, after)
    return isNews ? [{ ...one, facts: { known, window: after } }] : []
  })
}
