import { keptScanDays } from '../../contract/limits.ts'
import type { ScanPlace, ScanResult } from '../../core/loading.ts'
import type { StatusId } from '../../core/task-status.ts'
import type { Db } from '../db/db.ts'
import { type Sql, sql } from '../db/sql.ts'
import { columnList, type Known, type Row, table, unnest } from '../db/table.ts'
import { type Day, endedOn, isOpen } from '../tasks/read/conditions.ts'
import type { AddressRow, TaskRow } from '../tasks/tables.ts'

export const scans = table('scans', {
  organisation_id: 'bigint',
  id: 'bigint',
  code: 'text',
  at: 'text',
  result: 'text',
  task_id: 'bigint?',
  user_id: 'bigint?',
  day: 'text',
  actor_type: 'text',
  actor_id: 'bigint?',
  occurred_at: 'timestamptz',
  recorded_at: 'timestamptz',
})
export type ScanRow = Known<Row<typeof scans>, { at: ScanPlace; result: ScanResult }>

const newColumns = [
  'code',
  'at',
  'result',
  'task_id',
  'user_id',
  'day',
  'actor_type',
  'actor_id',
  'occurred_at',
  'recorded_at',
] as const
export type NewScan = Pick<ScanRow, (typeof newColumns)[number]>

/** Returns their ids, in the order given. */
export const insertScans = async (db: Db, organisationId: number, given: readonly NewScan[]) =>
  (
    await db.many<{ id: number }>(sql`
      insert into scans (organisation_id, ${columnList(newColumns)})
      select ${organisationId}, given.* from ${unnest(scans, newColumns, [...given])}
      returning id`)
  ).map(({ id }) => id)

/** What of a task a code is compared with, and what decides between several that have it. */
export type Labelled = Pick<
  TaskRow,
  | 'id'
  | 'awb'
  | 'uuid'
  | 'custom_fields'
  | 'chain_awbs'
  | 'earlier_awbs'
  | 'user_id'
  | 'status_id'
  | 'at_hub_at'
  | 'loaded_at'
>
const label = sql`t.id, t.awb, t.uuid, t.custom_fields, t.chain_awbs, t.earlier_awbs, t.user_id, t.status_id, t.at_hub_at, t.loaded_at`

/** Tasks with these AWBs or tokens, by their keys. */
export const listByName = (db: Db, organisationId: number, awbs: string[], tokens: string[]) =>
  db.many<Labelled>(sql`
    select ${label} from tasks t
    where t.organisation_id = ${organisationId} and t.deleted_at is null and t.awb = any(${awbs}::text[])
    union all
    select ${label} from tasks t
    where t.organisation_id = ${organisationId} and t.deleted_at is null and t.uuid = any(${tokens}::text[])`)

/**
 * Open tasks that have one of these codes, in capitals, anywhere: an AWB in other letters, a partner's, that of an earlier try, or a
 * custom field, alone or in a list. It reads all open tasks, so it is asked only for codes that are no AWB of an open task as they stand.
 */
export const listByLabel = (db: Db, organisationId: number, codes: string[]) =>
  db.many<Labelled>(sql`
    select ${label} from tasks t
    where t.organisation_id = ${organisationId} and t.${isOpen} and t.deleted_at is null and (
      upper(t.awb) = any(${codes}::text[])
      or t.chain_awbs is not null and exists (
        select from jsonb_array_elements_text(t.chain_awbs) as other (name) where upper(name) = any(${codes}::text[]))
      or t.earlier_awbs is not null and exists (
        select from jsonb_array_elements_text(t.earlier_awbs) as other (name) where upper(name) = any(${codes}::text[]))
      or t.custom_fields <> '[]' and exists (
        select from jsonb_path_query(t.custom_fields, 'lax $[*].value[*]') as value
        where upper(btrim(value #>> '{}')) = any(${codes}::text[])))
    limit 5000`)

