import type { Db } from '../db/db.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import { columnList, type Row, table } from '../db/table.ts'
import type { Organisation } from '../organisations/queries.ts'
import type { Located, Place } from '../outside/geocoders/geocoder.ts'
import { restOfPlace } from '../tasks/customers/queries.ts'
import { isOpen } from '../tasks/read/conditions.ts'
import type { AddressRow } from '../tasks/tables.ts'

export const geocodings = table('geocodings', {
  organisation_id: 'bigint',
  geocoder: 'text',
  address_hash: 'bytea',
  lat: 'double precision?',
  lng: 'double precision?',
  precision: 'text?',
  precision_detail: 'text?',
  expires_at: 'timestamptz',
})
export type GeocodingRow = Row<typeof geocodings>

export const geocoderTurns = table('geocoder_turns', {
  organisation_id: 'bigint',
  geocoder: 'text',
  next_at: 'timestamptz',
})

/** Whose addresses a lane looks up: those of organisations with a Google key of their own, or of all the others. */
export type Whose = 'with key' | 'without key'

const isOf = (whose: Whose) =>
  raw(`coalesce(o.settings ->> 'googleApiKey', '') ${whose === 'with key' ? '<>' : '='} ''`)

/** What waits to be looked up: where tasks are, and the own addresses of customers. */
export type Queue = 'addresses' | 'customers'

/** How a queue differs from the other. `a` is a row of it, `c` one that was claimed and `d` one about to be. */
const queues = {
  addresses: {
    table: raw('addresses'),
    id: raw('task_id'),
    hasNoPoint: raw('a.lat is null'),
    isReady: raw('true'),
    isNeeded: sql`(
      select ${isOpen} and deleted_at is null as is_open from tasks
      where organisation_id = d.organisation_id and id = d.id limit 1)`,
    place: raw('c.country, c.city, c.area, c.street_name, c.street_number, c.postal_code'),
  },
  customers: {
    table: raw('customers'),
    id: raw('id'),
    hasNoPoint: raw(`a.lat is null and btrim(a.address) <> ''`),
    // Where a task of theirs waits for the same text, they are placed with it (actions.ts).
    isReady: sql`not exists (
      select from tasks t
      join addresses s on s.organisation_id = t.organisation_id and s.task_id = t.id
      where t.organisation_id = a.organisation_id and t.customer_id = a.id and t.${isOpen} and t.deleted_at is null
        and s.geocode_at is not null and s.lat is null and lower(btrim(s.address)) = lower(btrim(a.address)))`,
    isNeeded: sql`(
      select exists (
        select from tasks
        where organisation_id = d.organisation_id and customer_id = d.id and ${isOpen} and deleted_at is null) as is_open)`,
    place: restOfPlace,
  },
} as const satisfies Record<Queue, Record<string, Sql>>

export type Claimed = Place &
  Pick<AddressRow, 'organisation_id' | 'geocode_at' | 'geocode_attempts' | 'geocode_problem'> & {
    /** Of the task, or of the customer. */
    id: number
    organisation: Organisation
  }

/**
 * Takes what is due of a queue, a few of each organisation before many of one. A claim moves `geocode_at` to the end of
 * its lease, so what a dead process had taken comes due by itself; it is also the token by which the claim is known, and
 * therefore whole milliseconds. What no open task needs is not looked up any more.
 */
export function claimDue(db: Db, queue: Queue, whose: Whose, limit: number, leaseSeconds: number) {
  const { table, id, hasNoPoint, isReady, isNeeded, place } = queues[queue]
  return db.many<Claimed>(sql`
    with recursive waiting as (
      (
        select a.organisation_id from ${table} a
        where a.geocode_at is not null and ${hasNoPoint}
        order by a.organisation_id
        limit 1
      )
      union all
      select next.organisation_id from waiting w cross join lateral (
        select a.organisation_id from ${table} a
        where a.organisation_id > w.organisation_id and a.geocode_at is not null and ${hasNoPoint}
        order by a.organisation_id
        limit 1
      ) next
    ), due as (
      select d.organisation_id, d.id, row_number() over (partition by d.organisation_id order by d.geocode_at) as turn
      from waiting w
      join organisations o on o.id = w.organisation_id and ${isOf(whose)}
      cross join lateral (
        select a.organisation_id, a.${id} as id, a.geocode_at from ${table} a
        where a.organisation_id = w.organisation_id and a.geocode_at <= now() and ${hasNoPoint} and ${isReady}
        order by a.geocode_at
        limit ${limit}
        for update skip locked
      ) d
    ), claimed as (
      update ${table} a
      set geocode_at = case when t.is_open
          then date_trunc('milliseconds', now()) + make_interval(secs => ${leaseSeconds}) end,
        geocode_attempts = case when t.is_open then a.geocode_attempts else 0 end
      from (select * from due order by turn, organisation_id limit ${limit}) d
      cross join lateral ${isNeeded} t
      where a.organisation_id = d.organisation_id and a.${id} = d.id
      returning a.*, t.is_open
    )
    select c.organisation_id, c.${id} as id, c.geocode_at, c.geocode_attempts, c.geocode_problem, c.address, ${place},
      row_to_json(o) as organisation
    from claimed c
    join organisations o on o.id = c.organisation_id
    where c.is_open
    order by c.${id}`)
}

