import { amountOf } from '../../core/money.ts'
import { noteTypes } from '../../core/note-type.ts'
import type { Db } from '../db/db.ts'
import { locks } from '../db/locks.ts'
import { reserveIds } from '../db/reserve.ts'
import { raw, sql } from '../db/sql.ts'
import { assignments, columnList, unnest } from '../db/table.ts'
import { sumOfLines } from './money.ts'
import {
  type AddressRow,
  addresses,
  dependencies,
  type NoteRow,
  type NoteView,
  notes,
  type PaymentRow,
  payments,
  type TaskRow,
  type TaskView,
  tasks,
} from './tables.ts'

export const findTakenAwbs = async (db: Db, organisationId: number, awbs: string[]) =>
  (
    await db.many<{ awb: string }>(sql`
      select awb from tasks
      where organisation_id = ${organisationId} and awb = any(${awbs}::text[]) and deleted_at is null`)
  ).map(({ awb }) => awb)

export const findTaskIds = (db: Db, organisationId: number, awbs: string[]) =>
  db.many<Pick<TaskRow, 'id' | 'awb' | 'status_id'>>(sql`
    select id, awb, status_id from tasks
    where organisation_id = ${organisationId} and awb = any(${awbs}::text[]) and deleted_at is null`)

/** Locked until the transaction ends, so that a team found here cannot be deleted before the task is stored. */
export const holdTeams = (db: Db, organisationId: number, ids: number[]) =>
  db.many<{ id: number; name: string }>(sql`
    select id, name from teams where organisation_id = ${organisationId} and id = any(${ids}::bigint[])
    order by id
    for key share`)

/** Two changes that together make a cycle must see each other, so only one is made at a time. */
export const lockDependencies = (db: Db, organisationId: number) =>
  db.run(sql`select pg_advisory_xact_lock(${locks.dependencies}::int, ${organisationId}::int)`)

/** Whether the task can be reached from `dependencies`: then it would wait for itself. For a deleted task nothing waits. */
export const dependsOnItself = async (db: Db, organisationId: number, taskId: number, dependsOnIds: number[]) =>
  (
    await db.get<{ circular: boolean }>(sql`
      with recursive needed (id) as (
        select unnest(${dependsOnIds}::bigint[])
        union
        select d.depends_on_id from needed
        join dependencies d on d.organisation_id = ${organisationId} and d.task_id = needed.id
        join tasks t on t.organisation_id = ${organisationId} and t.id = d.depends_on_id and t.deleted_at is null
      )
      select exists (select from needed where id = ${taskId}) as circular`)
  ).circular

/** The person recorded for an API key: the first admin. */
export const getFirstAdminId = async (db: Db, organisationId: number) =>
  (
    await db.get<{ id: number }>(sql`
      select id from users
      where organisation_id = ${organisationId} and is_admin and deleted_at is null
      order by id limit 1`)
  ).id

export const reserveTaskIds = (db: Db, count: number) => reserveIds(db, sql`nextval('tasks_id_seq')`, count)
export const reserveNoteIds = (db: Db, count: number) => reserveIds(db, sql`nextval('notes_id_seq')`, count)
export const reservePaymentIds = (db: Db, count: number) => reserveIds(db, sql`nextval('payments_id_seq')`, count)

/** The columns that a new task has, and that a change of it may write. */
const given = [
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
  'sent_eta',
  'cancel_reason',
  'cancel_reason_code',
  'route',
  'route_position',
  'driver_arrived',
  'will_be_delayed',
  'delayed',
  'accepted_at',
  'started_at',
  'arrived_at',
  'completed_at',
  'last_sequence',
  'updated_at',
  'deleted_at',
  'form_id',
  'total_price_hundredths',
  'left_to_be_paid_hundredths',
  'delivery_price_hundredths',
] as const satisfies (keyof TaskRow)[]

/** The columns that a change of a task may write. */
const changeable = [
  ...given,
  'mobile_task_form',
  'feedback',
  'instructions',
  'eta_at',
  'last_lat',
  'last_lng',
  'arrival_taken_back',
  'owner_id',
  'owner_task_id',
  'fulfiller_id',
  'fulfiller_task_id',
  'fulfiller_driver',
  'fulfiller_phone',
  'chain_awbs',
  'messages_by',
  'at_hub_at',
  'loaded_at',
  'attempt',
  'attempt_of',
  'reattempted_as',
  'return_of',
  'returned_as',
  'earlier_awbs',
  'schedule_changed',
  'closed_at',
] as const satisfies (keyof TaskRow)[]

const newTaskColumns = ['id', 'uuid', 'created_at', 'schedule_id', ...given] as const
export type NewTask = Pick<TaskRow, (typeof newTaskColumns)[number]>

export const addressParts = [
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
  'precision',
  'precision_detail',
  'found_parts',
] as const
const addressColumns = ['task_id', ...addressParts] as const
const newAddressColumns = [...addressColumns, 'geocode_at'] as const
export type ChangedAddress = Pick<AddressRow, (typeof addressColumns)[number]>
export type NewAddress = Pick<AddressRow, (typeof newAddressColumns)[number]>

