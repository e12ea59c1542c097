import type { ErasedCounts, ErasureReason } from '../../contract/erasure.ts'
import type { Db } from '../db/db.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import { columnList, type Known, type Row, table, unnest } from '../db/table.ts'
import { type EventRow, events } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import type { Place } from '../outside/geocoders/geocoder.ts'
import { hasNoTask, restOfPlace } from '../tasks/customers/queries.ts'
import { isEnded } from '../tasks/read/conditions.ts'
import type { AddressRow, TaskRow } from '../tasks/tables.ts'
import type { OfTasks } from './treatment.ts'

export const erasures = table('erasures', {
  organisation_id: 'bigint',
  id: 'bigint',
  receipt: 'uuid',
  reason: 'text',
  actor_type: 'text',
  actor_id: 'bigint?',
  hours: 'integer?',
  driver_id: 'bigint?',
  task_ids: 'jsonb',
  waiting: 'jsonb',
  counts: 'jsonb',
  created_at: 'timestamptz',
  finished_at: 'timestamptz?',
  is_repeated: 'boolean',
  filed_at: 'timestamptz?',
})
export type ErasureRow = Known<
  Row<typeof erasures>,
  { reason: ErasureReason; task_ids: number[]; waiting: number[]; counts: Partial<ErasedCounts> }
>

export const noCounts = (): ErasedCounts => ({
  tasks: 0,
  customers: 0,
  notes: 0,
  pictures: 0,
  messages: 0,
  positions: 0,
})

const newColumns = ['reason', 'actor_type', 'actor_id', 'hours', 'driver_id', 'waiting'] as const
export type NewErasure = Pick<ErasureRow, (typeof newColumns)[number]>

export const insertErasures = (db: Db, organisationId: number, given: NewErasure[]) =>
  db.many<ErasureRow>(sql`
    insert into erasures (organisation_id, ${columnList(newColumns)})
    select ${organisationId}, given.* from ${unnest(erasures, newColumns, given)}
    returning *`)

/** Locked until the transaction ends; undefined if another process has it, or it is finished. */
export const lockErasure = (db: Db, organisationId: number, id: number) =>
  db.find<ErasureRow>(sql`
    select * from erasures
    where organisation_id = ${organisationId} and id = ${id} and finished_at is null
    for update skip locked`)

export const saveErasure = (
  db: Db,
  organisationId: number,
  id: number,
  { task_ids, waiting, counts }: Pick<ErasureRow, 'task_ids' | 'waiting' | 'counts'>,
) =>
  db.get<ErasureRow>(sql`
    update erasures
    set task_ids = ${JSON.stringify(task_ids)}::jsonb, waiting = ${JSON.stringify(waiting)}::jsonb,
      counts = ${JSON.stringify(counts)}::jsonb,
      finished_at = case when ${waiting.length === 0} then date_trunc('milliseconds', now()) end
    where organisation_id = ${organisationId} and id = ${id}
    returning *`)

export const listErasures = (db: Db, organisationId: number, beforeId: number, limit: number) =>
  db.many<ErasureRow>(sql`
    select * from erasures where organisation_id = ${organisationId} and id < ${beforeId}
    order by id desc
    limit ${limit}`)

/** What was begun and not finished, as after a crash. What is repeated is finished before any work begins. */
export const listUnfinished = (db: Db) =>
  db.many<Pick<ErasureRow, 'organisation_id' | 'id'>>(sql`
    select organisation_id, id from erasures where finished_at is null and not is_repeated
    order by organisation_id, id
    limit 1000`)

/** What a restored backup did not know of, and is not erased again yet. */
export const listRepeated = (db: Db) =>
  db.many<Pick<ErasureRow, 'organisation_id' | 'id' | 'driver_id' | 'created_at'>>(sql`
    select organisation_id, id, driver_id, created_at from erasures where finished_at is null and is_repeated
    order by organisation_id, id
    limit 1000`)

/** A driver's work waits for a decision. */
const hasConflict = raw(`exists (
  select from conflicts c where c.organisation_id = t.organisation_id and c.task_id = t.id and c.settled_at is null)`)

/** For tasks `t`: the end, from which time counts. */
const isOver = sql`(t.${isEnded} or t.deleted_at is not null)`

