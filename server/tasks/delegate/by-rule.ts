import { Refusal } from '../../../contract/errors.ts'
import { settingsOf } from '../../../core/settings.ts'
import { Unassigned } from '../../../core/task-status.ts'
import { type Context, contextOf, type Service, system } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { holdOrganisation, type Organisation } from '../../organisations/queries.ts'
import { changeTasks } from '../change/change.ts'
import type { MoveResults } from '../change/move.ts'
import { lockTasks } from '../read/lock.ts'
import { giveTasks } from './delegate.ts'
import { listCreated, listDelegating, listToDelegate, lockProgress, saveProgress } from './rule-queries.ts'

/*
 * The rule by which new tasks are given to a partner. New ones are found in the log of events, which skips none, and how far
 * it was read is written in the transaction that gives them away: whatever happens, each is looked at once. So creating
 * tasks costs nothing more, what a person takes back stays, and what the partner cannot take is not tried again: the task
 * says why.
 */

const eventsAtOnce = 500

/** One round over all organisations with a rule and something new. */
export async function delegateNewTasks(service: Service, stopping: AbortSignal) {
  const troubles: unknown[] = []
  for (const { id } of await listDelegating(service.database.everyone)) {
    const context = contextOf(service, id, system)
    try {
      while (!stopping.aborted && (await delegateSome(context, id)));
    } catch (error) {
      // The others do not wait for it.
      troubles.push(error)
    }
  }
  if (troubles.length > 0) throw troubles[0]
}

/** Whether there may be more. */
async function delegateSome(context: Context, organisationId: number): Promise<boolean> {
  const { isGiving = false, hasMore = false } = await context.db.transaction(async (db) => {
    // Before the progress, which begins anew when a rule is set.
    const organisation = await holdOrganisation(db, organisationId)
    const progress = await lockProgress(db, organisationId)
    if (!progress) return {}
    const { delegateNewTasksTo: partnerId, delegateNewTasksOfTeam: teamId } = settingsOf(organisation)
    if (partnerId === null) return {}
    const happened = await listCreated(db, organisationId, progress.event_id, eventsAtOnce)
    const last = happened.at(-1)
    if (!last) return {}
    const created = happened.flatMap(({ created_task_id }) => created_task_id ?? [])
    const ids = created.length > 0 ? await listToDelegate(db, organisationId, created, teamId) : []
    // Before the events, which lock the counters until the end.
    await saveProgress(db, organisationId, last.id)
    if (ids.length > 0) await giveOrSayWhy(context, db, organisation, partnerId, ids)
    return { isGiving: ids.length > 0, hasMore: happened.length === eventsAtOnce }
  })
  if (isGiving) context.announceEvents()
  return hasMore
}

async function giveOrSayWhy(
  context: Context,
  db: Db,
  organisation: Organisation,
  companyId: number,
  ids: readonly number[],
) {
  const results = await giveTasks(context, db, organisation, companyId, ids).catch((error): MoveResults<number> => {
    if (error instanceof Refusal) return new Map(ids.map((id) => [id, error]))
    throw error
  })
  const refused = [...results].flatMap(([id, refusal]) => (refusal ? [{ id, refusal }] : []))
  const why = new Map(refused.map(({ id, refusal: { code, message } }) => [id, { companyId, code, message }]))
  const tasks = await lockTasks(db, organisation.id, [...why.keys()])
  // What somebody did something with in the meantime needs no explanation.
  const waiting = tasks.filter(({ status_id, fulfiller_id }) => status_id === Unassigned && fulfiller_id === null)
  const changes = waiting.map((before) => ({
    before,
    set: {},
    fires: ['TASK_UPDATED'] as const,
    remark: { notDelegated: why.get(before.id) as NonNullable<ReturnType<typeof why.get>> },
  }))
  await changeTasks(context, db, organisation, changes, context.clock.now())
}
