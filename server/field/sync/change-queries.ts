import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type Known, type Row, table } from '../../db/table.ts'
import { type Day, endedOn, isEnded, isOpen } from '../../tasks/read/conditions.ts'
import type { PaymentRow, TaskView } from '../../tasks/tables.ts'
import type { Told } from './arrivals.ts'

/* What changed for a driver, and what a phone has been told of it. */

/** Where the log ends. */
export const findLastEvent = (db: Db, organisationId: number) =>
  db.find<{ id: number; recorded_at: Date }>(sql`
    select id, recorded_at from events where organisation_id = ${organisationId} order by id desc limit 1`)

export const findEvent = (db: Db, organisationId: number, id: number) =>
  db.find<{ id: number; recorded_at: Date }>(sql`
    select id, recorded_at from events where organisation_id = ${organisationId} and id = ${id}`)

/** For which drivers which tasks looked different after one event than after another, and which device already knows it. */
const changedTasks = (organisationId: number, afterId: number, lastId: number) => sql`
  with happened as (
    select task_id, user_id, synced_by from events
    where organisation_id = ${organisationId} and id > ${afterId} and id <= ${lastId}
  ), changed as (
    select user_id, task_id, synced_by from happened where user_id is not null
    union
    -- A task shows the state of those it depends on.
    select t.user_id, x.task_id, h.synced_by from happened h
    join dependencies x on x.organisation_id = ${organisationId} and x.depends_on_id = h.task_id
    join tasks t on t.organisation_id = ${organisationId} and t.id = x.task_id
    where t.user_id is not null
  )`

/** Drivers about whose work the office decided: the event of the decision is about whoever has the task now. */
const decidedFor = (organisationId: number, afterId: number, lastId: number) => sql`
  select user_id from conflicts
  where organisation_id = ${organisationId} and settled_after_event_id >= ${afterId}
    and settled_after_event_id < ${lastId}`

/** Those of one driver, up to a limit. */
export const listChangedTasks = (
  db: Db,
  organisationId: number,
  driverId: number,
  afterId: number,
  lastId: number,
  limit: number,
) =>
  db.many<{ task_id: number }>(sql`
    ${changedTasks(organisationId, afterId, lastId)}
    select distinct task_id from changed where user_id = ${driverId} limit ${limit}`)

/** The drivers for whom something changed, each with the device that synced it and so already knows it. */
export const listConcernedDrivers = (db: Db, organisationId: number, afterId: number, lastId: number) =>
  db.many<{ user_id: number; synced_by: number | null }>(sql`
    ${changedTasks(organisationId, afterId, lastId)}
    select user_id, synced_by from changed
    union
    select user_id, null from (${decidedFor(organisationId, afterId, lastId)}) as decided`)

/** Those of these tasks that were erased, if the driver ever had them: others do not exist for them. */
export const listErasedOf = async (db: Db, organisationId: number, driverId: number, taskIds: readonly number[]) =>
  (
    await db.many<{ id: number }>(sql`
      select id from tasks t
      where organisation_id = ${organisationId} and id = any(${taskIds}::bigint[]) and erased_at is not null
        and exists (
          select from events
          where organisation_id = ${organisationId} and task_id = t.id and user_id = ${driverId})`)
  ).map(({ id }) => id)

type RouteTask = { is_open: boolean } & Pick<
  TaskView,
  'id' | 'user_id' | 'status_id' | 'driver_arrived' | 'arrived_at' | 'eta_at' | 'route'
>

/** What a driver has to know: open tasks in the order of the route, and what ended today. */
export const listTasksOfToday = (db: Db, organisationId: number, driverId: number, today: Day) =>
  db.many<RouteTask>(sql`
    select t.id, t.${isOpen} as is_open, t.user_id, t.status_id, t.driver_arrived, t.arrived_at, t.eta_at, t.route
    from tasks t
    where t.organisation_id = ${organisationId} and t.user_id = ${driverId} and t.deleted_at is null
      and (t.${isOpen} or (${endedOn(today)} and t.erased_at is null))
    order by t.${isEnded}, t.route_position, t.id`)

/** What this driver was paid for these tasks, oldest first. */
export const listOwnPayments = (db: Db, organisationId: number, driverId: number, taskIds: number[], limit: number) =>
  db.many<OwnPaymentRow>(sql`
    select p.task_id, p.amount, p.amount_hundredths, p.method, p.occurred_at from payments p
    where p.organisation_id = ${organisationId} and p.task_id = any(${taskIds}::bigint[]) and p.user_id = ${driverId}
      and p.method in ('cash', 'card')
    order by p.id
    limit ${limit}`)
export type OwnPaymentRow = Known<
  Pick<PaymentRow, 'task_id' | 'amount' | 'amount_hundredths' | 'method' | 'occurred_at'>,
  { method: 'cash' | 'card' }
>

const toldArrivals = table('told_arrivals', {
  organisation_id: 'bigint',
  device_id: 'bigint',
  number: 'bigint',
  arrivals: 'jsonb',
})
type ToldRow = Known<Row<typeof toldArrivals>, { arrivals: Told }>

/** What a device was given of its arrivals. */
export const findTold = (db: Db, organisationId: number, deviceId: number) =>
  db.find<Pick<ToldRow, 'number' | 'arrivals'>>(sql`
    select number, arrivals from told_arrivals
    where organisation_id = ${organisationId} and device_id = ${deviceId}`)

/** 0 if something else was written in the meantime, or the device was signed out. */
export const saveTold = (
  db: Db,
  organisationId: number,
  deviceId: number,
  { number, arrivals }: Pick<ToldRow, 'number' | 'arrivals'>,
) =>
  db.run(sql`
    insert into told_arrivals as told (organisation_id, device_id, number, arrivals)
    select organisation_id, id, ${number}, ${JSON.stringify(arrivals)}::jsonb from driver_tokens
    where organisation_id = ${organisationId} and id = ${deviceId}
    on conflict (organisation_id, device_id) do update
    set number = excluded.number, arrivals = excluded.arrivals
    where told.number = excluded.number - 1`)
