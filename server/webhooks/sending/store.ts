import { type Decision, isToBeDisabled } from '../../../core/retry.ts'
import { firstWindow } from '../../../core/sending-window.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { columnList, unnest } from '../../db/table.ts'
import { eventFacts } from '../../events/record.ts'
import { leaseMs } from '../../sending/claims.ts'
import type { Result, Store } from '../../sending/parts.ts'
import { type AttemptRow, attempts, type DeliveryRow, deliveries, disableWebhook } from '../queries.ts'
import type { Attempt } from './attempt.ts'
import type { ClaimedDelivery } from './delivery.ts'

/*
 * A token is compared with `is not distinct from`: with `=`, a plan made while nothing was claimed would use the
 * index of claimed deliveries instead of the key, and scan all of them for each.
 */

/** The engine's store on PostgreSQL. It reports whose webhooks it has disabled. */
export function createStore(
  db: Db,
  onDisabled: (organisationId: number) => void = () => {},
): Store<ClaimedDelivery, Attempt, Decision> {
  return {
    claim: (token, limit, windows, ours) => claimDeliveries(db, token, limit, windows, ours),
    complete: async (results) => (await completeDeliveries(db, results)).forEach(onDisabled),
    renew: async (claimed) => void (await renewClaims(db, claimed)),
    release: async (claimed) => void (await releaseClaims(db, claimed)),
  }
}

const leaseSeconds = leaseMs / 1000
const keyAndClaim = ['organisation_id', 'webhook_id', 'event_id', 'claim'] as const

/**
 * Takes deliveries that are due and are the first of their task for their url; the others wait for it.
 *
 * It jumps along the index from lane to lane instead of walking the queue, so that a hundred thousand deliveries to a
 * dead receiver cost as much as one. From each lane it takes what the window leaves free, counted in the table, so that
 * the window holds for all processes together. A claim moves `due_at` to the end of its lease: a dead worker's claims
 * come due automatically. Replays get half a window.
 *
 * A claim is not flushed to disk before it is used: one undone by a database crash is made again, and the result of the
 * first shows a token that no longer holds.
 */
const claimDeliveries = (
  db: Db,
  token: string,
  limit: number,
  windows: ReadonlyMap<number, number>,
  ours: readonly string[],
) =>
  db.many<ClaimedDelivery>(sql`
    with recursive hurry as (
      select set_config('synchronous_commit', 'off', true)
    ), lanes as (
      (select organisation_id, receiver_id, lane from deliveries order by organisation_id, receiver_id, lane limit 1)
      union all
      select next.* from lanes l cross join lateral (
        select d.organisation_id, d.receiver_id, d.lane from deliveries d
        where (d.organisation_id, d.receiver_id, d.lane) > (l.organisation_id, l.receiver_id, l.lane)
        order by d.organisation_id, d.receiver_id, d.lane
        limit 1
      ) next
    ), open as (
      select l.*, greatest(0, ceil(size / (1.0 + l.lane))::int - claimed) as free
      from lanes l
      cross join lateral (
        select coalesce((${Object.fromEntries(windows)}::jsonb ->> l.receiver_id::text)::int, ${firstWindow}) as size
      ) w
      cross join lateral (
        select count(*)::int as claimed from deliveries c
        where c.organisation_id = l.organisation_id and c.receiver_id = l.receiver_id and c.lane = l.lane
          and c.claim is not null and (c.due_at > now() or c.claim = any(${ours}::uuid[]))
      ) c
    ), head as (
      select h.* from open o cross join lateral (
        select d.ctid from deliveries d
        where d.organisation_id = o.organisation_id and d.receiver_id = o.receiver_id and d.lane = o.lane
          and d.due_at <= now() and (d.claim is null or d.claim <> all(${ours}::uuid[])) and not exists (
            select from deliveries earlier
            where earlier.organisation_id = d.organisation_id
              and earlier.receiver_id = d.receiver_id
              and earlier.task_id = d.task_id
              and (earlier.sequence, earlier.webhook_id) < (d.sequence, d.webhook_id)
            offset 0)
        order by d.due_at
        limit o.free
        for update skip locked
      ) h
      limit ${limit}
    ), claimed as (
      update deliveries d
      set claim = ${token}, due_at = now() + make_interval(secs => ${leaseSeconds})
      where d.ctid = any(array(select ctid from head))
      returning d.*
    )
    select c.*, c.receiver_id as "receiverId", row_to_json(f) as event, s.task, r.url,
      case when r.previous_secret_until > now() then array[r.secret, r.previous_secret] else array[r.secret] end as secrets
    from claimed c
    cross join hurry
    join events e on e.organisation_id = c.organisation_id and e.id = c.event_id
    join events s on s.organisation_id = c.organisation_id and s.id = e.snapshot_id
    cross join lateral (select ${columnList(eventFacts, 'e')}) f
    join receivers r on r.organisation_id = c.organisation_id and r.id = c.receiver_id`)

