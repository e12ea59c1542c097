import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import { columnList, type Row, table, unnest } from '../db/table.ts'
import { eventFacts, type JsonEventFacts } from '../events/record.ts'
import { everything } from '../http/answers/cursor.ts'

export const receivers = table('receivers', {
  organisation_id: 'bigint',
  id: 'bigint',
  url: 'text',
  secret: 'text',
  created_at: 'timestamptz',
  previous_secret: 'text?',
  previous_secret_until: 'timestamptz?',
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
  consecutive_failures: 'integer',
  failing_since: 'timestamptz?',
  disabled_reason: 'text?',
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
  lane: 'smallint',
})
export type DeliveryRow = Row<typeof deliveries>

export const deadDeliveries = table('dead_deliveries', {
  organisation_id: 'bigint',
  webhook_id: 'bigint',
  event_id: 'bigint',
  attempts: 'integer',
  reason: 'text',
  died_at: 'timestamptz',
})

export const attempts = table('attempts', {
  organisation_id: 'bigint',
  webhook_id: 'bigint',
  event_id: 'bigint',
  number: 'integer',
  outcome: 'text',
  status: 'integer?',
  duration_ms: 'integer',
  error: 'text?',
  answer: 'text?',
  attempted_at: 'timestamptz',
})
export type AttemptRow = Row<typeof attempts>

/** The receiver of this url, with the given secret if it is new, otherwise with its own. */
export const saveReceiver = (db: Db, organisationId: number, url: string, secret: string) =>
  db.get<ReceiverRow>(sql`
    insert into receivers (organisation_id, url, secret)
    values (${organisationId}, ${url}, ${secret})
    on conflict (organisation_id, md5(url)) do update set url = excluded.url
    returning *`)

const newColumns = ['receiver_id', 'trigger_id', 'verification'] as const

/** In the given order. */
export const insertWebhooks = (
  db: Db,
  organisationId: number,
  given: Pick<WebhookRow, (typeof newColumns)[number]>[],
) =>
  db.many<WebhookRow>(sql`
    with inserted as (
      insert into webhooks (organisation_id, ${columnList(newColumns)})
      select ${organisationId}, given.* from ${unnest(webhooks, newColumns, given)}
      returning *
    )
    select * from inserted order by id`)

const selectWebhooks = sql`
  select w.*, r.url, r.secret
  from webhooks w
  join receivers r on r.organisation_id = w.organisation_id and r.id = w.receiver_id`

export const listWebhooks = (db: Db, organisationId: number, afterId = 0, limit = everything) =>
  db.many<WebhookView>(sql`
    ${selectWebhooks}
    where w.organisation_id = ${organisationId} and w.id > ${afterId} order by w.id limit ${limit}`)

export const findWebhook = (db: Db, organisationId: number, webhookId: number) =>
  db.find<WebhookView>(sql`${selectWebhooks} where w.organisation_id = ${organisationId} and w.id = ${webhookId}`)

/** Its pending deliveries go with it. */
export const deleteWebhook = (db: Db, organisationId: number, webhookId: number) =>
  db.run(sql`delete from webhooks where organisation_id = ${organisationId} and id = ${webhookId}`)

/** Disables a webhook; its pending deliveries become dead, but are kept. */
export const disableWebhook = (db: Db, organisationId: number, webhookId: number, reason: string) =>
  db.run(sql`
    with disabled as (
      update webhooks set is_enabled = false, disabled_reason = ${reason}, updated_at = now()
      where organisation_id = ${organisationId} and id = ${webhookId} and is_enabled
    ), ended as (
      delete from deliveries where organisation_id = ${organisationId} and webhook_id = ${webhookId}
      returning *
    )
    insert into dead_deliveries (organisation_id, webhook_id, event_id, attempts, reason, died_at)
    select organisation_id, webhook_id, event_id, attempts, ${reason}, now() from ended
    on conflict do nothing`)

export const enableWebhook = (db: Db, organisationId: number, webhookId: number) =>
  db.run(sql`
    update webhooks
    set is_enabled = true, disabled_reason = null, consecutive_failures = 0, failing_since = null, updated_at = now()
    where organisation_id = ${organisationId} and id = ${webhookId}`)

/** The old secret keeps signing for a while, next to the new one. */
export const rotateSecret = (
  db: Db,
  organisationId: number,
  receiverId: number,
  secret: string,
  overlapHours: number,
) =>
  db.run(sql`
    update receivers
    set previous_secret = secret, previous_secret_until = now() + make_interval(hours => ${overlapHours}),
      secret = ${secret}
    where organisation_id = ${organisationId} and id = ${receiverId}`)

export interface DeliveryView {
  event_id: number
  state: 'pending' | 'delivered' | 'dead'
  due_at: Date | null
  reason: string | null
  trigger_id: number
  task_id: number
  awb: string
  sequence: number
  occurred_at: Date
  attempts: (Omit<AttemptRow, 'attempted_at'> & { attempted_at: string })[]
}

export interface DeliveryFilter {
  eventId?: number | undefined
  state?: string | undefined
  trigger?: number | undefined
  awb?: string | undefined
}

/** Replays can add any number; the newest are shown. */
const mostAttempts = 50

