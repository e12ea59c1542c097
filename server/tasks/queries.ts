import { InTransit, Succeeded } from '../../core/task-status.ts'
import type { Db } from '../db/db.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import { columnList, unnest } from '../db/table.ts'
import { type EventFacts, eventFacts } from '../events/record.ts'
import {
  type AddressRow,
  addresses,
  type CustomerRow,
  customers,
  type DriverView,
  dependencies,
  notes,
  type TaskRow,
  type TaskView,
  tasks,
} from './tables.ts'

// ---- Reading ----

/** 0 off duty, 1 on duty and free, 2 on duty with a task in transit. Derived, so that it cannot be wrong. */
export const driverStatus = raw(`
  case when not u.in_shift then 0
    when exists (
      select from tasks own
      where own.organisation_id = u.organisation_id and own.user_id = u.id
        and own.status_id = ${InTransit} and own.deleted_at is null) then 2
    else 1 end`)

const view = sql`
  select t.*, row_to_json(a) as address, row_to_json(c) as customer, row_to_json(d) as driver,
    case when m.id is null then null else json_build_object('id', m.id, 'name', m.name) end as team,
    coalesce(n.list, '[]') as notes, coalesce(p.list, '[]') as dependencies`

const joins = sql`
  join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
  left join customers c on c.organisation_id = t.organisation_id and c.id = t.customer_id
  left join teams m on m.organisation_id = t.organisation_id and m.id = t.team_id
  left join lateral (
    select u.id, u.name, u.avatar, u.email, u.phone, u.in_shift, ${driverStatus} as status
    from users u
    where u.organisation_id = t.organisation_id and u.id = t.user_id
  ) d on true
  left join lateral (
    select json_agg(written order by written.id) as list
    from (
      select w.*, json_build_object('id', u.id, 'name', u.name, 'avatar', u.avatar) as author
      from notes w
      join users u on u.organisation_id = w.organisation_id and u.id = w.user_id
      where w.organisation_id = t.organisation_id and w.task_id = t.id
    ) written
  ) n on true
  left join lateral (
    select json_agg(json_build_object('task_id', o.id, 'awb', o.awb, 'status_id', o.status_id) order by o.id) as list
    from dependencies x
    join tasks o on o.organisation_id = x.organisation_id and o.id = x.depends_on_id
    where x.organisation_id = t.organisation_id and x.task_id = t.id
  ) p on true`

/** The tasks with these ids and all that belongs to them, in the order of the ids given. */
export const viewTasks = (db: Db, organisationId: number, ids: number[]) =>
  db.many<TaskView>(sql`
    ${view}
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
    join tasks t on t.organisation_id = ${organisationId} and t.id = wanted.id and t.deleted_at is null
    ${joins}
    order by wanted.place`)

export const findTask = (db: Db, organisationId: number, taskId: number) =>
  db.find<TaskView>(sql`
    ${view} from tasks t ${joins}
    where t.organisation_id = ${organisationId} and t.id = ${taskId} and t.deleted_at is null`)

export const findTaskByAwb = (db: Db, organisationId: number, awb: string) =>
  db.find<TaskView>(sql`
    ${view} from tasks t ${joins}
    where t.organisation_id = ${organisationId} and t.awb = ${awb} and t.deleted_at is null`)

export interface Filter {
  statusIds?: number[] | undefined
  userId?: number | undefined
  teamId?: number | undefined
  awb?: string | undefined
  text?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  updatedAfter?: Date | undefined
}