export type DueTask = Pick<
  TaskRow,
  'id' | 'uuid' | 'customer_id' | 'updated_at' | 'deleted_at' | 'fulfiller_id' | 'fulfiller_task_id'
> & {
  erased_at: Date
  is_over: boolean
}

const dueColumns = sql`t.id, t.uuid, t.customer_id, t.updated_at, t.deleted_at, t.fulfiller_id, t.fulfiller_task_id,
  ${isOver} as is_over,
  date_trunc('milliseconds', now()) as erased_at`

/** Locks those of the tasks that can be erased now. */
export const lockErasable = (db: Db, organisationId: number, ids: number[]) =>
  db.many<DueTask>(sql`
    select ${dueColumns} from tasks t
    where t.organisation_id = ${organisationId} and t.id = any(${ids}::bigint[]) and t.erased_at is null
      and ${isOver} and not ${hasConflict}
    order by t.id
    for update`)

/**
 * For rows that an erasure of this time was about. After a restore numbers are given out again: what was created later
 * is somebody else's. Clocks may differ a little.
 */
export const wasThere = (at: Date) => sql`created_at < ${at}::timestamptz + interval '1 minute'`

/** Locks those of the tasks that an erasure of this time has erased before, whatever they are now. */
export const lockRepeated = (db: Db, organisationId: number, ids: number[], at: Date) =>
  db.many<DueTask>(sql`
    select ${dueColumns} from tasks t
    where t.organisation_id = ${organisationId} and t.id = any(${ids}::bigint[]) and t.erased_at is null
      and t.${wasThere(at)}
    order by t.id
    for update`)

/**
 * Conflicts of tasks that are erased again: they had been settled, and what was to be decided about is gone. Money is
 * still there, so payments wait for somebody to decide.
 */
export const closeConflicts = (db: Db, organisationId: number, taskIds: number[]) =>
  db.run(sql`
    with counter as (
      select last_event_id from event_counters where organisation_id = ${organisationId} for update
    )
    update conflicts
    set settled_at = now(), applied = false, settled_by = 'Waybill', settled_after_event_id = counter.last_event_id
    from counter
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[]) and settled_at is null
      and op ->> 'type' <> 'payment'`)

/** Organisations that keep personal data for some time only. */
export const listForgetful = (db: Db) =>
  db.many<{ id: number }>(sql`
    select id from organisations
    where coalesce((settings ->> 'hoursToSaveCustomerDataAfterDone')::int, 0) > 0
    order by id`)

export const findOrganisationOf = async (db: Db, organisationId: number) =>
  (
    await db.get<{ organisation: Organisation }>(sql`
      select row_to_json(o) as organisation from organisations o where o.id = ${organisationId}`)
  ).organisation

/** Some tasks whose time has come. What is in use is left for the next round. */
export const listDue = (db: Db, organisationId: number, hours: number, limit: number) =>
  db.many<{ id: number }>(sql`
    select t.id from tasks t
    where t.organisation_id = ${organisationId} and t.erased_at is null
      and coalesce(t.completed_at, t.deleted_at) < now() - make_interval(hours => ${hours})
      and ${isOver} and not ${hasConflict}
    order by coalesce(t.completed_at, t.deleted_at)
    limit ${limit}
    for update skip locked`)

/** Organisations that have something of partners which they may not keep. */
export const listLeaving = (db: Db) =>
  db.many<{ id: number }>(sql`select distinct organisation_id as id from leaving_tasks order by 1`)

/** How long what is still on its way to a task of a former partner is waited for. */
const lateComers = raw(`interval '1 day'`)

/** Some of it that has ended. What is in use is left for the next round. */
export const takeLeaving = (db: Db, organisationId: number, limit: number) =>
  db.many<{ id: number }>(sql`
    select t.id from leaving_tasks l
    join tasks t on t.organisation_id = l.organisation_id and t.id = l.task_id
    where l.organisation_id = ${organisationId} and ${isOver} and not ${hasConflict}
      and (l.at_once or t.completed_at < now() - ${lateComers})
    limit ${limit}
    for update of t skip locked`)

/** Done with: erased, now or before. */
export const forgetLeaving = (db: Db, organisationId: number, ids: number[]) =>
  db.run(sql`
    delete from leaving_tasks where organisation_id = ${organisationId} and task_id = any(${ids}::bigint[])`)

