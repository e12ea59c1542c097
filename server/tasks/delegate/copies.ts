import type { Side } from '../../../core/delegation.ts'
import { settingsOf } from '../../../core/settings.ts'
import type { Db } from '../../db/db.ts'
import { Repeat, violatedUnique } from '../../db/faults.ts'
import { partnerAuthor } from '../../organisations/partner-queries.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { awbsOfOthers } from '../change/mirror.ts'
import { addressOf, copyNotes } from '../change/shared-parts.ts'
import { beginAgain } from '../create/again.ts'
import { makeAwb } from '../create/draft.ts'
import { copyOf, saveCustomers } from '../customers/customers.ts'
import {
  findTakenAwbs,
  insertPayments,
  insertTasks,
  listPaymentsOf,
  type NewTask,
  reserveTaskIds,
  saveTasks,
} from '../queries.ts'
import { viewTasks } from '../read/view.ts'
import { addWords } from '../search/words.ts'
import type { TaskRow, TaskView } from '../tables.ts'

/** Writes the fulfiller's own rows of tasks that are given to it, with its own handle. In the order of the tasks. */
export async function insertCopies(
  source: Db,
  db: Db,
  ownerId: number,
  fulfiller: Organisation,
  tasks: readonly TaskView[],
  messagesBy: (task: TaskView) => Side,
  now: Date,
): Promise<TaskView[]> {
  const { id: organisationId } = fulfiller
  const { enableAWB } = settingsOf(fulfiller)
  const awbs = tasks.map(({ awb }) => awb)
  const taken = new Set(enableAWB ? await findTakenAwbs(db, organisationId, awbs) : awbs)
  const ids = await reserveTaskIds(db, tasks.length)
  const people = tasks.map(({ customer }) => customer && copyOf(customer))
  const customers = await saveCustomers(
    db,
    organisationId,
    people.filter((one) => one !== null),
  )
  const idOf = (one: (typeof people)[number] | undefined) => (one && customers.get(one)?.id) ?? null
  const rows = tasks.map(
    (task, index): NewTask => ({
      ...beginAgain(task, now),
      id: ids[index] as number,
      awb: taken.has(task.awb) ? makeAwb() : task.awb,
      customer_id: idOf(people[index]),
    }),
  )
  const places = tasks.map((task, index) => ({
    ...addressOf(task),
    task_id: ids[index] as number,
    geocode_at: task.address.lat === null ? now : null,
  }))
  const stored = await insertTasks(db, organisationId, rows, places).catch((error) => {
    // Somebody else took the AWB a moment ago: next time it is found.
    throw violatedUnique(error) === 'tasks_awb' ? new Repeat('An AWB is taken') : error
  })
  const linked = stored.map((row, index): TaskRow => {
    const task = tasks[index] as TaskView
    return {
      ...row,
      owner_id: ownerId,
      owner_task_id: task.id,
      chain_awbs: awbsOfOthers(task, row),
      earlier_awbs: task.earlier_awbs,
      messages_by: messagesBy(task),
      instructions: task.instructions,
    }
  })
  await saveTasks(
    db,
    organisationId,
    linked,
    new Set(['owner_id', 'owner_task_id', 'chain_awbs', 'earlier_awbs', 'messages_by', 'instructions']),
  )
  await copyNotes(
    { source, db, partnerId: ownerId },
    organisationId,
    tasks.map(({ notes }, index) => ({ taskId: ids[index] as number, added: notes, shown: [] })),
  )
  const views = await viewTasks(db, organisationId, ids)
  await addWords(db, fulfiller, views)
  return views
}

/** What was paid before: on both sides the same is left to pay. Nobody collected it for anybody. */
export async function copyPayments(
  { own, theirs }: { own: Db; theirs: Db },
  ownerId: number,
  fulfillerId: number,
  tasks: readonly TaskView[],
  copies: readonly TaskView[],
) {
  const copyOf = new Map(tasks.map(({ id }, index) => [id, (copies[index] as TaskView).id]))
  const lines = await listPaymentsOf(own, ownerId, [...copyOf.keys()])
  if (lines.length === 0) return
  const userId = await partnerAuthor(theirs, fulfillerId, ownerId)
  const given = lines.map(({ task_id, amount, amount_hundredths, method, occurred_at }) => ({
    task_id: copyOf.get(task_id) as number,
    user_id: userId,
    amount,
    amount_hundredths,
    method,
    note: null,
    occurred_at,
    collected_by: null,
    collected_for: null,
  }))
  await insertPayments(theirs, fulfillerId, given)
}