const filtered = (organisationId: number, filter: Filter): Sql => {
  const conditions = [sql`t.organisation_id = ${organisationId} and t.deleted_at is null`]
  if (filter.statusIds) conditions.push(sql`t.status_id = any(${filter.statusIds}::smallint[])`)
  if (filter.userId) conditions.push(sql`t.user_id = ${filter.userId}`)
  if (filter.teamId) conditions.push(sql`t.team_id = ${filter.teamId}`)
  if (filter.awb !== undefined) conditions.push(sql`t.awb = ${filter.awb}`)
  if (filter.from) conditions.push(sql`t.planned_at >= ${filter.from}`)
  if (filter.to) conditions.push(sql`t.planned_at <= ${filter.to}`)
  if (filter.updatedAfter) conditions.push(sql`t.updated_at > ${filter.updatedAfter}`)
  if (filter.text) {
    const pattern = `%${filter.text.replace(/[\\%_]/g, '\\$&')}%`
    conditions.push(sql`(t.awb ilike ${pattern} or t.details ilike ${pattern} or a.address ilike ${pattern}
      or c.name ilike ${pattern} or c.phone ilike ${pattern})`)
  }
  return conditions.reduce((all, condition) => sql`${all} and ${condition}`)
}

/** A page of tasks in the order of their ids, after the one given. */
export const listTasks = (db: Db, organisationId: number, filter: Filter, afterId: number, limit: number) =>
  db.many<TaskView>(sql`
    ${view} from tasks t ${joins}
    where ${filtered(organisationId, filter)} and t.id > ${afterId}
    order by t.id
    limit ${limit}`)

export interface RoutePlace {
  isDone: boolean
  position: number
  id: number
}

/** A page of a driver's tasks: open ones first, in the order of the route, then what is done. */
export const listRoute = (db: Db, organisationId: number, filter: Filter, after: RoutePlace, limit: number) =>
  db.many<TaskView>(sql`
    ${view} from tasks t ${joins}
    where ${filtered(organisationId, filter)}
      and (t.status_id >= ${Succeeded}, coalesce(t.route_position, 0), t.id) > (${after.isDone}, ${after.position}::int, ${after.id}::bigint)
    order by t.status_id >= ${Succeeded}, coalesce(t.route_position, 0), t.id
    limit ${limit}`)

export const listEvents = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<EventFacts>(sql`
    select ${columnList(eventFacts)} from events
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])
    order by task_id, sequence`)

// ---- Locking ----

/**
 * Locks the rows until the transaction ends, in id order, so that two changes queue up instead of racing. `no key`,
 * because what refers to a task (a note, a dependency) need not wait for whoever changes it.
 */
export const lockTasks = (db: Db, organisationId: number, ids: number[]) =>
  db.many<TaskView>(sql`
    ${view} from tasks t ${joins}
    where t.organisation_id = ${organisationId} and t.id = any(${ids}::bigint[]) and t.deleted_at is null
    order by t.id
    for no key update of t`)

export const lockTasksByAwb = (db: Db, organisationId: number, awbs: string[]) =>
  db.many<TaskView>(sql`
    ${view} from tasks t ${joins}
    where t.organisation_id = ${organisationId} and t.awb = any(${awbs}::text[]) and t.deleted_at is null
    order by t.id
    for no key update of t`)

export const lockOpenTasksOfDriver = (db: Db, organisationId: number, driverId: number) =>
  db.many<TaskView>(sql`
    ${view} from tasks t ${joins}
    where t.organisation_id = ${organisationId} and t.user_id = ${driverId} and t.status_id < ${Succeeded}
      and t.deleted_at is null
    order by t.id
    for no key update of t`)

export const lockOpenTasksOfTeam = (db: Db, organisationId: number, teamId: number) =>
  db.many<TaskView>(sql`
    ${view} from tasks t ${joins}
    where t.organisation_id = ${organisationId} and t.team_id = ${teamId} and t.status_id < ${Succeeded}
      and t.deleted_at is null
    order by t.id
    for no key update of t`)

export const isDriver = async (db: Db, organisationId: number, driverId: number) =>
  (await db.run(sql`
    select from users
    where organisation_id = ${organisationId} and id = ${driverId} and is_driver and deleted_at is null`)) > 0