/** Locked rows are being finished right now. Waiting for them could deadlock, which costs a second. */
const renewClaims = (db: Db, claimed: ClaimedDelivery[]) =>
  db.run(sql`
    with held as (
      select d.ctid from deliveries d
      join ${unnest(deliveries, keyAndClaim, claimed)} using (organisation_id, webhook_id, event_id)
      where d.claim is not distinct from given.claim
      for update of d skip locked
    )
    update deliveries set due_at = now() + make_interval(secs => ${leaseSeconds})
    where ctid = any(array(select ctid from held))`)

const releaseClaims = (db: Db, claimed: ClaimedDelivery[]) =>
  db.run(sql`
    update deliveries d set claim = null, due_at = now()
    from ${unnest(deliveries, keyAndClaim, claimed)}
    where d.organisation_id = given.organisation_id and d.webhook_id = given.webhook_id
      and d.event_id = given.event_id and d.claim is not distinct from given.claim`)

type Completed = Result<ClaimedDelivery, Attempt, Decision>

/** Writes a whole batch of results, then disables webhooks that are gone or have failed for too long. Returns their organisations. */
async function completeDeliveries(db: Db, results: Completed[]): Promise<Set<number>> {
  const concerned = new Set<number>()
  for (const round of inRounds(results))
    await db.transaction(async (db) => {
      const disable = async (organisationId: number, webhookId: number, reason: string) => {
        await disableWebhook(db, organisationId, webhookId, reason)
        concerned.add(organisationId)
      }
      const owned = new Set((await saveResults(db, round)).map(keyOf))
      const valid = round.filter(({ delivery }) => owned.has(keyOf(delivery)))
      for (const { delivery, decision } of valid)
        if (decision.kind === 'disable') await disable(delivery.organisation_id, delivery.webhook_id, decision.reason)
      for (const { organisation_id, id, consecutive_failures, failing_for_ms } of await countFailures(db, valid))
        if (isToBeDisabled(consecutive_failures, failing_for_ms))
          await disable(organisation_id, id, `${consecutive_failures} attempts in a row failed`)
    })
  return concerned
}

type DeliveryKey = Pick<DeliveryRow, 'organisation_id' | 'webhook_id' | 'event_id'>
const keyOf = ({ organisation_id, webhook_id, event_id }: DeliveryKey) => `${organisation_id} ${webhook_id} ${event_id}`

/** A worker can lose a claim and take it again; the two results are written one after the other. */
function inRounds(results: Completed[]): Completed[][] {
  const rounds: Map<string, Completed>[] = []
  for (const result of results) {
    const key = keyOf(result.delivery)
    const round = rounds.find((one) => !one.has(key))
    if (round) round.set(key, result)
    else rounds.push(new Map([[key, result]]))
  }
  return rounds.map((round) => [...round.values()])
}

const attemptColumns = Object.keys(attempts.columns) as (keyof AttemptRow)[]

/**
 * One statement for all kinds of results; returns those whose claim still held. Later deliveries of a task wait as long
 * as it does, so that claiming does not have to look at it; once it is done they become due.
 */
