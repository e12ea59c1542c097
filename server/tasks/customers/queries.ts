import type { Db } from '../../db/db.ts'
import { raw, type Sql, sql } from '../../db/sql.ts'
import { assignments, columnList, type Row, unnest } from '../../db/table.ts'
import { type CustomerRow, customers } from '../tables.ts'

const customerColumns = [
  'phone',
  'name',
  'typed_phone',
  'email',
  'address',
  'address_second_line',
  'lat',
  'lng',
] as const

const givenCustomer = {
  name: 'given',
  columns: {
    ...customers.columns,
    has_email: 'boolean',
    has_address: 'boolean',
    has_address_second_line: 'boolean',
    has_point: 'boolean',
  },
} as const

const givenColumns = [...customerColumns, 'has_email', 'has_address', 'has_address_second_line', 'has_point'] as const

/**
 * A customer to store. Values marked by `has_…` were given and replace the stored ones; others are for new records. A point
 * that was not given was found for the address.
 */
export type NewCustomer = Pick<Row<typeof givenCustomer>, (typeof givenColumns)[number]>

/** Another address is another place; a point that was found is for the address it was found for. */
const hasMoved = raw('(g.has_address and g.address is distinct from customers.address)')
const isThere = raw('g.address = customers.address')

/** For a row of `customers` that is changed: when it is looked up. One that nobody has tried yet waits again. */
const lookUpAt = (isAgain: Sql) => sql`
  case when ${isAgain} then now()
    when customers.geocode_attempts = 0 then coalesce(customers.geocode_at, now())
    else customers.geocode_at end`
const attemptsSoFar = (isAgain: Sql) => sql`case when ${isAgain} then 0 else customers.geocode_attempts end`

/** Whether a given customer is looked up again: they moved, or the point they had is taken away. */
const isSoughtAgain = sql`(${hasMoved} or g.has_point and g.lat is null and customers.lat is not null)`

/** For a row `c` of customers: somebody looks for it or has looked, or there is nothing to look for. */
const isCaredFor = raw(`(c.geocode_at is not null or c.geocode_attempts > 0 or c.lat is not null
  or coalesce(btrim(c.address), '') = '')`)

/**
 * The customers with these phones and names, inserted or completed where needed. A record that needs no change is only
 * read, so that two tasks for the same shop do not wait for each other; held, so that it is there when the task is.
 */
export const completeCustomers = (db: Db, organisationId: number, given: NewCustomer[]) =>
  db.many<CustomerRow>(sql`
    with given as (
      select * from ${unnest(givenCustomer, givenColumns, given)}
    ), known as (
      select c.*
      from given g
      join customers c on c.organisation_id = ${organisationId} and c.phone = g.phone and c.name = g.name
      where (not g.has_email or g.email is not distinct from c.email)
        and (not g.has_address or g.address is not distinct from c.address)
        and (not g.has_address_second_line or g.address_second_line is not distinct from c.address_second_line)
        and case when g.has_point then g.lat is not distinct from c.lat and g.lng is not distinct from c.lng
          else g.lat is null or c.lat is not null or g.address is distinct from c.address end
        and ${isCaredFor}
      order by c.phone, c.name
      for key share of c
    ), saved as (
      insert into customers (organisation_id, ${columnList(customerColumns)})
      select ${organisationId}, ${columnList(customerColumns, 'g')} from given g
      where not exists (select from known k where k.phone = g.phone and k.name = g.name)
      order by g.phone, g.name
      on conflict (organisation_id, phone, name) do update set
        (email, address, address_second_line, lat, lng, updated_at, geocode_at, geocode_attempts) = (
          select case when g.has_email then g.email else customers.email end,
            case when g.has_address then g.address else customers.address end,
            case when g.has_address_second_line then g.address_second_line else customers.address_second_line end,
            case when g.has_point or ${hasMoved} then g.lat when ${isThere} then coalesce(customers.lat, g.lat)
              else customers.lat end,
            case when g.has_point or ${hasMoved} then g.lng when ${isThere} then coalesce(customers.lng, g.lng)
              else customers.lng end, now(), ${lookUpAt(isSoughtAgain)}, ${attemptsSoFar(isSoughtAgain)}
          from given g where g.phone = excluded.phone and g.name = excluded.name)
      returning *
    )
    select * from known union all select * from saved`)

