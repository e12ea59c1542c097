import { type ErrorDetail, Refusal, unknownInBody } from '../../contract/errors.ts'
import { refusalOf } from '../../contract/read/refusal.ts'
import type { BulkWebhookInput, ReplayInput, TestResult, WebhookInput } from '../../contract/webhook.ts'
import { readTime } from '../../core/time.ts'
import { triggerName } from '../../core/triggers.ts'
import { tellChanges } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import {
  deleteWebhook as deleteRow,
  enableWebhook as enableRow,
  findWebhook,
  insertWebhooks,
  isEventOf,
  type ReplayRange,
  type ReplayState,
  replayEvents,
  rotateSecret as rotateRow,
  saveReceiver,
  type WebhookView,
} from './queries.ts'
import { send } from './sending/attempt.ts'
import { makeSecret } from './sign.ts'
import { verifyUrl } from './verify.ts'

export const createWebhook = async (context: Context, organisationId: number, { url, trigger }: WebhookInput) =>
  (await createWebhooks(context, organisationId, { url, triggers: [trigger] }))[0] as WebhookView

/** A webhook for each trigger, all or none. Calls the url first, outside any transaction; only one that answered is stored. */
export async function createWebhooks(
  context: Context,
  organisationId: number,
  { url, triggers }: BulkWebhookInput,
): Promise<WebhookView[]> {
  const verification = await verifyUrl(context.outside, context.config.webhooks.verify, url)
  return context.db.transaction(async (db) => {
    const receiver = await saveReceiver(db, organisationId, url, makeSecret())
    const wanted = [...new Set(triggers)].map((trigger_id) => ({ receiver_id: receiver.id, trigger_id, verification }))
    const created = await insertWebhooks(db, organisationId, wanted)
    const lines = created.map((webhook) => ({
      kind: 'webhook.created' as const,
      subjectId: webhook.id,
      changes: tellChanges(null, tellWebhook({ ...webhook, url: receiver.url })),
    }))
    await recordAudit(context, db, organisationId, lines)
    return created.map((webhook) => ({ ...webhook, url: receiver.url, secret: receiver.secret }))
  })
}

/** What the audit log keeps: of the url only the host, because there may be a secret in the rest. */
const tellWebhook = ({ url, trigger_id }: Pick<WebhookView, 'url' | 'trigger_id'>) => ({
  host: new URL(url).host,
  trigger: triggerName(trigger_id),
})

/** In a transaction, because that is repeated after a deadlock: the sender locks deliveries before their webhook. */
export const deleteWebhook = (context: Context, organisationId: number, webhookId: number) =>
  context.db.transaction(async (db) => {
    const webhook = await getWebhook({ db }, organisationId, webhookId)
    if ((await deleteRow(db, organisationId, webhookId)) === 0) throw new Refusal('WEBHOOK_NOT_FOUND')
    const changes = tellChanges(tellWebhook(webhook), null)
    await recordAudit(context, db, organisationId, [{ kind: 'webhook.deleted', subjectId: webhookId, changes }])
  })

export async function getWebhook(
  { db }: Pick<Context, 'db'>,
  organisationId: number,
  webhookId: number,
): Promise<WebhookView> {
  const webhook = await findWebhook(db, organisationId, webhookId)
  if (!webhook) throw new Refusal('WEBHOOK_NOT_FOUND')
  return webhook
}

export async function enableWebhook(context: Context, organisationId: number, webhookId: number): Promise<WebhookView> {
  const { is_enabled } = await getWebhook(context, organisationId, webhookId)
  await context.db.transaction(async (db) => {
    await enableRow(db, organisationId, webhookId)
    if (!is_enabled) await recordAudit(context, db, organisationId, [{ kind: 'webhook.enabled', subjectId: webhookId }])
  })
  return getWebhook(context, organisationId, webhookId)
}

const overlapHours = 24

