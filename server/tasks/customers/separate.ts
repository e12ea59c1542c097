import type { Service } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { raw, sql } from '../../db/sql.ts'
import { unnest } from '../../db/table.ts'
import { type CustomerRow, type TaskRow, tasks } from '../tables.ts'
import { insertCustomers, saveOwnCustomers } from './queries.ts'

/*
 * Before migration 0013, tasks without a possible phone shared a customer by name, and those without a name shared one,
 * too: details of one task's customer appeared on the others. This gives each task its own record, with the details
 * that its own events show. It corrects what should never have been visible, so it fires no events.
 *
 * Done after the start and in parts, because there may be many; and repeated until a round finds none, because
 * processes of the previous version may still be creating such records.
 */

/** The previous version stored impossible phones too. A possible phone is stored as E.164. */
const isMistaken = raw(`phone !~ '^\\+[1-9][0-9]{6,14}$'`)

const atOnce = 500
const scannedAtOnce = 10_000

type Part = 'email' | 'address' | 'address_second_line'
const parts: readonly Part[] = ['email', 'address', 'address_second_line']
type Parts = Pick<CustomerRow, Part>
const nothing: Parts = { email: null, address: null, address_second_line: null }

const hasMistakenCustomers = async (db: Db, organisationId: number) =>
  (
    await db.get<{ found: boolean }>(sql`
      select exists (
        select from customers where organisation_id = ${organisationId} and ${isMistaken}) as found`)
  ).found

/** The next tasks in id order; with the customer, if its record may be shared by mistake. */
const scanTasks = (db: Db, organisationId: number, afterId: number) =>
  db.many<{ id: number; customer_id: number | null }>(sql`
    select t.id, c.id as customer_id
    from (
      select id, customer_id from tasks
      where organisation_id = ${organisationId} and id > ${afterId}
      order by id
      limit ${scannedAtOnce}
    ) t
    left join customers c on c.organisation_id = ${organisationId} and c.id = t.customer_id and c.${isMistaken}
    order by t.id`)

async function findSharing(db: Db, organisationId: number): Promise<Map<number, number[]>> {
  const sharing = new Map<number, number[]>()
  if (!(await hasMistakenCustomers(db, organisationId))) return sharing
  for (let afterId: number | undefined = 0; afterId !== undefined; ) {
    const scanned = await scanTasks(db, organisationId, afterId)
    for (const { id, customer_id } of scanned) {
      if (customer_id === null) continue
      const ids = sharing.get(customer_id)
      if (ids) ids.push(id)
      else sharing.set(customer_id, [id])
    }
    afterId = scanned.length === scannedAtOnce ? scanned.at(-1)?.id : undefined
  }
  return sharing
}

/** A version of the shared record, as an event of a task first showed it. */
type Shown = Parts & { task_id: number; version: string; recorded_at: Date }

const listShown = (db: Db, organisationId: number, customerId: number, taskIds: number[]) =>
  db.many<Shown>(sql`
    select distinct on (e.task_id, s.shown ->> 'updatedAt') e.task_id, e.recorded_at, s.shown ->> 'updatedAt' as version,
      s.shown ->> 'email' as email, s.shown ->> 'address' as address,
      s.shown ->> 'addressSecondLine' as address_second_line
    from events e
    cross join lateral (select e.task::json -> 'customer' as shown) s
    where e.organisation_id = ${organisationId} and e.task_id = any(${taskIds}::bigint[]) and e.task is not null
      and (s.shown ->> 'id')::bigint = ${customerId}
    order by e.task_id, s.shown ->> 'updatedAt', e.id`)

/** An event recorded later than this after a change of the record did not cause the change. */
const sameMs = 60_000

/**
 * The details each task gave. Every write of the record made a version with its own time; the task that wrote it is the
 * first that showed it, or, of several stored in one set, the last, because the last one decided.
 */
