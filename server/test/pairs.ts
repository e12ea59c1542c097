import type { Db } from '../db/db.ts'
import { raw, type Sql, sql } from '../db/sql.ts'

/*
 * What must always be true of tasks that organisations share, in the tables of all of them: for a connection that sees
 * everybody.
 */

/** The same on both sides, whoever changed it. */
const same = [
  'status_id',
  'accepted_at',
  'loaded_at',
  'started_at',
  'arrived_at',
  'completed_at',
  'driver_arrived',
  'cancel_reason',
  'cancel_reason_code',
  'details',
  'customer_notes',
  'total_price',
  'total_price_hundredths',
  'left_to_be_paid',
  'left_to_be_paid_hundredths',
  'collect_payment',
  'payment_type_id',
  'quantity',
  'complete_after',
  'complete_before',
  'instructions',
]

const differing = raw(
  `concat_ws(', ', ${same.map((name) => `case when o.${name} is distinct from f.${name} then '${name}' end`).join(', ')})`,
)

/**
 * The owner's row `o` and the fulfiller's row `f` of the same task, and what is wrong, of tasks from a number on. Moves are
 * counted once for all tasks, not for each of them: it is asked again and again, of tables that nobody has analyzed.
 */
export const findSplits = (since = 0): Sql => sql`
  with moves as materialized (
    select task_id, substring(remark from '^{"(delegated|undelegated)":') as what, 1 as told, 0 as seen
    from events where task_id >= ${since} and remark ~ '^{"(un)?delegated":'
    union all
    select f.owner_task_id, case e.trigger_id when 4 then 'delegated' else 'undelegated' end, 0, 1
    from tasks f
    join events e on e.organisation_id = f.organisation_id and e.task_id = f.id
      and (e.trigger_id = 6 or (e.trigger_id = 4 and e.sequence = 1))
    where f.owner_task_id >= ${since}
  ), unequal as materialized (
    select task_id, what, sum(told) as told, sum(seen) as seen
    from moves group by task_id, what having sum(told) <> sum(seen)
  )
  select 'a task that its owner does not know to be there' as wrong, f.organisation_id, f.id
  from tasks f
  left join tasks o on o.organisation_id = f.owner_id and o.id = f.owner_task_id and o.deleted_at is null
  where f.id >= ${since} and f.owner_id is not null and f.deleted_at is null
    and (o.id is null or (o.fulfiller_id, o.fulfiller_task_id) is distinct from (f.organisation_id, f.id))
  union all
  select 'a task with neither', o.organisation_id, o.id
  from tasks o
  left join tasks f on f.organisation_id = o.fulfiller_id and f.id = o.fulfiller_task_id and f.deleted_at is null
  where o.id >= ${since} and o.fulfiller_id is not null and o.deleted_at is null
    and (f.id is null or (f.owner_id, f.owner_task_id) is distinct from (o.organisation_id, o.id))
  union all
  select 'a task with both', o.organisation_id, o.id
  from tasks o
  where o.id >= ${since} and o.fulfiller_id is not null and o.deleted_at is null and o.user_id is not null
  union all
  select 'a task with several partners', min(f.owner_id), f.owner_task_id
  from tasks f
  where f.owner_task_id >= ${since} and f.owner_id is not null and f.deleted_at is null
  group by f.owner_task_id having count(*) > 1
  union all
  select 'not the same on both sides: ' || d.differing, o.organisation_id, o.id
  from tasks o
  join tasks f on f.organisation_id = o.fulfiller_id and f.id = o.fulfiller_task_id
  cross join lateral (select ${differing} as differing) d
  where o.id >= ${since} and o.deleted_at is null and o.erased_at is null and f.erased_at is null and d.differing <> ''
  union all
  select 'not the same money on both sides', o.organisation_id, o.id
  from tasks o
  where o.id >= ${since} and o.fulfiller_id is not null and o.deleted_at is null
    and (select coalesce(sum(amount::bigint * 100 + amount_hundredths), 0) from payments p
        where p.organisation_id = o.organisation_id and p.task_id = o.id)
      <> (select coalesce(sum(amount::bigint * 100 + amount_hundredths), 0) from payments p
        where p.organisation_id = o.fulfiller_id and p.task_id = o.fulfiller_task_id)
  union all
  select 'not the same address on both sides', o.organisation_id, o.id
  from tasks o
  join addresses a on a.organisation_id = o.organisation_id and a.task_id = o.id
  join addresses b on b.organisation_id = o.fulfiller_id and b.task_id = o.fulfiller_task_id
  where o.id >= ${since} and o.deleted_at is null and o.fulfiller_id is not null and o.erased_at is null
    and b.address <> '' and (a.address, a.lat, a.lng) is distinct from (b.address, b.lat, b.lng)
  union all
  select what || ' ' || told || ' times, and seen by a partner ' || seen || ' times', o.organisation_id, o.id
  from unequal
  join tasks o on o.id = unequal.task_id
  where what = 'delegated' or o.deleted_at is null
  union all
  select 'events of a task with gaps', t.organisation_id, t.id
  from tasks t
  left join lateral (
    select count(*) as count, min(sequence) as first, max(sequence) as last from events e
    where e.organisation_id = t.organisation_id and e.task_id = t.id
  ) e on true
  where t.id >= ${since} and (e.count <> t.last_sequence or e.first <> 1 or e.last <> t.last_sequence)
  union all
  select 'events of an organisation with gaps', c.organisation_id, c.last_event_id
  from event_counters c
  where c.last_event_id <> (select count(*) from events e where e.organisation_id = c.organisation_id)
    or c.last_event_id <> (select coalesce(max(id), 0) from events e where e.organisation_id = c.organisation_id)`

/** The same, however many tasks there are: without statistics PostgreSQL would compare each of them with all others. */
export const listSplits = (db: Db, since = 0) =>
  db.transaction(async (db) => {
    await db.run(sql`set local enable_nestloop = off`)
    return db.many(findSplits(since))
  })