const saveResults = (db: Db, results: Completed[]) =>
  db.many<DeliveryKey>(sql`
    with given as (
      select *
      from ${unnest(
        attempts,
        attemptColumns,
        results.map(({ attempt, decision }) => ({ ...attempt.row, outcome: outcomeOf(decision) })),
      )}
      join unnest(
        ${results.map(({ delivery }) => delivery.organisation_id)}::bigint[],
        ${results.map(({ delivery }) => delivery.webhook_id)}::bigint[],
        ${results.map(({ delivery }) => delivery.event_id)}::bigint[],
        ${results.map(({ delivery }) => delivery.claim)}::uuid[],
        ${results.map(({ decision }) => (decision.kind === 'retry' ? decision.afterMs : null))}::float8[],
        ${results.map(({ decision }) => ('reason' in decision ? decision.reason : null))}::text[]
      ) as decided (organisation_id, webhook_id, event_id, claim, retry_after_ms, reason)
      using (organisation_id, webhook_id, event_id)
    ), owned as (
      select g.*, d.receiver_id, d.task_id, d.sequence, now() + g.retry_after_ms * interval '1 ms' as retry_at
      from given g
      join deliveries d on d.organisation_id = g.organisation_id and d.webhook_id = g.webhook_id
        and d.event_id = g.event_id and d.claim is not distinct from g.claim
      order by d.organisation_id, d.webhook_id, d.event_id
      for update of d
    ), ended as (
      delete from deliveries d using owned o
      where d.organisation_id = o.organisation_id and d.webhook_id = o.webhook_id and d.event_id = o.event_id
        and o.retry_at is null
    ), postponed as (
      update deliveries d set claim = null, attempts = o.number, due_at = o.retry_at
      from owned o
      where d.organisation_id = o.organisation_id and d.webhook_id = o.webhook_id and d.event_id = o.event_id
        and o.retry_at is not null
    ), followers as (
      update deliveries d set due_at = coalesce(o.retry_at, now())
      from owned o
      where d.organisation_id = o.organisation_id and d.receiver_id = o.receiver_id and d.task_id = o.task_id
        and d.claim is null
        and (d.sequence, d.webhook_id) > (o.sequence, o.webhook_id)
        and case when o.retry_at is null then d.due_at > now() else d.due_at < o.retry_at end
    ), buried as (
      insert into dead_deliveries (organisation_id, webhook_id, event_id, attempts, reason, died_at)
      select organisation_id, webhook_id, event_id, number, reason, attempted_at from owned where reason is not null
      on conflict do nothing
    )
    insert into attempts (${columnList(attemptColumns)})
    select ${columnList(attemptColumns)} from owned
    returning organisation_id, webhook_id, event_id`)

const outcomeOf = ({ kind }: Completed['decision']) => (kind === 'disable' ? 'dead' : kind)

/** Counts failures in a row per webhook; a success resets the count. Returns those that are failing. */
function countFailures(db: Db, results: Completed[]) {
  const counts = new Map<
    string,
    { organisation_id: number; webhook_id: number; failures: number; hasSuccess: boolean }
  >()
  for (const { delivery, attempt } of results) {
    const { organisation_id, webhook_id } = delivery
    const key = `${organisation_id} ${webhook_id}`
    const count = counts.get(key) ?? { organisation_id, webhook_id, failures: 0, hasSuccess: false }
    if (attempt.outcome === 'delivered') counts.set(key, { ...count, failures: 0, hasSuccess: true })
    else counts.set(key, { ...count, failures: count.failures + 1 })
  }
  if (counts.size === 0) return []
  const given = [...counts.values()].sort((one, other) => one.webhook_id - other.webhook_id)
  return db.many<{ organisation_id: number; id: number; consecutive_failures: number; failing_for_ms: number }>(sql`
    update webhooks w set
      consecutive_failures = case when g.has_success then g.failures else w.consecutive_failures + g.failures end,
      failing_since = case
        when g.failures = 0 then null
        when g.has_success then now()
        else coalesce(w.failing_since, now()) end
    from unnest(
      ${given.map(({ organisation_id }) => organisation_id)}::bigint[],
      ${given.map(({ webhook_id }) => webhook_id)}::bigint[],
      ${given.map(({ failures }) => failures)}::int[],
      ${given.map(({ hasSuccess }) => hasSuccess)}::boolean[]
    ) as g (organisation_id, webhook_id, failures, has_success)
    where w.organisation_id = g.organisation_id and w.id = g.webhook_id
      and (g.failures > 0 or w.consecutive_failures > 0)
    returning w.organisation_id, w.id, w.consecutive_failures,
      coalesce(extract(epoch from now() - w.failing_since) * 1000, 0)::float8 as failing_for_ms`)
}