export function findGiven(shown: readonly Shown[]): Map<number, Parts> {
  const writers = new Map<string, Shown>()
  for (const one of shown) {
    const other = writers.get(one.version)
    const sooner = other ? one.recorded_at.getTime() - other.recorded_at.getTime() : -1
    if (sooner < 0 || (sooner === 0 && one.task_id > (other?.task_id ?? 0))) writers.set(one.version, one)
  }
  const given = new Map<number, Parts>()
  let before = nothing
  for (const write of [...writers.values()].sort((one, other) => (one.version < other.version ? -1 : 1))) {
    const isWriter = write.recorded_at.getTime() - Date.parse(write.version) < sameMs
    const changed = parts.filter((part) => write[part] !== before[part]).map((part) => [part, write[part]])
    if (isWriter) given.set(write.task_id, { ...nothing, ...given.get(write.task_id), ...Object.fromEntries(changed) })
    before = write
  }
  return given
}

const findCustomer = (db: Db, organisationId: number, id: number) =>
  db.get<CustomerRow>(sql`select * from customers where organisation_id = ${organisationId} and id = ${id}`)

const lockTasksOf = (db: Db, organisationId: number, customerId: number, taskIds: number[]) =>
  db.many<Pick<TaskRow, 'id'>>(sql`
    select id from tasks
    where organisation_id = ${organisationId} and id = any(${taskIds}::bigint[]) and customer_id = ${customerId}
    order by id
    for no key update`)

const linkTasks = (db: Db, organisationId: number, links: Pick<TaskRow, 'id' | 'customer_id'>[]) =>
  db.run(sql`
    update tasks t set customer_id = given.customer_id
    from ${unnest(tasks, ['id', 'customer_id'], links)}
    where t.organisation_id = ${organisationId} and t.id = given.id`)

/** Gives each task except the first its own record; the first keeps the shared one. */
async function separate(db: Db, organisationId: number, customerId: number, taskIds: number[]) {
  const shared = await findCustomer(db, organisationId, customerId)
  const [firstId, ...others] = taskIds as [number, ...number[]]
  const shown: Shown[] = []
  if (others.length > 0)
    for (let from = 0; from < taskIds.length; from += atOnce)
      shown.push(...(await listShown(db, organisationId, customerId, taskIds.slice(from, from + atOnce))))
  const given = findGiven(shown)
  const identity = { name: shared.name, phone: null, typed_phone: shared.phone, lat: null, lng: null }

  // Newest first: if we are stopped, the remaining tasks are the oldest, and all events needed to tell them apart
  // remain.
  for (let end = others.length; end > 0; end -= atOnce) {
    const wanted = others.slice(Math.max(0, end - atOnce), end)
    await db.transaction(async (db) => {
      const locked = await lockTasksOf(db, organisationId, customerId, wanted)
      const own = await insertCustomers(
        db,
        organisationId,
        locked.map(({ id }) => ({ ...identity, ...(given.get(id) ?? nothing) })),
      )
      await linkTasks(
        db,
        organisationId,
        locked.map(({ id }, index) => ({ id, customer_id: (own[index] as CustomerRow).id })),
      )
    })
  }
  const kept = others.length > 0 ? (given.get(firstId) ?? nothing) : shared
  await saveOwnCustomers(db, organisationId, [{ ...shared, ...kept, ...identity }])
}

/** Separates an organisation's customers. Returns how many records were shared, or might have been. */
export async function separateCustomers(db: Db, organisationId: number, stopping?: AbortSignal): Promise<number> {
  const sharing = await findSharing(db, organisationId)
  for (const [customerId, taskIds] of sharing) {
    if (stopping?.aborted) break
    await separate(db, organisationId, customerId, taskIds)
  }
  return sharing.size
}

/** Separates the customers of every organisation; finished when a round finds none. */
export async function separateAllCustomers(
  { database, log }: Pick<Service, 'database' | 'log'>,
  stopping: AbortSignal,
) {
  const organisations = await database.everyone.many<{ id: number }>(sql`select id from organisations order by id`)
  let found = 0
  for (const { id } of organisations)
    if (!stopping.aborted) found += await separateCustomers(database.of(id), id, stopping)
  if (found > 0) log.info(`${found} customers without a phone were separated by task`)
  return found === 0 ? 'done' : 'again'
}