/** Locks a driver, so that two sets of tasks are appended to the route one after the other. */
export const lockDriver = (db: Db, organisationId: number, driverId: number) =>
  db.find<DriverView & { last_position: number }>(sql`
    select u.id, u.name, u.avatar, u.email, u.phone, u.in_shift, ${driverStatus} as status,
      coalesce((
        select max(t.route_position) from tasks t
        where t.organisation_id = u.organisation_id and t.user_id = u.id and t.status_id < ${Succeeded}
          and t.deleted_at is null), 0) as last_position
    from users u
    where u.organisation_id = ${organisationId} and u.id = ${driverId} and u.is_driver and u.deleted_at is null
    for no key update of u`)

// ---- What others refer to ----

export const findTakenAwbs = async (db: Db, organisationId: number, awbs: string[]) =>
  (
    await db.many<{ awb: string }>(sql`
      select awb from tasks
      where organisation_id = ${organisationId} and awb = any(${awbs}::text[]) and deleted_at is null`)
  ).map(({ awb }) => awb)

export const findTaskIds = (db: Db, organisationId: number, awbs: string[]) =>
  db.many<Pick<TaskRow, 'id' | 'awb'>>(sql`
    select id, awb from tasks
    where organisation_id = ${organisationId} and awb = any(${awbs}::text[]) and deleted_at is null`)

export const findTeamIds = async (db: Db, organisationId: number, ids: number[]) =>
  (
    await db.many<{ id: number }>(sql`
      select id from teams where organisation_id = ${organisationId} and id = any(${ids}::bigint[])`)
  ).map(({ id }) => id)

/** Two changes that together would close a circle must see each other. */
export const lockDependencies = (db: Db, organisationId: number) =>
  db.run(sql`select pg_advisory_xact_lock(7204118, ${organisationId}::int)`)

/** Whether one of these tasks can be reached from them along dependencies: then they would wait for themselves. */
export const dependsOnItself = async (db: Db, organisationId: number, taskId: number, dependsOnIds: number[]) =>
  (
    await db.get<{ circular: boolean }>(sql`
      with recursive needed (id) as (
        select unnest(${dependsOnIds}::bigint[])
        union
        select d.depends_on_id from needed
        join dependencies d on d.organisation_id = ${organisationId} and d.task_id = needed.id
      )
      select exists (select from needed where id = ${taskId}) as circular`)
  ).circular

/** Who stands for an API key where a person is needed: the first admin. */
export const getFirstAdminId = async (db: Db, organisationId: number) =>
  (
    await db.get<{ id: number }>(sql`
      select id from users
      where organisation_id = ${organisationId} and is_admin and deleted_at is null
      order by id limit 1`)
  ).id

// ---- Writing ----

const customerColumns = ['phone', 'name', 'email', 'address', 'address_second_line'] as const
export type NewCustomer = Pick<CustomerRow, (typeof customerColumns)[number]>

/**
 * The customers with these phones and names, made or completed where needed. One that already says all this is only
 * read: two tasks for the same shop must not wait for each other.
 */
export const saveCustomers = (db: Db, organisationId: number, given: NewCustomer[]) =>
  db.many<Pick<CustomerRow, 'id' | 'phone' | 'name'>>(sql`
    with given as (
      select * from ${unnest(customers, customerColumns, given)}
    ), known as (
      select c.id, c.phone, c.name
      from given g
      join customers c on c.organisation_id = ${organisationId} and c.phone = g.phone and c.name = g.name
      where coalesce(g.email = c.email, g.email is null)
        and coalesce(g.address = c.address, g.address is null)
        and coalesce(g.address_second_line = c.address_second_line, g.address_second_line is null)
    ), saved as (
      insert into customers (organisation_id, ${columnList(customerColumns)})
      select ${organisationId}, ${columnList(customerColumns, 'g')} from given g
      where not exists (select from known k where k.phone = g.phone and k.name = g.name)
      order by g.phone, g.name
      on conflict (organisation_id, phone, name) do update set
        email = coalesce(excluded.email, customers.email),
        address = coalesce(excluded.address, customers.address),
        address_second_line = coalesce(excluded.address_second_line, customers.address_second_line),
        updated_at = now()
      returning id, phone, name
    )
    select * from known union all select * from saved`)