/** Deliveries of a webhook in any state, newest first. Pending takes precedence over dead, and dead over delivered. */
export function listDeliveries(
  db: Db,
  organisationId: number,
  webhookId: number,
  filter: DeliveryFilter,
  beforeId: number,
  limit: number,
) {
  const own = sql`organisation_id = ${organisationId} and webhook_id = ${webhookId} and event_id < ${beforeId}`
  const conditions: Sql[] = [sql`true`]
  if (filter.eventId) conditions.push(sql`f.event_id = ${filter.eventId}`)
  if (filter.state) conditions.push(sql`f.state = ${filter.state}`)
  if (filter.trigger) conditions.push(sql`e.trigger_id = ${filter.trigger}`)
  if (filter.awb !== undefined) conditions.push(sql`e.awb = ${filter.awb}`)
  return db.many<DeliveryView>(sql`
    with found as (
      select event_id, 'pending' as state, due_at, null as reason, 1 as rank from deliveries where ${own}
      union all
      select event_id, 'dead', null, reason, 2 from dead_deliveries where ${own}
      union all
      select event_id, 'delivered', null, null, 3 from attempts where ${own} and outcome = 'delivered'
    )
    select f.event_id, f.state, f.due_at, f.reason, e.trigger_id, e.task_id, e.awb, e.sequence, e.occurred_at,
      coalesce((
        select json_agg(a order by a.attempted_at) from (
          select * from attempts
          where organisation_id = ${organisationId} and webhook_id = ${webhookId} and event_id = f.event_id
          order by attempted_at desc
          limit ${mostAttempts}
        ) a), '[]')
      as attempts
    from (select distinct on (event_id) * from found order by event_id desc, rank) f
    join events e on e.organisation_id = ${organisationId} and e.id = f.event_id
    where ${conditions.reduce((all, condition) => sql`${all} and ${condition}`)}
    order by f.event_id desc
    limit ${limit}`)
}

/** What is sent of an event: its facts, and the task as it was then. */
export const findSent = (db: Db, organisationId: number, eventId: number) =>
  db.find<{ event: JsonEventFacts; task: string }>(sql`
    select row_to_json(f) as event, s.task
    from events e
    join events s on s.organisation_id = e.organisation_id and s.id = e.snapshot_id
    cross join lateral (select ${columnList(eventFacts, 'e')}) f
    where e.organisation_id = ${organisationId} and e.id = ${eventId}`)

/** Which events to send again: dead ones, delivered ones, or all events of the trigger. */
const replayable = {
  dead: (organisationId: number, webhookId: number) => sql`
    select event_id from dead_deliveries where organisation_id = ${organisationId} and webhook_id = ${webhookId}`,
  delivered: (organisationId: number, webhookId: number) => sql`
    select event_id from attempts
    where organisation_id = ${organisationId} and webhook_id = ${webhookId} and outcome = 'delivered'`,
  all: (organisationId: number, webhookId: number) => sql`
    select e.id as event_id from events e
    join webhooks w on w.organisation_id = e.organisation_id and w.trigger_id = e.trigger_id
    where e.organisation_id = ${organisationId} and w.id = ${webhookId}`,
}
export type ReplayState = keyof typeof replayable

export interface ReplayRange {
  state: ReplayState
  from?: Date | undefined
  to?: Date | undefined
  eventId?: number | undefined
}

/**
 * Queues some events again, in a separate lane behind live ones; those after `afterId`, oldest first.
 * Pending ones stay as they are. Returns how many were examined and queued, and where the next part begins.
 */
export const replayEvents = (
  db: Db,
  { organisation_id: organisationId, id, receiver_id }: WebhookRow,
  range: ReplayRange,
  afterId: number,
  limit: number,
) =>
  db.get<{ seen: number; queued: number; last_id: number | null }>(sql`
    with wanted as (
      select e.id, e.task_id, e.sequence
      from (
        select distinct event_id from (${replayable[range.state](organisationId, id)}) chosen where event_id > ${afterId}
      ) chosen
      cross join lateral (
        select * from events where organisation_id = ${organisationId} and id = chosen.event_id limit 1
      ) e
      cross join lateral (
        select coalesce(${range.from ?? null}::timestamptz, '-infinity') as begins,
          coalesce(${range.to ?? null}::timestamptz, 'infinity') as ends
      ) period
      where (e.occurred_at between begins and ends or e.recorded_at between begins and ends)
        and (${range.eventId ?? null}::bigint is null or e.id = ${range.eventId ?? null}::bigint)
      order by e.id
      limit ${limit}
    ), revived as (
      delete from dead_deliveries
      where organisation_id = ${organisationId} and webhook_id = ${id} and event_id = any(array(select id from wanted))
    ), queued as (
      insert into deliveries (organisation_id, webhook_id, event_id, receiver_id, task_id, sequence, lane)
      select ${organisationId}, ${id}, wanted.id, ${receiver_id}, wanted.task_id, wanted.sequence, 1 from wanted
      on conflict do nothing
      returning 1
    )
    select count(*)::int as seen, max(id) as last_id, (select count(*)::int from queued) as queued from wanted`)

export const isEventOf = async (db: Db, organisationId: number, triggerId: number, eventId: number) =>
  (await db.run(sql`
    select from events
    where organisation_id = ${organisationId} and id = ${eventId} and trigger_id = ${triggerId}`)) > 0

/**
 * A safety net for the order: a delivery that was never tried and has none before it is due, whatever was assumed when
 * it was queued.
 */
export const bringForward = (db: Db) =>
  db.run(sql`
    update deliveries d set due_at = now()
    where d.attempts = 0 and d.claim is null and d.due_at > now() and not exists (
      select from deliveries earlier
      where earlier.organisation_id = d.organisation_id and earlier.receiver_id = d.receiver_id
        and earlier.task_id = d.task_id and (earlier.sequence, earlier.webhook_id) < (d.sequence, d.webhook_id))`)