/** What becomes of a claimed address that got no coordinates: how soon it is tried again, if ever, and what was wrong. */
export interface Result {
  claimed: Claimed
  waitSeconds: number | null
  attempts: number
  problem: string | null
}

/** Only where the claim still holds: an address changed in the meantime is looked up again. */
export function settleClaimed(db: Db, queue: Queue, results: Result[]) {
  const { table, id } = queues[queue]
  return db.run(sql`
    update ${table} a
    set geocode_at = now() + g.wait_seconds * interval '1 s', geocode_attempts = g.attempts, geocode_problem = g.problem
    from unnest(
      ${results.map(({ claimed }) => claimed.organisation_id)}::bigint[],
      ${results.map(({ claimed }) => claimed.id)}::bigint[],
      ${results.map(({ claimed }) => claimed.geocode_at)}::timestamptz[],
      ${results.map(({ waitSeconds }) => waitSeconds)}::float8[],
      ${results.map(({ attempts }) => attempts)}::int[],
      ${results.map(({ problem }) => problem)}::text[]
    ) as g (organisation_id, id, claimed_at, wait_seconds, attempts, problem)
    where a.organisation_id = g.organisation_id and a.${id} = g.id
      and a.geocode_at = g.claimed_at and a.lat is null`)
}

const atOnce = 5_000

/**
 * The geocoder does not work at the moment, so nothing that is due needs to be tried: it counts as tried, and is tried
 * again after the first of these waits, the second … as often as it was. Of one organisation, if it is its own key that does
 * not work.
 */
export function postponeDue(
  db: Db,
  queue: Queue,
  whose: Whose,
  organisationId: number | null,
  waits: number[],
  problem: string,
) {
  const { table, id, hasNoPoint } = queues[queue]
  return db.run(sql`
    with due as (
      select a.organisation_id, a.${id} as id
      from ${table} a
      join organisations o on o.id = a.organisation_id and ${isOf(whose)}
      where a.geocode_at <= now() and ${hasNoPoint}
        and (${organisationId}::bigint is null or a.organisation_id = ${organisationId})
      limit ${atOnce}
      for update of a skip locked
    )
    update ${table} a
    set geocode_at = now() + interval '1 s'
        * (${waits}::float8[])[least(a.geocode_attempts + 1, ${waits.length}::int)],
      geocode_attempts = a.geocode_attempts + 1,
      geocode_problem = ${problem}
    from due
    where a.organisation_id = due.organisation_id and a.${id} = due.id`)
}

/** What this geocoder answered before, if that is not too long ago. */
export const findGeocoding = (db: Db, organisationId: number, geocoder: string, hash: Buffer) =>
  db.find<GeocodingRow>(sql`
    select * from geocodings
    where organisation_id = ${organisationId} and geocoder = ${geocoder} and address_hash = ${hash} and expires_at > now()`)

/** A found place is remembered for a month, which is what Google allows; that there is none, for a day. */
export const keepGeocoding = (
  db: Db,
  organisationId: number,
  geocoder: string,
  hash: Buffer,
  found: Located | undefined,
) =>
  db.run(sql`
    insert into geocodings (organisation_id, geocoder, address_hash, lat, lng, precision, precision_detail, expires_at)
    values (${organisationId}, ${geocoder}, ${hash}, ${found?.lat}, ${found?.lng}, ${found?.precision}, ${found?.detail},
      now() + make_interval(days => ${found ? 30 : 1}))
    on conflict (organisation_id, geocoder, address_hash) do update set
      lat = excluded.lat, lng = excluded.lng, precision = excluded.precision,
      precision_detail = excluded.precision_detail, expires_at = excluded.expires_at`)

export const forgetGeocodings = (db: Db, limit: number) =>
  db.run(sql`
    delete from geocodings
    where (organisation_id, geocoder, address_hash) in (
      select ${columnList(['organisation_id', 'geocoder', 'address_hash'])} from geocodings
      where expires_at <= now()
      limit ${limit})`)

/** Takes the next turn at a geocoder, and says how long to wait for it. All processes share the turns. */
export const takeTurn = async (db: Db, organisationId: number, geocoder: string, everyMs: number) =>
  (
    await db.get<{ wait_ms: number }>(sql`
      insert into geocoder_turns as t (organisation_id, geocoder, next_at)
      values (${organisationId}, ${geocoder}, now() + make_interval(secs => ${everyMs / 1_000}))
      on conflict (organisation_id, geocoder) do update
        set next_at = greatest(t.next_at, now()) + make_interval(secs => ${everyMs / 1_000})
      returning extract(epoch from t.next_at - now())::float8 * 1000 - ${everyMs}::float8 as wait_ms`)
  ).wait_ms