/** Records that are not shared, in the given order. */
export const insertCustomers = (db: Db, organisationId: number, given: Pick<CustomerRow, CustomerColumn>[]) =>
  db.many<CustomerRow>(sql`
    with inserted as (
      insert into customers (organisation_id, ${columnList(customerColumns)})
      select ${organisationId}, given.* from ${unnest(customers, customerColumns, given)}
      returning *
    )
    select * from inserted order by id`)

type CustomerColumn = (typeof customerColumns)[number]

/** The same for a record that belongs to one task. */
const isSoughtElsewhere = raw(
  '(given.address is distinct from customers.address or given.lat is null and customers.lat is not null)',
)

/** Changes records that belong to one task each. Locked in the order in which others write them. */
export const saveOwnCustomers = (
  db: Db,
  organisationId: number,
  given: readonly Pick<CustomerRow, 'id' | CustomerColumn>[],
) =>
  db.many<CustomerRow>(sql`
    with given as (
      select * from ${unnest(customers, ['id', ...customerColumns], [...given])}
    ), locked as (
      select c.id from customers c
      where c.organisation_id = ${organisationId} and c.id in (select id from given)
      order by c.phone, c.name, c.id
      for no key update
    )
    update customers set ${assignments(customerColumns)}, updated_at = now(),
      geocode_at = ${lookUpAt(isSoughtElsewhere)}, geocode_attempts = ${attemptsSoFar(isSoughtElsewhere)}
    from given
    join locked on locked.id = given.id
    where customers.organisation_id = ${organisationId} and customers.id = given.id
    returning customers.*`)

/**
 * Where customers are, found for the address they have; who moved or was placed meanwhile stays as they are. Locked in the
 * same order.
 */
export const placeCustomers = (
  db: Db,
  organisationId: number,
  given: readonly Pick<CustomerRow, 'id' | 'address' | 'lat' | 'lng'>[],
) =>
  db.many<CustomerRow>(sql`
    with given as (
      select * from ${unnest(customers, ['id', 'address', 'lat', 'lng'], [...given])}
    ), locked as (
      select c.id, g.lat, g.lng
      from customers c
      join given g on g.id = c.id and g.address = c.address
      where c.organisation_id = ${organisationId} and c.lat is null
      order by c.phone, c.name, c.id
      for no key update of c
    )
    update customers c set lat = locked.lat, lng = locked.lng, updated_at = now()
    from locked
    where c.organisation_id = ${organisationId} and c.id = locked.id
    returning c.*`)

/** Besides its text, the place of a customer of organisation `o`: it is in the organisation's country. */
export const restOfPlace = raw(`o.country, null as city, null as area, null as street_name, null as street_number,
  null as postal_code`)

/** For rows of `customers`: no task refers to them. */
export const hasNoTask = raw(`not exists (
  select from tasks t where t.organisation_id = customers.organisation_id and t.customer_id = customers.id)`)

const lockIdle = (db: Db, organisationId: number, ids: number[], whatIsInUse: Sql) =>
  db.many<Pick<CustomerRow, 'id'>>(sql`
    select id from customers
    where organisation_id = ${organisationId} and id = any(${ids}::bigint[]) and ${hasNoTask}
    order by phone, name, id
    for update ${whatIsInUse}`)

/** Two statements, because who waited for a lock, or got one late, does not see the tasks that came meanwhile. */
async function deleteLocked(db: Db, organisationId: number, locked: Promise<Pick<CustomerRow, 'id'>[]>) {
  const ids = (await locked).map(({ id }) => id)
  if (ids.length > 0)
    await db.run(sql`
      delete from customers
      where organisation_id = ${organisationId} and id = any(${ids}::bigint[]) and ${hasNoTask}`)
}

/** Of these, those that no task refers to any more. */
export const deleteIdleCustomers = (db: Db, organisationId: number, ids: number[]) =>
  deleteLocked(db, organisationId, lockIdle(db, organisationId, ids, raw('')))

/**
 * The same, but waiting for nobody: for who holds other customers already, and could wait in a circle. Who has one of them
 * may be about to give it a task; if not, `forgetIdleCustomers` finds it.
 */
export const deleteFreeCustomers = (db: Db, organisationId: number, ids: number[]) =>
  deleteLocked(db, organisationId, lockIdle(db, organisationId, ids, raw('skip locked')))

/** The next customers in the order of their ids, and whether they have a task. */
export const scanCustomers = (db: Db, organisationId: number, afterId: number, limit: number) =>
  db.many<{ id: number; is_idle: boolean }>(sql`
    select id, ${hasNoTask} as is_idle from customers
    where organisation_id = ${organisationId} and id > ${afterId}
    order by id
    limit ${limit}`)