/** A new secret for the url, and so for all webhooks that share it. */
export async function rotateSecret(context: Context, organisationId: number, webhookId: number): Promise<WebhookView> {
  const { receiver_id } = await getWebhook(context, organisationId, webhookId)
  await context.db.transaction(async (db) => {
    await rotateRow(db, organisationId, receiver_id, makeSecret(), overlapHours)
    const changes = tellChanges(null, { overlapHours })
    await recordAudit(context, db, organisationId, [{ kind: 'webhook.secretRotated', subjectId: webhookId, changes }])
  })
  return getWebhook(context, organisationId, webhookId)
}

/** Sends a message that is signed like any other but says that it is a test. Nothing is logged. */
export async function testWebhook(context: Context, organisationId: number, webhookId: number): Promise<TestResult> {
  const webhook = await getWebhook(context, organisationId, webhookId)
  const now = context.clock.now()
  const body = JSON.stringify({
    test: true,
    eventId: null,
    time: now.toISOString(),
    triggerId: webhook.trigger_id,
    triggerName: triggerName(webhook.trigger_id),
    companyId: organisationId,
    taskId: null,
    awb: null,
    userId: null,
    sequence: null,
    actionContext: { type: context.actor.type, id: context.actor.id },
    data: { task: null, user: null, previous: null },
  })
  const id = `test_${organisationId}_${webhookId}_${now.getTime()}`
  const { signal } = new AbortController()
  const sent = await send(
    context.outside,
    context.clock.now,
    { id, url: webhook.url, secrets: [webhook.secret], signal },
    body,
  )
  if (!sent) throw new Refusal('OVERLOADED', { message: 'The service is stopping', retryAfterSeconds: 2 })
  const { outcome, status, duration_ms, error, answer } = sent
  return { delivered: outcome === 'delivered', status, durationMs: duration_ms, error, answer }
}

/** Queues one event, or all of a range, to be sent again; returns how many were not queued already. */
export async function replayWebhook(
  context: Context,
  organisation: { id: number; timezone: string },
  webhookId: number,
  { eventId, ...input }: ReplayInput,
): Promise<number> {
  const webhook = await getEnabled(context, organisation.id, webhookId)
  if (eventId && !(await isEventOf(context.db, organisation.id, webhook.trigger_id, eventId)))
    throw unknownInBody('EVENT_NOT_FOUND', 'eventId')
  const range = eventId ? ({ state: 'all', eventId } as const) : readRange(input, organisation.timezone)
  return replayInParts(context, webhook, range)
}

/** This many at once take about a second: a hundred thousand in one statement would time out. */
const replayedAtOnce = 5_000

async function replayInParts(context: Context, webhook: WebhookView, range: ReplayRange): Promise<number> {
  let replayed = 0
  for (let afterId = 0; ; ) {
    const { seen, queued, last_id } = await replayEvents(context.db, webhook, range, afterId, replayedAtOnce)
    replayed += queued
    context.announceEvents()
    if (seen < replayedAtOnce || last_id === null) return replayed
    afterId = last_id
  }
}

function readRange({ from, to, state = 'dead' }: ReplayInput, timezone: string): ReplayRange {
  const problems: ErrorDetail[] = []
  const read = (field: 'from' | 'to', text: string | null | undefined) => {
    const time = text ? readTime(text, timezone) : undefined
    if (text && !time)
      problems.push({ field, code: 'INVALID_TIME', message: `${field} must look like 2026-11-15 09:30` })
    return time
  }
  const range = { from: read('from', from), to: read('to', to), state: state as ReplayState }
  if (problems.length > 0) throw refusalOf(problems)
  return range
}

async function getEnabled(context: Context, organisationId: number, webhookId: number): Promise<WebhookView> {
  const webhook = await getWebhook(context, organisationId, webhookId)
  if (!webhook.is_enabled) throw new Refusal('WEBHOOK_DISABLED')
  return webhook
}