/** Returns the tasks with their addresses as stored, in id order. */
export const insertTasks = (db: Db, organisationId: number, newTasks: NewTask[], newAddresses: NewAddress[]) =>
  db.many<TaskRow & Pick<TaskView, 'address'>>(sql`
    with inserted as (
      insert into tasks (organisation_id, ${columnList(newTaskColumns)})
      overriding system value
      select ${organisationId}, given.* from ${unnest(tasks, newTaskColumns, newTasks)}
      returning *
    ), placed as (
      insert into addresses (organisation_id, ${columnList(newAddressColumns)})
      select ${organisationId}, given.* from ${unnest(addresses, newAddressColumns, newAddresses)}
      returning *
    )
    select inserted.*, row_to_json(placed) as address from inserted
    join placed on placed.task_id = inserted.id
    order by inserted.id`)

/** Writes only the touched columns of locked tasks: writing all 34 takes twice as long as the dozen of a move. */
export function saveTasks(db: Db, organisationId: number, changed: TaskRow[], touched: ReadonlySet<string>) {
  const columns = changeable.filter((name) => touched.has(name))
  return db.run(sql`
    update tasks t set ${assignments(columns)}
    from (
      select found.ctid as place, given.*
      from ${unnest(tasks, ['id', ...columns], changed)}
      cross join lateral (
        select ctid from tasks where organisation_id = ${organisationId} and id = given.id limit 1
      ) found
    ) given
    where t.ctid = given.place and t.organisation_id = ${organisationId}`)
}

export const saveAddresses = (db: Db, organisationId: number, changed: ChangedAddress[]) =>
  db.run(sql`
    update addresses a set ${assignments(addressParts)}
    from ${unnest(addresses, addressColumns, changed)}
    where a.organisation_id = ${organisationId} and a.task_id = given.task_id`)

/** Queues these addresses for geocoding, regardless of earlier results. */
export const queueGeocoding = (db: Db, organisationId: number, taskIds: number[]) =>
  db.run(sql`
    update addresses set geocode_at = now(), geocode_attempts = 0, geocode_problem = null
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])`)

/** What was given back may not be kept: it is erased when it has ended. */
export const queueLeaving = (db: Db, organisationId: number, taskIds: number[]) =>
  db.run(sql`
    insert into leaving_tasks (organisation_id, task_id, at_once)
    select ${organisationId}, unnest(${taskIds}::bigint[]), true
    on conflict (organisation_id, task_id) do update set at_once = true`)

/** Queues the returns of parcels that go back by themselves. */
export const queueReturns = (db: Db, organisationId: number, taskIds: number[]) =>
  db.run(sql`
    insert into due_returns (organisation_id, task_id)
    select ${organisationId}, unnest(${taskIds}::bigint[])
    on conflict do nothing`)

type Link = { task_id: number; depends_on_id: number }

export const insertDependencies = (db: Db, organisationId: number, links: Link[]) =>
  db.run(sql`
    insert into dependencies (organisation_id, task_id, depends_on_id)
    select ${organisationId}, given.* from ${unnest(dependencies, ['task_id', 'depends_on_id'], links)}
    on conflict do nothing`)

export const deleteDependencies = (db: Db, organisationId: number, taskId: number) =>
  db.run(sql`delete from dependencies where organisation_id = ${organisationId} and task_id = ${taskId}`)

const noteColumns = ['task_id', 'user_id', 'type', 'note', 'image', 'file_id', 'by_partners_driver'] as const
export type NewNote = Pick<NoteRow, (typeof noteColumns)[number]>

export const insertNotes = (db: Db, organisationId: number, given: NewNote[]) =>
  db.run(sql`
    insert into notes (organisation_id, ${columnList(noteColumns)})
    select ${organisationId}, given.* from ${unnest(notes, noteColumns, given)}`)

/** Notes whose ids are reserved: what froze them has them already. */
export type KeptNote = NewNote & Pick<NoteRow, 'id' | 'created_at' | 'updated_at'>
const keptNoteColumns = ['id', 'created_at', 'updated_at', ...noteColumns] as const

export const insertKeptNotes = (db: Db, organisationId: number, given: KeptNote[]) =>
  db.run(sql`
    insert into notes (organisation_id, ${columnList(keptNoteColumns)})
    overriding system value
    select ${organisationId}, given.* from ${unnest(notes, keptNoteColumns, given)}`)

/** Called when the bytes of a file arrive: the notes that name it can now show it. */
export const showImage = (db: Db, organisationId: number, taskId: number, fileId: string, image: string) =>
  db.run(sql`
    update notes set image = ${image}, updated_at = now()
    where organisation_id = ${organisationId} and task_id = ${taskId} and file_id = ${fileId}`)