/** Whose tasks they are: a customer's, now or before the task was changed, or the one with this AWB. */
export type Sought = { phone: string; typed: string } | { email: string } | { awb: string }

export type Person = Exclude<Sought, { awb: string }>

/** The ids of a person's records. */
export const customersLike = (organisationId: number, sought: Person): Sql =>
  'email' in sought
    ? sql`select id from customers where organisation_id = ${organisationId} and lower(email) = lower(${sought.email})`
    : sql`select id from customers
        where organisation_id = ${organisationId} and (phone = ${sought.phone} or typed_phone in (${sought.phone}, ${sought.typed}))`

export interface FoundTask {
  id: number
  awb: string
  is_over: boolean
  has_conflict: boolean
  erased_at: Date | null
}

const foundColumns = sql`t.id, t.awb, ${isOver} as is_over, ${hasConflict} as has_conflict, t.erased_at`

export const findTasksOf = (db: Db, organisationId: number, sought: Sought) =>
  db.many<FoundTask>(
    'awb' in sought
      ? sql`
          select ${foundColumns} from tasks t
          where t.organisation_id = ${organisationId} and t.awb = ${sought.awb}
          order by t.id`
      : sql`
          select ${foundColumns} from tasks t
          where t.organisation_id = ${organisationId}
            and t.customer_id in (${customersLike(organisationId, sought)})
          order by t.id`,
  )

/** For a task, or old values of it, as an event has them. */
const isOf = (written: Sql, sought: Person) =>
  'email' in sought
    ? sql`lower(${written}::jsonb #>> '{customer,email}') = lower(${sought.email})`
    : sql`${written}::jsonb #>> '{customer,phone}' in (${sought.phone}, ${sought.typed})`

/** By events that say whose task it was before: tasks that are somebody else's now. */
export const findFormerTasks = async (db: Db, organisationId: number, sought: Person) =>
  (
    await db.many<{ task_id: number }>(sql`
      select distinct task_id from events
      where organisation_id = ${organisationId} and previous like '%"customer":{%' and ${isOf(raw('previous'), sought)}`)
  ).map(({ task_id }) => task_id)

/** Where the person was reached while these tasks were theirs. */
export const findAddresses = async (db: Db, organisationId: number, taskIds: number[], sought: Person) =>
  (
    await db.many<{ address: string }>(sql`
      select distinct address
      from events
      cross join lateral (values (task), (previous)) as told (written)
      cross join lateral (
        values (written::jsonb #>> '{customer,phone}'), (written::jsonb #>> '{customer,email}')
      ) as reached (address)
      where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[]) and address <> ''
        and ${isOf(raw('written'), sought)}`)
  ).map(({ address }) => address)

export const findIdleCustomers = (db: Db, organisationId: number, sought: Person) =>
  db.many<{ id: number }>(sql`
    select id from customers
    where organisation_id = ${organisationId} and id in (${customersLike(organisationId, sought)}) and ${hasNoTask}`)

export const isSentTo = (sought: Person) =>
  'email' in sought
    ? sql`channel = 'email' and lower(recipient) = lower(${sought.email})`
    : sql`recipient in (${sought.phone}, ${sought.typed})`

/** About tasks that were a person's, to where they were reached. */
export const isSentAbout = (taskIds: number[], addresses: string[]) =>
  sql`task_id = any(${taskIds}::bigint[]) and recipient = any(${addresses}::text[])`

/** For rows of `messages`: the customer of the task, as it is now, is reached there. */
const isToPresent = raw(`exists (
  select from tasks t
  join customers c on c.organisation_id = t.organisation_id and c.id = t.customer_id
  where t.organisation_id = messages.organisation_id and t.id = messages.task_id and t.erased_at is null
    and lower(messages.recipient) in (c.phone, lower(c.typed_phone), lower(c.email)))`)

/** Those messages whose task does not say any more whose they were. */
export const ofFormer = (messages: Sql) => sql`(${messages}) and recipient <> '' and not ${isToPresent}`

export const countMessages = async (db: Db, organisationId: number, rows: Sql) =>
  (
    await db.get<{ count: number }>(sql`
      select count(*)::int as count from messages where organisation_id = ${organisationId} and ${rows}`)
  ).count