/** Ids for tasks that are about to be inserted, so that everything which refers to them can be written with them. */
export const reserveTaskIds = async (db: Db, count: number) =>
  (
    await db.many<{ id: number }>(
      sql`select nextval(pg_get_serial_sequence('tasks', 'id')) as id from generate_series(1, ${count}::int)`,
    )
  ).map(({ id }) => id)

/** What a change of a task may touch. */
const changeable = [
  'awb',
  'status_id',
  'user_id',
  'team_id',
  'customer_id',
  'details',
  'customer_notes',
  'total_price',
  'left_to_be_paid',
  'delivery_price',
  'collect_payment',
  'payment_type_id',
  'quantity',
  'priority',
  'service_minutes',
  'complete_after',
  'complete_before',
  'pickup_task',
  'inventory',
  'custom_fields',
  'send_notifications',
  'cancel_reason',
  'route',
  'route_position',
  'eta_seconds',
  'eta_text',
  'driver_arrived',
  'accepted_at',
  'started_at',
  'arrived_at',
  'completed_at',
  'last_sequence',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof TaskRow)[]

const newTaskColumns = ['id', 'uuid', 'created_at', ...changeable] as const
export type NewTask = Pick<TaskRow, (typeof newTaskColumns)[number]>

const addressParts = [
  'address',
  'address_second_line',
  'city',
  'area',
  'country',
  'street_number',
  'street_name',
  'postal_code',
  'lat',
  'lng',
] as const
const addressColumns = ['task_id', ...addressParts] as const
export type NewAddress = Pick<AddressRow, (typeof addressColumns)[number]>

export const insertTasks = (db: Db, organisationId: number, newTasks: NewTask[], newAddresses: NewAddress[]) =>
  db.run(sql`
    with inserted as (
      insert into tasks (organisation_id, ${columnList(newTaskColumns)})
      overriding system value
      select ${organisationId}, given.* from ${unnest(tasks, newTaskColumns, newTasks)}
    )
    insert into addresses (organisation_id, ${columnList(addressColumns)})
    select ${organisationId}, given.* from ${unnest(addresses, addressColumns, newAddresses)}`)

const assignments = (columns: readonly string[]) => raw(columns.map((name) => `${name} = given.${name}`).join(', '))

/** Writes back tasks that were read under lock. */
export const saveTasks = (
  db: Db,
  organisationId: number,
  changed: Pick<TaskRow, 'id' | (typeof changeable)[number]>[],
) =>
  db.run(sql`
    update tasks t set ${assignments(changeable)}
    from ${unnest(tasks, ['id', ...changeable], changed)}
    where t.organisation_id = ${organisationId} and t.id = given.id`)

export const saveAddresses = (db: Db, organisationId: number, changed: NewAddress[]) =>
  db.run(sql`
    update addresses a set ${assignments(addressParts)}
    from ${unnest(addresses, addressColumns, changed)}
    where a.organisation_id = ${organisationId} and a.task_id = given.task_id`)

type Link = { task_id: number; depends_on_id: number }

export const insertDependencies = (db: Db, organisationId: number, links: Link[]) =>
  db.run(sql`
    insert into dependencies (organisation_id, task_id, depends_on_id)
    select ${organisationId}, given.* from ${unnest(dependencies, ['task_id', 'depends_on_id'], links)}
    on conflict do nothing`)

export const deleteDependencies = (db: Db, organisationId: number, taskId: number) =>
  db.run(sql`delete from dependencies where organisation_id = ${organisationId} and task_id = ${taskId}`)

const noteColumns = ['task_id', 'user_id', 'type', 'note', 'image'] as const
export type NewNote = Pick<import('../db/table.ts').Row<typeof notes>, (typeof noteColumns)[number]>

export const insertNotes = (db: Db, organisationId: number, given: NewNote[]) =>
  db.run(sql`
    insert into notes (organisation_id, ${columnList(noteColumns)})
    select ${organisationId}, given.* from ${unnest(notes, noteColumns, given)}`)
