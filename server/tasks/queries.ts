import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { columnList, type JsonRow, type Row, table, unnest } from '../db/table.ts'
import type { users } from '../organisations/queries.ts'

export const tasks = table('tasks', {
  organisation_id: 'bigint',
  id: 'bigint',
  awb: 'text',
  uuid: 'text',
  status_id: 'smallint',
  user_id: 'bigint?',
  customer_id: 'bigint?',
  details: 'text',
  customer_notes: 'text?',
  total_price: 'integer?',
  left_to_be_paid: 'integer?',
  delivery_price: 'integer?',
  collect_payment: 'boolean',
  payment_type_id: 'smallint',
  quantity: 'integer?',
  priority: 'integer',
  service_minutes: 'integer?',
  complete_after: 'timestamptz?',
  complete_before: 'timestamptz?',
  pickup_task: 'boolean',
  inventory: 'jsonb?',
  custom_fields: 'jsonb',
  send_notifications: 'boolean',
  mobile_task_form: 'text?',
  cancel_reason: 'text?',
  route: 'jsonb?',
  eta_seconds: 'integer',
  eta_text: 'text?',
  sent_eta: 'boolean',
  driver_arrived: 'boolean',
  will_be_delayed: 'boolean',
  delayed: 'boolean',
  started_at: 'timestamptz?',
  arrived_at: 'timestamptz?',
  completed_at: 'timestamptz?',
  last_sequence: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  deleted_at: 'timestamptz?',
})
export type TaskRow = Row<typeof tasks>

export const addresses = table('addresses', {
  organisation_id: 'bigint',
  task_id: 'bigint',
  id: 'bigint',
  address: 'text',
  address_second_line: 'text?',
  city: 'text?',
  area: 'text?',
  country: 'text',
  street_number: 'text?',
  street_name: 'text?',
  postal_code: 'text?',
  lat: 'double precision?',
  lng: 'double precision?',
})

export const customers = table('customers', {
  organisation_id: 'bigint',
  id: 'bigint',
  name: 'text',
  phone: 'text',
  email: 'text?',
  address: 'text?',
  address_second_line: 'text?',
  lat: 'double precision?',
  lng: 'double precision?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
})

/** A task with what belongs to it, as one statement reads it. */
export type TaskView = TaskRow & {
  address: JsonRow<typeof addresses>
  customer: JsonRow<typeof customers> | null
  driver: JsonRow<typeof users> | null
}

const customerColumns = ['phone', 'name', 'email', 'address', 'address_second_line'] as const
export type NewCustomer = Pick<Row<typeof customers>, (typeof customerColumns)[number]>

/**
 * The customers with these phones and names, made or completed where needed. One that already says all this is only
 * read: two tasks for the same shop must not wait for each other.
 */
export const saveCustomers = (db: Db, organisationId: number, given: NewCustomer[]) =>
  db.many<Pick<Row<typeof customers>, 'id' | 'phone' | 'name'>>(sql`
    with given as (
      select * from ${unnest(customers, customerColumns, given)}
    ), known as (
      select c.id, c.phone, c.name
      from given g
      join customers c on c.organisation_id = ${organisationId} and c.phone = g.phone and c.name = g.name
      where (g.email, g.address, g.address_second_line)
        is not distinct from (
          case when g.email is null then null else c.email end,
          case when g.address is null then null else c.address end,
          case when g.address_second_line is null then null else c.address_second_line end)
    ), saved as (
      insert into customers (organisation_id, phone, name, email, address, address_second_line)
      select ${organisationId}, g.* from given g
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

const taskColumns = [
  'id',
  'awb',
  'uuid',
  'status_id',
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
  'last_sequence',
  'created_at',
  'updated_at',
] as const satisfies (keyof TaskRow)[]
export type NewTask = Pick<TaskRow, (typeof taskColumns)[number]>

const addressColumns = [
  'task_id',
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
export type NewAddress = Pick<Row<typeof addresses>, (typeof addressColumns)[number]>

export const insertTasks = (db: Db, organisationId: number, newTasks: NewTask[], newAddresses: NewAddress[]) =>
  db.run(sql`
    with inserted as (
      insert into tasks (organisation_id, ${columnList(taskColumns)})
      overriding system value
      select ${organisationId}, given.* from ${unnest(tasks, taskColumns, newTasks)}
    )
    insert into addresses (organisation_id, ${columnList(addressColumns)})
    select ${organisationId}, given.* from ${unnest(addresses, addressColumns, newAddresses)}`)

export const findTakenAwbs = async (db: Db, organisationId: number, awbs: string[]) =>
  (
    await db.many<{ awb: string }>(sql`
      select awb from tasks
      where organisation_id = ${organisationId} and awb = any(${awbs}) and deleted_at is null`)
  ).map(({ awb }) => awb)

/** The tasks with these ids and all that belongs to them, in the order of the ids given. */
export const viewTasks = (db: Db, organisationId: number, ids: number[]) =>
  db.many<TaskView>(sql`
    select t.*, row_to_json(a) as address, row_to_json(c) as customer, row_to_json(u) as driver
    from unnest(${ids}::bigint[]) with ordinality as wanted (id, place)
    join tasks t on t.organisation_id = ${organisationId} and t.id = wanted.id
    join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
    left join customers c on c.organisation_id = t.organisation_id and c.id = t.customer_id
    left join users u on u.organisation_id = t.organisation_id and u.id = t.user_id
    order by wanted.place`)
