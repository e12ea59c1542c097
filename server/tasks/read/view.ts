import { shownOfATask } from '../../../contract/limits.ts'
import type { Db } from '../../db/db.ts'
import { keyList, raw, sql } from '../../db/sql.ts'
import type { TaskView } from '../tables.ts'
import { isOpen } from './conditions.ts'
import { driverStatus } from './drivers.ts'

const mostNotes = raw(String(shownOfATask.notes))

/**
 * A task `t` and the records related to it. Nearly every kind is a subquery of its own, which PostgreSQL plans alone, and
 * leaves out where the task has none: as twelve joins, one task took half as long again. `limit 1` makes it look each
 * record up by its key. Without it, on a new or fast growing database, the planner believes that every table is small
 * and reads the whole organisation: assigning 1,000 tasks took 9 s instead of 0.3 s.
 */
export const selectTask = sql`
  select t.*,
    (
      select row_to_json(a) from addresses a
      where a.organisation_id = t.organisation_id and a.task_id = t.id limit 1
    ) as address,
    case when t.customer_id is not null then (
      select row_to_json(c) from customers c
      where c.organisation_id = t.organisation_id and c.id = t.customer_id limit 1
    ) end as customer,
    case when t.team_id is not null then (
      select json_build_object('id', m.id, 'name', m.name) from teams m
      where m.organisation_id = t.organisation_id and m.id = t.team_id limit 1
    ) end as team,
    case when t.user_id is not null then (
      select row_to_json(d) from (
        select u.id, u.name, u.avatar, u.email, u.phone, u.in_shift, ${driverStatus} as status,
          u.erased_at is not null as is_erased from users u
        where u.organisation_id = t.organisation_id and u.id = t.user_id limit 1
      ) d
    ) end as driver,
    case when t.user_id is not null and t.${isOpen} then (
      select json_build_object('lat', l.lat, 'lng', l.lng) from driver_positions l
      where l.organisation_id = t.organisation_id and l.driver_id = t.user_id limit 1
    ) end as seen,
    coalesce((
      select json_agg(needed order by needed.task_id)
      from dependencies x
      cross join lateral (
        select id as task_id, awb, status_id from tasks
        where organisation_id = x.organisation_id and id = x.depends_on_id and deleted_at is null limit 1
      ) needed
      where x.organisation_id = t.organisation_id and x.task_id = t.id
    ), '[]') as dependencies,
    case when t.owner_id is not null or t.fulfiller_id is not null then (
      select json_object_agg(partner_id, company) from partners
      where organisation_id = t.organisation_id and partner_id in (t.owner_id, t.fulfiller_id)
    ) end as partners,
    case when coalesce(t.attempt_of, t.reattempted_as, t.return_of, t.returned_as) is not null then (
      select json_object_agg(other.id, json_build_object('awb', other.awb, 'status_id', other.status_id))
      from unnest(array[t.attempt_of, t.reattempted_as, t.return_of, t.returned_as]) as wanted (id)
      cross join lateral (
        select id, awb, status_id from tasks
        where organisation_id = t.organisation_id and id = wanted.id and deleted_at is null limit 1
      ) other
    ) end as tries,
    coalesce(n.list, '[]') as notes, n.left_out as notes_left_out`

/** The newest notes of a task `t`, and how many older ones there are. */
export const joinNotes = sql`
  cross join lateral (
    select json_agg(written order by written.id) as list,
      case when count(*) < ${mostNotes} then 0 else (
        select count(*)::int from notes
        where organisation_id = t.organisation_id and task_id = t.id) - ${mostNotes} end as left_out
    from (
      select w.*, row_to_json(author) as author
      from notes w
      cross join lateral (
        select id, name, avatar, is_driver from users
        where organisation_id = w.organisation_id and id = w.user_id limit 1
      ) author
      where w.organisation_id = t.organisation_id and w.task_id = t.id
      order by w.id desc
      limit ${mostNotes}
    ) written
  ) n`

/** What tasks can be found by. */
export type TaskKey = 'id' | 'awb'
const keyTypes = { id: raw('bigint[]'), awb: raw('text[]') }

/** Each task `t` that one of the keys finds, looked up by itself, with the `place` of its key. */
export const fromTasks = (organisationId: number, by: TaskKey, keys: readonly (number | string)[]) => sql`
  from unnest(${keyList(keys)}::${keyTypes[by]}) with ordinality as wanted (key, place)
  cross join lateral (
    select * from tasks
    where organisation_id = ${organisationId} and ${raw(by)} = wanted.key and deleted_at is null limit 1
  ) t`

/** The tasks with these ids and their related records, in the order of the given ids. */
export const viewTasks = (db: Db, organisationId: number, ids: readonly number[]) =>
  db.many<TaskView>(sql`
    ${selectTask} ${fromTasks(organisationId, 'id', ids)} ${joinNotes}
    order by wanted.place`)

export const findTask = (db: Db, organisationId: number, taskId: number) =>
  db.find<TaskView>(sql`
    ${selectTask} from tasks t ${joinNotes}
    where t.organisation_id = ${organisationId} and t.id = ${taskId} and t.deleted_at is null`)

/** The same, also if it was deleted. */
export const findEvenDeleted = (db: Db, organisationId: number, taskId: number) =>
  db.find<TaskView>(sql`
    ${selectTask} from tasks t ${joinNotes}
    where t.organisation_id = ${organisationId} and t.id = ${taskId}`)

export const findTaskByAwb = (db: Db, organisationId: number, awb: string) =>
  db.find<TaskView>(sql`
    ${selectTask} from tasks t ${joinNotes}
    where t.organisation_id = ${organisationId} and t.awb = ${awb} and t.deleted_at is null`)
