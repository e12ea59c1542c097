import type { Ended } from '../../core/stop-time.ts'
import { Succeeded } from '../../core/task-status.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { columnList, type Row, table, unnest } from '../db/table.ts'
import type { Organisation } from '../organisations/queries.ts'

export const driverDays = table('driver_days', {
  organisation_id: 'bigint',
  driver_id: 'bigint',
  day: 'text',
  stops: 'integer',
  stop_seconds: 'integer',
  driven_metres: 'integer?',
})

export const countedDays = table('counted_days', {
  organisation_id: 'bigint',
  claimed_at: 'timestamptz',
  last_day: 'text?',
})

export type DriverDayRow = Omit<Row<typeof driverDays>, 'organisation_id' | 'day'>

const leaseMinutes = 30

export interface Claim {
  organisation: Organisation
  /** Names the claim. */
  claimed_at: Date
  last_day: string | null
  /** By the organisation's clock. */
  yesterday: string
  /** The first day on which something ended, of those a report can span. */
  first_day: string
}

/** Takes an organisation with days that are over and were not counted, if there is one. An hour after midnight most phones have sent theirs. */
export const claimDays = (db: Db, mostDays: number) =>
  db.find<Claim>(sql`
    with due as (
      select o.id, d.yesterday
      from organisations o
      cross join lateral (select ((now() - interval '1 hour') at time zone o.timezone)::date - 1 as yesterday) d
      left join counted_days c on c.organisation_id = o.id
      where (c.last_day is null or c.last_day < to_char(d.yesterday, 'YYYY-MM-DD'))
        and (c.claimed_at is null or c.claimed_at < now() - make_interval(mins => ${leaseMinutes}))
        and exists (select from tasks t where t.organisation_id = o.id and t.deleted_at is null and t.completed_at is not null)
      order by c.last_day nulls first, o.id
      limit 1
    ), claimed as (
      insert into counted_days as c (organisation_id, claimed_at)
      select id, date_trunc('milliseconds', now()) from due
      on conflict (organisation_id) do update set claimed_at = excluded.claimed_at
      where c.claimed_at < now() - make_interval(mins => ${leaseMinutes})
      returning organisation_id, claimed_at, last_day
    )
    select row_to_json(o) as organisation, c.claimed_at, c.last_day, to_char(due.yesterday, 'YYYY-MM-DD') as yesterday,
      to_char(least(due.yesterday, greatest(due.yesterday - ${mostDays}::int, (
        select (min(t.completed_at) at time zone o.timezone)::date from tasks t
        where t.organisation_id = o.id and t.deleted_at is null and t.completed_at is not null))), 'YYYY-MM-DD') as first_day
    from claimed c
    join due on due.id = c.organisation_id
    join organisations o on o.id = c.organisation_id`)

interface Span {
  start: Date
  end: Date
}

/** What drivers ended on a day. Where nobody said that the driver came, a position may have. */
export const listEnded = (db: Db, organisationId: number, { start, end }: Span) =>
  db.many<Ended & { driver_id: number }>(sql`
    select t.user_id as driver_id, t.completed_at as "completedAt", a.lat, a.lng, a.precision, a.address, a.city,
      coalesce(t.arrived_at, (
        select min(p.arrived_at) from promises p
        where p.organisation_id = t.organisation_id and p.task_id = t.id and p.arrived_at < t.completed_at
      )) as "arrivedAt"
    from tasks t
    join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
    where t.organisation_id = ${organisationId} and t.deleted_at is null and t.status_id >= ${Succeeded}
      and t.completed_at between ${start} and ${end} and t.user_id is not null
    order by t.completed_at, t.id`)

/** Who reported positions on a day. */
export const listTracked = (db: Db, organisationId: number, { start, end }: Span) =>
  db.many<{ id: number }>(sql`
    select u.id from users u
    where u.organisation_id = ${organisationId} and u.is_driver and exists (
      select from locations l
      where l.organisation_id = ${organisationId} and l.driver_id = u.id and l.occurred_at between ${start} and ${end})
    order by u.id`)

const columns = ['driver_id', 'stops', 'stop_seconds', 'driven_metres'] as const

/** Replaces what was counted of a day, if the claim still holds, and says whether it did. Kilometres whose track is gone stay. */
export const saveDay = (db: Db, { organisation: { id }, claimed_at }: Claim, day: string, rows: DriverDayRow[]) =>
  db.transaction(async (db) => {
    const held = await db.find(sql`
      update counted_days set last_day = ${day}
      where organisation_id = ${id} and claimed_at = ${claimed_at}
      returning organisation_id`)
    if (!held) return false
    await db.run(sql`
      insert into driver_days as d (organisation_id, day, ${columnList(columns)})
      select ${id}, ${day}, * from ${unnest(driverDays, columns, rows)}
      on conflict (organisation_id, driver_id, day) do update
      set stops = excluded.stops, stop_seconds = excluded.stop_seconds,
        driven_metres = coalesce(excluded.driven_metres, d.driven_metres)`)
    return true
  })

export const endClaim = (db: Db, { organisation: { id }, claimed_at }: Claim) =>
  db.run(sql`
    update counted_days set claimed_at = '-infinity' where organisation_id = ${id} and claimed_at = ${claimed_at}`)
