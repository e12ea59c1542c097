import type { ErasedCounts } from '../../contract/erasure.ts'
import { Refusal } from '../../contract/errors.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/db.ts'
import { hashOfAddress } from '../geocoding/look-up.ts'
import { writeRefusal } from '../http/answers/idempotency.ts'
import type { Organisation } from '../organisations/queries.ts'
import { changeTasks, type TaskChange } from '../tasks/change/change.ts'
import { deleteIdleCustomers } from '../tasks/customers/queries.ts'
import { queueLeaving } from '../tasks/queries.ts'
import { viewTasks } from '../tasks/read/view.ts'
import { addWords } from '../tasks/search/words.ts'
import {
  closeConflicts,
  countErased,
  type DueTask,
  deleteEmptyLinks,
  discardBytes,
  forgetGeocodings,
  listAddresses,
  listLinksOf,
  listOwnAddresses,
  listWritten,
  lockErasable,
  lockRepeated,
  replaceAnswers,
  rewriteEvents,
  type WrittenEvent,
} from './queries.ts'
import { erasePrevious, eraseRemark, eraseSnapshot } from './snapshot.ts'
import { type OfTasks, statementOf, treatments } from './treatment.ts'

/* Erases the personal data of some tasks: all that is known about their customers, in one transaction. */

/** As many events are read and written at a time. */
const eventsAtOnce = 100

export interface ErasedSet {
  taskIds: number[]
  counts: Partial<ErasedCounts>
}

/**
 * Erases what has ended and waits for no decision. `keep` writes the receipt: before the events, which must come last in
 * their transaction. What was erased at `repeatedOf` and came back with a backup is erased whatever it is now.
 */
export async function eraseTasks<Kept>(
  context: Context,
  db: Db,
  organisation: Organisation,
  ids: number[],
  keep: (erased: ErasedSet) => Promise<Kept>,
  repeatedOf?: Date,
): Promise<Kept> {
  const organisationId = organisation.id
  const due = repeatedOf
    ? await lockRepeated(db, organisationId, ids, repeatedOf)
    : await lockErasable(db, organisationId, ids)
  const scope: OfTasks = { organisationId, taskIds: due.map(({ id }) => id) }
  const counts = await countErased(db, scope, rowsOf('locations')(scope))
  if (due.length === 0) return keep({ taskIds: [], counts })
  const links = await listLinksOf(db, organisationId, scope.taskIds)
  const customerIds = [...new Set(due.flatMap(({ customer_id }) => customer_id ?? []))]
  const addresses = await listAddresses(db, organisationId, scope.taskIds)
  const own = await listOwnAddresses(db, organisationId, customerIds)
  await forgetGeocodings(db, organisationId, [...addresses, ...own].map(hashOfAddress))
  await discardBytes(db, organisationId, rowsOf('files')(scope))
  if (repeatedOf) await closeConflicts(db, organisationId, scope.taskIds)
  await treat(db, scope)
  await deleteIdleCustomers(db, organisationId, customerIds)
  await deleteEmptyLinks(db, organisationId, links)
  await tellFulfillers(db, due)
  await replaceAnswersOf(context, db, organisationId, due)
  const erasedAt = (due[0] as DueTask).erased_at.toISOString()
  await rewriteAll(db, scope, (event) => ({
    ...event,
    task: event.task && eraseSnapshot(event.task, erasedAt),
    previous: erasePrevious(event.previous),
    remark: eraseRemark(event.remark),
  }))
  const kept = await keep({ taskIds: scope.taskIds, counts })
  await tellErased(context, db, organisation, due)
  return kept
}

/** What partners have of these tasks goes as well, on their side and with their receipt (by-time.ts). */
async function tellFulfillers(db: Db, due: readonly DueTask[]) {
  for (const [fulfillerId, tasks] of Map.groupBy(due, ({ fulfiller_id }) => fulfiller_id)) {
    if (fulfillerId === null) continue
    const ids = tasks.map(({ fulfiller_task_id }) => fulfiller_task_id as number)
    await queueLeaving(db.as(fulfillerId), fulfillerId, ids)
  }
}

const rowsOf = (name: string) => {
  const rows = treatments[name]?.ofTasks?.rows
  if (!rows) throw new Error(`Nothing of ${name} is erased with a task`)
  return rows
}

async function treat(db: Db, scope: OfTasks) {
  for (const [name, { ofTasks }] of Object.entries(treatments))
    if (ofTasks) await db.run(statementOf(name, ofTasks, scope))
}

/** Applies a change to the events of some tasks, a few at a time. */
export async function rewriteAll(
  db: Db,
  { organisationId, taskIds }: OfTasks,
  rewrite: (event: Awaited<ReturnType<typeof listWritten>>[number]) => WrittenEvent,
) {
  for (let afterId = 0; ; ) {
    const some = await listWritten(db, organisationId, taskIds, afterId, eventsAtOnce)
    if (some.length > 0) await rewriteEvents(db, organisationId, some.map(rewrite))
    if (some.length < eventsAtOnce) return
    afterId = some.at(-1)?.id as number
  }
}

/** Answers are kept for a day. */
const keptMs = 25 * 3_600_000

/** A repeat of a request that was answered with one of these tasks learns that its data is gone. */
async function replaceAnswersOf({ clock }: Context, db: Db, organisationId: number, due: DueTask[]) {
  const since = clock.now().getTime() - keptMs
  const recent = due.filter(({ updated_at }) => updated_at.getTime() > since).map(({ uuid }) => uuid)
  if (recent.length > 0) await replaceAnswers(db, organisationId, recent, writeRefusal(new Refusal('TASK_ERASED')))
}

/**
 * Receivers learn that they should erase it as well. A deleted task has nothing to tell. One that is open is one that a
 * backup brought back: it had ended before it was erased, and nothing of it is left to deliver.
 */
async function tellErased(context: Context, db: Db, organisation: Organisation, due: DueTask[]) {
  const ids = due.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id)
  const views = ids.length > 0 ? await viewTasks(db, organisation.id, ids) : []
  // What is kept of a task can still be searched for.
  await addWords(db, organisation, views)
  const remark = { erased: true } as const
  const now = context.clock.now()
  const open = new Set(due.filter(({ is_over }) => !is_over).map(({ id }) => id))
  const changes = views.map(
    (before): TaskChange =>
      open.has(before.id)
        ? { before, set: { deleted_at: now }, fires: ['TASK_DELETED'], remark }
        : { before, set: {}, fires: ['TASK_UPDATED'], remark },
  )
  await changeTasks(context, db, organisation, changes, now)
}