/** For a note `n` and its author `u`. */
const isByDriver = raw('(u.is_driver or n.by_partners_driver)')

/** A driver saw their task as it was until then: what the office had added to it. */
export const markSeenByDriver = (
  db: Db,
  organisationId: number,
  driverId: number,
  taskId: number,
  until: Date,
  seenAt: Date,
) =>
  db.run(sql`
    update notes n set seen_at = ${seenAt}
    from tasks t, users u
    where n.organisation_id = ${organisationId} and n.task_id = ${taskId} and n.seen_at is null
      and n.created_at <= ${until}
      and t.organisation_id = ${organisationId} and t.id = ${taskId} and t.user_id = ${driverId}
      and u.organisation_id = ${organisationId} and u.id = n.user_id and not ${isByDriver}`)

/** Somebody of the office opened the task. */
export const markSeenByOffice = (db: Db, organisationId: number, taskId: number) =>
  db.run(sql`
    update notes n set seen_at = now()
    from users u
    where n.organisation_id = ${organisationId} and n.task_id = ${taskId} and n.seen_at is null
      and u.organisation_id = ${organisationId} and u.id = n.user_id and ${isByDriver}`)

/** In the text, as the index of what nobody has seen has it. */
const isWritten = raw(`type = ${noteTypes.text}`)

/** What drivers wrote lately and nobody of the office has seen. Pictures and scans are not messages. */
export const listUnseenNotes = (db: Db, organisationId: number, limit: number) =>
  db.many<NoteView & { awb: string }>(sql`
    select n.*, t.awb, json_build_object('id', u.id, 'name', u.name, 'avatar', u.avatar, 'is_driver', u.is_driver) as author from notes n
    join users u on u.organisation_id = ${organisationId} and u.id = n.user_id and ${isByDriver}
    join tasks t on t.organisation_id = ${organisationId} and t.id = n.task_id and t.deleted_at is null
    where n.organisation_id = ${organisationId} and n.seen_at is null and n.${isWritten}
      and n.created_at > now() - interval '30 days'
    order by n.created_at desc
    limit ${limit}`)

const paymentColumns = [
  'task_id',
  'user_id',
  'amount',
  'amount_hundredths',
  'method',
  'note',
  'occurred_at',
  'collected_by',
  'collected_for',
] as const
export type NewPayment = Pick<PaymentRow, (typeof paymentColumns)[number]>

export const insertPayments = (db: Db, organisationId: number, given: NewPayment[]) =>
  db.many<{ id: number }>(sql`
    insert into payments (organisation_id, ${columnList(paymentColumns)})
    select ${organisationId}, given.* from ${unnest(payments, paymentColumns, given)}
    returning id`)

/** Payments whose ids are reserved: what froze them has them already. */
export type KeptPayment = NewPayment & Pick<PaymentRow, 'id'>

export const insertKeptPayments = (db: Db, organisationId: number, given: readonly KeptPayment[]) =>
  db.run(sql`
    insert into payments (organisation_id, id, ${columnList(paymentColumns)})
    overriding system value
    select ${organisationId}, given.* from ${unnest(payments, ['id', ...paymentColumns], given)}`)

/** All lines of some tasks, the oldest first. */
export const listPaymentsOf = (db: Db, organisationId: number, taskIds: number[]) =>
  db.many<PaymentRow>(sql`
    select * from payments
    where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])
    order by id`)

/** A payment, and the name of who took or entered it. */
export type PaymentView = PaymentRow & { user_name: string }

const selectPayments = sql`
  select p.*, u.name as user_name from payments p
  join users u on u.organisation_id = p.organisation_id and u.id = p.user_id`

export const findPayment = (db: Db, organisationId: number, id: number) =>
  db.find<PaymentView>(sql`${selectPayments} where p.organisation_id = ${organisationId} and p.id = ${id}`)

export const listPayments = (db: Db, organisationId: number, taskId: number, afterId: number, limit: number) =>
  db.many<PaymentView>(sql`
    ${selectPayments}
    where p.organisation_id = ${organisationId} and p.task_id = ${taskId} and p.id > ${afterId}
    order by p.id
    limit ${limit}`)

/** What was paid for a task by all its lines. */
export const sumPayments = async (db: Db, organisationId: number, taskId: number) =>
  amountOf(
    (
      await db.get<{ hundredths: number }>(sql`
        select coalesce(${sumOfLines}, 0) as hundredths from payments
        where organisation_id = ${organisationId} and task_id = ${taskId}`)
    ).hundredths,
  )

/** The same for several tasks, by their ids. */
export const sumPaymentsOf = async (db: Db, organisationId: number, taskIds: number[]) =>
  new Map(
    (
      await db.many<{ task_id: number; hundredths: number }>(sql`
        select task_id, ${sumOfLines} as hundredths from payments
        where organisation_id = ${organisationId} and task_id = any(${taskIds}::bigint[])
        group by task_id`)
    ).map(({ task_id, hundredths }) => [task_id, amountOf(hundredths)]),
  )
