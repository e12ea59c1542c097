import type { LearnedHour, LearnedSpeed } from '../../../core/learned-speed.ts'
import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { columnList, type Known, type Row, table, unnest } from '../../db/table.ts'
import type { Organisation } from '../../organisations/queries.ts'

export const learnedSpeeds = table('learned_speeds', {
  organisation_id: 'bigint',
  transportation_id: 'smallint',
  hour: 'smallint',
  factor: 'real',
  count: 'integer',
})

export const speedLessons = table('speed_lessons', {
  organisation_id: 'bigint',
  claimed_at: 'timestamptz',
  learned_at: 'timestamptz?',
  seen: 'jsonb',
})

/** A car, also for who has nothing given. */
export const usualTransportation = 4

/** How much is known of one means of transport, enough or not. */
export type Seen = Omit<LearnedSpeed, 'hours'> & { transportationId: number }
type LessonRow = Known<Row<typeof speedLessons>, { seen: Seen[] }>

export interface Lesson {
  organisation: Organisation
  /** Names the claim. */
  claimed_at: Date
}

const pace = { hours: 20, leaseMinutes: 60 }

/** Takes an organisation with tracks of days before this one that nobody has looked at for most of a day, if there is one. */
export const claimLesson = (db: Db) =>
  db.find<Lesson>(sql`
    with due as (
      select o.id from organisations o
      left join speed_lessons s on s.organisation_id = o.id
      where (s.learned_at is null or s.learned_at < now() - make_interval(hours => ${pace.hours}))
        and (s.claimed_at is null or s.claimed_at < now() - make_interval(mins => ${pace.leaseMinutes}))
        and exists (
          select from locations l where l.organisation_id = o.id and l.occurred_at < now() - interval '1 day')
      order by s.learned_at nulls first, o.id
      limit 1
    ), claimed as (
      insert into speed_lessons as s (organisation_id, claimed_at)
      select id, date_trunc('milliseconds', now()) from due
      on conflict (organisation_id) do update set claimed_at = excluded.claimed_at
      where s.claimed_at < now() - make_interval(mins => ${pace.leaseMinutes})
      returning organisation_id, claimed_at
    )
    select row_to_json(o) as organisation, c.claimed_at
    from claimed c
    join organisations o on o.id = c.organisation_id`)

export interface DriverDay {
  driver_id: number
  transportation_id: number | null
  day: string
  from: Date
  to: Date
}

/**
 * Days that are over on which a driver reported positions, by the organisation's clock; of more than so many a sample, the same
 * each time, so that neither one driver nor the last week is all of it.
 */
export const listDriverDays = (db: Db, { id, timezone }: Organisation, days: number, most: number) =>
  db.many<DriverDay>(sql`
    select u.id as driver_id, u.transportation_id, d.day::date::text as day, d."from", d."to"
    from users u
    cross join lateral (
      select day, day at time zone ${timezone} as "from", (day + interval '1 day') at time zone ${timezone} as "to"
      from generate_series(
        date_trunc('day', now() at time zone ${timezone}) - make_interval(days => ${days}),
        date_trunc('day', now() at time zone ${timezone}) - interval '1 day',
        interval '1 day') day
    ) d
    where u.organisation_id = ${id} and u.is_driver and u.deleted_at is null
      and exists (
        select from locations l
        where l.organisation_id = ${id} and l.driver_id = u.id and l.occurred_at >= d."from" and l.occurred_at < d."to")
    order by md5(u.id || ' ' || d.day)
    limit ${most}`)

export interface SeenFix {
  at: Date
  lat: number
  lng: number
  accuracyMetres: number | null
}

/** Where a driver was on a day, one position in so many seconds: a phone may report every one. */
export const listFixes = (db: Db, organisationId: number, { driver_id, from, to }: DriverDay, seconds: number) =>
  db.many<SeenFix>(sql`
    select distinct on (slot) occurred_at as at, lat, lng, accuracy_metres as "accuracyMetres"
    from locations
    cross join lateral (select floor(extract(epoch from occurred_at) / ${seconds}::int) as slot) s
    where organisation_id = ${organisationId} and driver_id = ${driver_id}
      and occurred_at >= ${from} and occurred_at < ${to}
    order by slot, occurred_at`)

export type TaughtHour = LearnedHour & { transportationId: number }

/** Ends a lesson: what was learned replaces what was known. Says whether the claim still held; an erasure meanwhile ends it. */
export const saveLesson = (db: Db, organisationId: number, claimedAt: Date, seen: Seen[], hours: TaughtHour[]) =>
  db.transaction(async (db) => {
    const held = await db.find(sql`
      update speed_lessons set learned_at = now(), seen = ${JSON.stringify(seen)}
      where organisation_id = ${organisationId} and claimed_at = ${claimedAt}
      returning organisation_id`)
    if (!held) return false
    await db.run(sql`delete from learned_speeds where organisation_id = ${organisationId}`)
    const columns = ['transportation_id', 'hour', 'factor', 'count'] as const
    const rows = hours.map(({ transportationId, ...rest }) => ({ transportation_id: transportationId, ...rest }))
    await db.run(sql`
      insert into learned_speeds (organisation_id, ${columnList(columns)})
      select ${organisationId}, * from ${unnest(learnedSpeeds, columns, rows)}`)
    return true
  })

export const findLesson = (db: Db, organisationId: number) =>
  db.find<LessonRow>(sql`select * from speed_lessons where organisation_id = ${organisationId}`)

export const listLearnedHours = (db: Db, organisationId: number) =>
  db.many<Row<typeof learnedSpeeds>>(sql`
    select * from learned_speeds where organisation_id = ${organisationId} order by transportation_id, hour`)

/** The factors of all hours of the week, by means of transport. */
export const listFactors = async (db: Db, organisationId: number) =>
  new Map(
    (
      await db.many<{ transportation_id: number; factors: number[] }>(sql`
        select transportation_id, array_agg(factor order by hour) as factors
        from learned_speeds
        where organisation_id = ${organisationId}
        group by transportation_id`)
    ).map(({ transportation_id, factors }) => [transportation_id, factors]),
  )
