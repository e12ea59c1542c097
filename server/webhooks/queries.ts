import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { columnList, type JsonRow, type Row, table } from '../db/table.ts'
import { eventFacts, type events } from '../events/record.ts'

export const receivers = table('receivers', {
  organisation_id: 'bigint',
  id: 'bigint',
  url: 'text',
  secret: 'text',
  created_at: 'timestamptz',
})
export type ReceiverRow = Row<typeof receivers>

export const webhooks = table('webhooks', {
  organisation_id: 'bigint',
  id: 'bigint',
  receiver_id: 'bigint',
  trigger_id: 'smallint',
  verification: 'text',
  is_enabled: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
})
export type WebhookRow = Row<typeof webhooks>
export type WebhookView = WebhookRow & Pick<ReceiverRow, 'url' | 'secret'>

export const deliveries = table('deliveries', {
  organisation_id: 'bigint',
  webhook_id: 'bigint',
  event_id: 'bigint',
  receiver_id: 'bigint',
  task_id: 'bigint',
  sequence: 'integer',
  attempts: 'integer',
  due_at: 'timestamptz',
  claim: 'uuid?',
})
export type DeliveryRow = Row<typeof deliveries>

export const attempts = table('attempts', {
  organisation_id: 'bigint',
  webhook_id: 'bigint',
  event_id: 'bigint',
  number: 'integer',
  outcome: 'text',
  status: 'integer?',
  duration_ms: 'integer',
  error: 'text?',
  attempted_at: 'timestamptz',
})
export type AttemptRow = Row<typeof attempts>

/** The receiver of this url, with the secret given if it is new and its own if it is not. */
export const saveReceiver = (db: Db, organisationId: number, url: string, secret: string) =>
  db.get<ReceiverRow>(sql`
    insert into receivers (organisation_id, url, secret)
    values (${organisationId}, ${url}, ${secret})
    on conflict (organisation_id, url) do update set url = excluded.url
    returning *`)

export const insertWebhook = (
  db: Db,
  organisationId: number,
  { receiver_id, trigger_id, verification }: Pick<WebhookRow, 'receiver_id' | 'trigger_id' | 'verification'>,
) =>
  db.get<WebhookRow>(sql`
    insert into webhooks (organisation_id, receiver_id, trigger_id, verification)
    values (${organisationId}, ${receiver_id}, ${trigger_id}, ${verification})
    returning *`)

export const listWebhooks = (db: Db, organisationId: number) =>
  db.many<WebhookView>(sql`
    select w.*, r.url, r.secret
    from webhooks w
    join receivers r on r.organisation_id = w.organisation_id and r.id = w.receiver_id
    where w.organisation_id = ${organisationId}
    order by w.id`)

/** Its pending deliveries go with it. */
export const deleteWebhook = (db: Db, organisationId: number, webhookId: number) =>
  db.run(sql`delete from webhooks where organisation_id = ${organisationId} and id = ${webhookId}`)

/** A delivery in the hands of one worker, with all it needs to be sent. */
export type ClaimedDelivery = DeliveryRow & {
  event: Omit<JsonRow<typeof events>, 'task'>
  task: string
  url: string
  secret: string
}

/**
 * Takes deliveries that are due and are the first of their task for their url; the others wait for it. A claim moves
 * `due_at` to the end of the lease, so that a dead worker's claims come due by themselves, and carries a token that
 * every later write must show.
 */
export const claimDeliveries = (db: Db, claim: string, limit: number, leaseSeconds: number) =>
  db.many<ClaimedDelivery>(sql`
    with head as (
      select d.organisation_id, d.webhook_id, d.event_id
      from deliveries d
      where d.due_at <= now() and not exists (
        select from deliveries earlier
        where earlier.organisation_id = d.organisation_id
          and earlier.receiver_id = d.receiver_id
          and earlier.task_id = d.task_id
          and (earlier.sequence, earlier.webhook_id) < (d.sequence, d.webhook_id))
      order by d.due_at
      limit ${limit}
      for update skip locked
    ), claimed as (
      update deliveries d
      set claim = ${claim}, due_at = now() + make_interval(secs => ${leaseSeconds})
      from head
      where (d.organisation_id, d.webhook_id, d.event_id) = (head.organisation_id, head.webhook_id, head.event_id)
      returning d.*
    )
    select c.*, row_to_json(f) as event, s.task, r.url, r.secret
    from claimed c
    join events e on e.organisation_id = c.organisation_id and e.id = c.event_id
    join events s on s.organisation_id = c.organisation_id and s.id = e.snapshot_id
    cross join lateral (select ${columnList(eventFacts, 'e')}) f
    join receivers r on r.organisation_id = c.organisation_id and r.id = c.receiver_id`)

type Owned = Pick<DeliveryRow, 'organisation_id' | 'webhook_id' | 'event_id' | 'claim'>

const isOwned = ({ organisation_id, webhook_id, event_id, claim }: Owned) => sql`
  organisation_id = ${organisation_id} and webhook_id = ${webhook_id} and event_id = ${event_id} and claim = ${claim}`

const attemptValues = (attempt: AttemptRow) => sql`
  insert into attempts (
    organisation_id, webhook_id, event_id, number, outcome, status, duration_ms, error, attempted_at)
  select
    ${attempt.organisation_id}, ${attempt.webhook_id}, ${attempt.event_id}, ${attempt.number}, ${attempt.outcome},
    ${attempt.status}, ${attempt.duration_ms}, ${attempt.error}, ${attempt.attempted_at}
  from owned`

/** The delivery is done with, well or not. Nothing happens if the claim has passed to somebody else. */
export const endDelivery = (db: Db, delivery: Owned, attempt: AttemptRow) =>
  db.run(sql`
    with owned as (delete from deliveries where ${isOwned(delivery)} returning 1)
    ${attemptValues(attempt)}`)

export const postponeDelivery = (db: Db, delivery: Owned, attempt: AttemptRow, dueAt: Date) =>
  db.run(sql`
    with owned as (
      update deliveries set claim = null, attempts = ${attempt.number}, due_at = ${dueAt}
      where ${isOwned(delivery)}
      returning 1
    )
    ${attemptValues(attempt)}`)

/** The receiver wants no more: the webhook is switched off, and what was on its way to it is dead but not forgotten. */
export const disableWebhook = (db: Db, delivery: Owned, attempt: AttemptRow) =>
  db.run(sql`
    with owned as (
      select from deliveries where ${isOwned(delivery)} for update
    ), disabled as (
      update webhooks set is_enabled = false, updated_at = now()
      where organisation_id = ${delivery.organisation_id} and id = ${delivery.webhook_id} and exists (select from owned)
      returning organisation_id, id
    ), ended as (
      delete from deliveries d using disabled
      where d.organisation_id = disabled.organisation_id and d.webhook_id = disabled.id
      returning d.*
    )
    insert into attempts (
      organisation_id, webhook_id, event_id, number, outcome, status, duration_ms, error, attempted_at)
    select
      organisation_id, webhook_id, event_id, attempts + 1, 'dead',
      case when event_id = ${delivery.event_id} then ${attempt.status}::int end,
      ${attempt.duration_ms}, ${attempt.error}, ${attempt.attempted_at}
    from ended`)

/** Gives claims back unfinished, for the next worker to take at once. */
export const releaseClaims = (db: Db, claims: string[]) =>
  db.run(sql`update deliveries set claim = null, due_at = now() where claim = any(${claims}::uuid[])`)
