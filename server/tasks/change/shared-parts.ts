import type { TriggerName } from '../../../core/triggers.ts'
import type { Db } from '../../db/db.ts'
import type { Happened, Remark } from '../../events/record.ts'
import { listFiles, saveFiles } from '../../files/queries.ts'
import { partnerAuthor } from '../../organisations/partner-queries.ts'
import { changeCustomers } from '../customers/customers.ts'
import type { NewCustomer } from '../customers/queries.ts'
import { lineColumns } from '../money.ts'
import { isByDriver } from '../present.ts'
import { addressParts, insertNotes, insertPayments, type NewNote, saveAddresses, showImage } from '../queries.ts'
import type { TaskRow, TaskView } from '../tables.ts'

/* What a shared task has besides its own row, written for a partner: address, customer, notes with their pictures, payments. */

export type Note = TaskView['notes'][number]
type Payment = Extract<Remark, { payment: unknown }>['payment']

/** A partner's task, and what becomes of it. Parts that are not there have not changed. */
export interface Followed {
  before: TaskView
  set: Partial<TaskRow>
  fires: readonly TriggerName[]
  happened?: Happened | undefined
  address?: ReturnType<typeof addressOf>
  customer?: NewCustomer | null | undefined
  added?: Note[]
  /** Notes whose picture has arrived. */
  shown?: Note[]
  paid?: Payment & { at: Date; isCollected: boolean }
  /** What the others are told of it, besides. */
  remark?: Remark
}

/** The same, once its parts are written. */
export interface MirroredChange {
  before: TaskView
  set: Partial<TaskRow>
  fires: readonly TriggerName[]
  rereads: ('address' | 'customer' | 'notes')[]
  happened?: Happened
  remark?: Remark
}

/** Who tells, the handle of who is told, and what the one is for the other. */
export interface Telling {
  source: Db
  db: Db
  partnerId: number
}

export async function writeParts(
  telling: Telling,
  organisationId: number,
  followed: readonly Followed[],
): Promise<MirroredChange[]> {
  const { db } = telling
  const moved = followed.flatMap(({ before, address }) => (address ? [{ ...address, task_id: before.id }] : []))
  if (moved.length > 0) await saveAddresses(db, organisationId, moved)
  const named = followed.flatMap(({ before, customer }) =>
    customer ? [{ before: before.customer, draft: customer }] : [],
  )
  const customers = await changeCustomers(db, organisationId, named)
  await copyNotes(
    telling,
    organisationId,
    followed.map(({ before, added = [], shown = [] }) => ({ taskId: before.id, added, shown })),
  )
  const paymentIds = await copyPaid(telling, organisationId, followed)
  return followed.map((one): MirroredChange => {
    const { before, set, fires, happened, address, customer, added, shown, paid, remark } = one
    const paymentId = paymentIds.get(one)
    return {
      before,
      set: customer === undefined ? set : { ...set, customer_id: (customer && customers.get(customer)?.id) ?? null },
      fires,
      rereads: [
        ...(address ? ['address' as const] : []),
        ...(customer !== undefined ? ['customer' as const] : []),
        ...(added || shown ? ['notes' as const] : []),
      ],
      ...(happened && { happened }),
      ...(remark && { remark }),
      ...(paid && paymentId !== undefined && { remark: { payment: remarkOf(paid, paymentId) } }),
    }
  })
}

const remarkOf = ({ at: _, isCollected: __, ...payment }: NonNullable<Followed['paid']>, id: number): Payment => ({
  ...payment,
  id,
})

export const addressOf = ({ address }: TaskView) =>
  Object.fromEntries(addressParts.map((part) => [part, address[part]])) as Pick<
    TaskView['address'],
    (typeof addressParts)[number]
  >

interface NotesOfTask {
  taskId: number
  added: readonly Note[]
  shown: readonly Note[]
}

/** A picture is stored once, and each side has a file of its own for it, under the same id. */
export async function copyNotes(
  { source, db, partnerId }: Telling,
  organisationId: number,
  tasks: readonly NotesOfTask[],
): Promise<void> {
  const given = tasks.flatMap(({ taskId, added, shown }) => [...added, ...shown].map((note) => ({ ...note, taskId })))
  if (given.length === 0) return
  const user_id = await partnerAuthor(db, organisationId, partnerId)
  const taskOf = new Map(given.flatMap(({ file_id, taskId }) => (file_id ? [[file_id, taskId] as const] : [])))
  if (taskOf.size > 0) {
    const files = await listFiles(source, partnerId, [...taskOf.keys()])
    await saveFiles(
      db,
      organisationId,
      files.map((file) => ({ ...file, user_id, task_id: taskOf.get(file.id) as number })),
    )
  }
  const notes = tasks.flatMap(({ taskId, added }) =>
    added.map((one): NewNote => {
      const { type, note, image, file_id } = one
      return { task_id: taskId, user_id, type, note, image, file_id, by_partners_driver: isByDriver(one) }
    }),
  )
  if (notes.length > 0) await insertNotes(db, organisationId, notes)
  // Pictures arrive one at a time.
  for (const { taskId, shown } of tasks)
    for (const { file_id, image } of shown)
      if (file_id && image) await showImage(db, organisationId, taskId, file_id, image)
}

/** Lines of what was paid there. Answers their ids. */
async function copyPaid(
  { db, partnerId }: Telling,
  organisationId: number,
  followed: readonly Followed[],
): Promise<Map<Followed, number>> {
  const paying = followed.filter(({ paid }) => paid)
  if (paying.length === 0) return new Map()
  const user_id = await partnerAuthor(db, organisationId, partnerId)
  const lines = paying.map(({ before, paid }) => {
    const { amount, method, at, isCollected } = paid as NonNullable<Followed['paid']>
    return {
      task_id: before.id,
      user_id,
      ...lineColumns(amount),
      method: method as 'cash',
      note: null,
      occurred_at: at,
      collected_by: isCollected ? partnerId : null,
      collected_for: isCollected ? before.owner_id : null,
    }
  })
  const ids = await insertPayments(db, organisationId, lines)
  return new Map(paying.map((one, index) => [one, (ids[index] as { id: number }).id]))
}