/** What will go, or went, with these tasks. */
export const countErased = async (db: Db, { organisationId, taskIds }: OfTasks, nearby: Sql) =>
  db.get<ErasedCounts>(sql`
    with chosen as (
      select id, customer_id from tasks where organisation_id = ${organisationId} and id = any(${taskIds}::bigint[])
    )
    select (select count(*)::int from chosen) as tasks,
      (select count(*)::int from customers c
        where c.organisation_id = ${organisationId} and c.id in (select customer_id from chosen)
          and not exists (
            select from tasks t
            where t.organisation_id = ${organisationId} and t.customer_id = c.id
              and t.id not in (select id from chosen))) as customers,
      (select count(*)::int from notes
        where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])
          and (note is not null or image is not null)) as notes,
      (select count(*)::int from files
        where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])
          and store_key is not null) as pictures,
      (select count(*)::int from messages
        where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])) as messages,
      (select count(*)::int from locations where organisation_id = ${organisationId} and ${nearby}) as positions`)

export const listAddresses = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<AddressRow>(sql`
    select * from addresses where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])`)

/** The own addresses of customers, as they are looked up. */
export const listOwnAddresses = (db: Db, organisationId: number, customerIds: number[]) =>
  db.many<Place>(sql`
    select c.address, ${restOfPlace} from customers c
    join organisations o on o.id = c.organisation_id
    where c.organisation_id = ${organisationId} and c.id = any(${customerIds}::bigint[]) and c.address is not null`)

/** What a geocoder said of these addresses; whoever needs it again asks again. */
export const forgetGeocodings = (db: Db, organisationId: number, hashes: Buffer[]) =>
  db.run(sql`
    delete from geocodings where organisation_id = ${organisationId} and address_hash = any(${hashes}::bytea[])`)

/** The bytes of files that match are deleted from the store, soon. */
export const discardBytes = (db: Db, organisationId: number, rows: Sql) =>
  db.run(sql`
    insert into leftovers (organisation_id, store_key, due_at)
    select distinct organisation_id, store_key, now() from files
    where organisation_id = ${organisationId} and store_key is not null and ${rows}
    on conflict (organisation_id, store_key) do update set due_at = excluded.due_at`)

/** Links that show nothing any more. */
export const deleteEmptyLinks = (db: Db, organisationId: number, linkIds: number[]) =>
  db.run(sql`
    delete from proof_links l
    where organisation_id = ${organisationId} and id = any(${linkIds}::bigint[])
      and not exists (
        select from proof_link_tasks x where x.organisation_id = l.organisation_id and x.link_id = l.id)`)

export const listLinksOf = async (db: Db, organisationId: number, taskIds: number[]) =>
  (
    await db.many<{ link_id: number }>(sql`
      select distinct link_id from proof_link_tasks
      where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])`)
  ).map(({ link_id }) => link_id)

/** Answers kept for repeats that show one of these tasks: every task shows its uuid. */
export const replaceAnswers = (db: Db, organisationId: number, uuids: string[], answer: string) =>
  db.run(sql`
    update kept_answers set answer = ${answer}
    where organisation_id = ${organisationId} and answer ~ ${uuids.join('|')}`)

export type WrittenEvent = Pick<EventRow, 'id' | 'task' | 'previous' | 'remark' | 'driver' | 'actor_name'>
const writtenColumns = ['id', 'task', 'previous', 'remark', 'driver', 'actor_name'] as const

/** The events of some tasks after an id, in order. */
export const listWritten = (db: Db, organisationId: number, taskIds: number[], afterId: number, limit: number) =>
  db.many<WrittenEvent & Pick<EventRow, 'actor_type' | 'actor_id' | 'user_id'>>(sql`
    select ${columnList(writtenColumns)}, actor_type, actor_id, user_id from events
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[]) and id > ${afterId}
    order by id
    limit ${limit}`)

export const rewriteEvents = (db: Db, organisationId: number, rows: WrittenEvent[]) =>
  db.run(sql`
    update events e
    set task = given.task, previous = given.previous, remark = given.remark, driver = given.driver,
      actor_name = given.actor_name
    from ${unnest(events, writtenColumns, rows)}
    where e.organisation_id = ${organisationId} and e.id = given.id`)