/** Where these tasks were tried again or sent back, the last of them: the label on the parcel is still the old one. */
export const listLatestTries = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<{ first: number; id: number; status_id: StatusId }>(sql`
    with recursive tries (first, id, status_id, next) as (
      select t.id, t.id, t.status_id, coalesce(t.reattempted_as, t.returned_as) from tasks t
      where t.organisation_id = ${organisationId} and t.id = any(${taskIds}::bigint[])
      union all
      select tries.first, t.id, t.status_id, coalesce(t.reattempted_as, t.returned_as) from tries
      join tasks t on t.organisation_id = ${organisationId} and t.id = tries.next and t.deleted_at is null
    )
    select distinct on (first) first, id, status_id from tries order by first, id desc`)

/** Scans that may say the same: of these tasks, or of these codes in capitals that belong to none. */
export const listScansOf = (db: Db, organisationId: number, taskIds: number[], codes: string[], days: string[]) =>
  db.many<ScanRow>(sql`
    select * from scans
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[]) and day = any(${days}::text[])
    union all
    select * from scans
    where organisation_id = ${organisationId} and day = any(${days}::text[]) and task_id is null
      and upper(code) = any(${codes}::text[])
    order by id`)

export const countUnknown = async (db: Db, organisationId: number, day: string) =>
  (
    await db.get<{ count: number }>(sql`
      select count(*)::integer as count from scans
      where organisation_id = ${organisationId} and day = ${day} and task_id is null`)
  ).count

export const listDriverNames = (db: Db, organisationId: number, ids: number[]) =>
  db.many<{ id: number; name: string }>(sql`
    select id, name from users
    where organisation_id = ${organisationId} and id = any(${ids}::bigint[]) and is_driver and deleted_at is null`)

/** A parcel in the route of its driver. */
export type RouteRow = Pick<
  TaskRow,
  | 'id'
  | 'awb'
  | 'user_id'
  | 'status_id'
  | 'pickup_task'
  | 'complete_after'
  | 'complete_before'
  | 'completed_at'
  | 'route'
  | 'at_hub_at'
  | 'loaded_at'
> &
  Pick<AddressRow, 'address' | 'city' | 'lat' | 'lng' | 'precision'> & { driver_name: string }

const inRoutes = (organisationId: number, condition: Sql): Sql => sql`
  select t.id, t.awb, t.user_id, t.status_id, t.pickup_task, t.complete_after, t.complete_before, t.completed_at,
    t.route, t.at_hub_at, t.loaded_at, a.address, a.city, a.lat, a.lng, a.precision, u.name as driver_name
  from tasks t
  join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
  join users u on u.organisation_id = t.organisation_id and u.id = t.user_id
  where t.organisation_id = ${organisationId} and t.deleted_at is null and ${condition}
  order by t.user_id, t.route_position, t.id`

/** The open tasks of these drivers, in the order of their routes. */
export const listRoutes = (db: Db, organisationId: number, driverIds: number[]) =>
  db.many<RouteRow>(
    inRoutes(organisationId, sql`t.${isOpen} and t.user_id is not null and t.user_id = any(${driverIds}::bigint[])`),
  )

/** The same of everybody or of one driver, with what was loaded and has ended on this day. */
export const listLoads = (db: Db, organisationId: number, driverId: number | null, day: Day) =>
  db.many<RouteRow>(
    inRoutes(
      organisationId,
      sql`t.user_id is not null and (${driverId}::bigint is null or t.user_id = ${driverId})
        and (t.${isOpen} or (${endedOn(day)} and t.loaded_at is not null))`,
    ),
  )

/** Scans of a day that do not belong, the newest first. */
export const listForeign = (db: Db, organisationId: number, day: string, driverId: number | null, limit: number) =>
  db.many<ScanRow & { awb: string | null }>(sql`
    select s.*, t.awb from scans s
    left join tasks t on t.organisation_id = s.organisation_id and t.id = s.task_id
    where s.organisation_id = ${organisationId} and s.day = ${day} and s.result <> 'expected'
      and (${driverId}::bigint is null or s.user_id = ${driverId})
    order by s.id desc
    limit ${limit}`)

/** Forgets some of the scans that are too old. Returns how many. */
export const forgetScans = (db: Db, limit: number) =>
  db.run(sql`
    delete from scans where (organisation_id, id) in (
      select organisation_id, id from scans
      where recorded_at < now() - make_interval(days => ${keptScanDays})
      order by recorded_at
      limit ${limit})`)
