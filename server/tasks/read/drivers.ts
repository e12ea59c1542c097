import { InTransit } from '../../../core/task-status.ts'
import type { Db } from '../../db/db.ts'
import { keyList, raw, sql } from '../../db/sql.ts'
import type { DriverView } from '../tables.ts'
import { isOpen } from './conditions.ts'

/** 0 off duty, 1 on duty and free, 2 on duty with a task in transit. Computed, so that it is never out of date. */
export const driverStatus = raw(`
  case when not u.in_shift then 0
    when exists (
      select from tasks own
      where own.organisation_id = u.organisation_id and own.user_id = u.id
        and own.status_id = ${InTransit} and own.deleted_at is null) then 2
    else 1 end`)

export const isDriver = async (db: Db, organisationId: number, driverId: number) =>
  (await db.run(sql`
    select from users
    where organisation_id = ${organisationId} and id = ${driverId} and is_driver and deleted_at is null`)) > 0

/**
 * Locks drivers in id order, so that two sets of tasks are appended to a route one after the other; then reads where
 * their routes end, in a second statement, because only that one sees what another transaction appended.
 */
export async function lockDrivers(db: Db, organisationId: number, driverIds: number[]) {
  const locked = await db.many<{ id: number }>(sql`
    select id from users
    where organisation_id = ${organisationId} and id = any(${keyList(driverIds)}::bigint[]) and is_driver and deleted_at is null
    order by id
    for no key update`)
  return db.many<DriverView & { last_position: number; active: boolean }>(sql`
    select u.id, u.name, u.avatar, u.email, u.phone, u.in_shift, u.active, ${driverStatus} as status, false as is_erased,
      coalesce((
        select max(t.route_position) from tasks t
        where t.organisation_id = u.organisation_id and t.user_id = u.id and t.${isOpen}
          and t.deleted_at is null), 0) as last_position
    from unnest(${keyList(locked.map(({ id }) => id))}::bigint[]) as wanted (id)
    cross join lateral (
      select * from users where organisation_id = ${organisationId} and id = wanted.id limit 1
    ) u`)
}

export const lockDriver = async (db: Db, organisationId: number, driverId: number) =>
  (await lockDrivers(db, organisationId, [driverId]))[0]

/** Whether somebody drives here, or did and has left with cash of theirs on the books. */
export const hasBag = async (db: Db, organisationId: number, userId: number) =>
  (await db.find(sql`
    select id from users u
    where organisation_id = ${organisationId} and id = ${userId} and is_driver
      and (deleted_at is null or exists (
        select from cash_lines l where l.organisation_id = ${organisationId} and l.user_id = u.id))`)) !== undefined
