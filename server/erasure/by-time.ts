import { setTimeout as pause } from 'node:timers/promises'
import { settingsOf } from '../../core/settings.ts'
import { tellChanges } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import { type Context, contextOf, type Service, system } from '../context.ts'
import { commitWithEvents } from '../events/record.ts'
import { forgetCopies, goOn } from './actions.ts'
import { eraseTasks } from './erase.ts'
import {
  type ErasureRow,
  findOrganisationOf,
  insertErasures,
  listDue,
  listForgetful,
  listUnfinished,
  saveErasure,
} from './queries.ts'

/*
 * Erasing by time, as the setting says, and going on with what a crash interrupted. In small sets, each with its receipt in
 * one transaction that waits for no lock, with a pause between them: requests come first.
 */

const atOnce = 50
/** A set rests three times as long as it took, so that it uses a quarter of the time, and less of a busy machine. */
const restPerWork = 3
const leastRestMs = 50

/** How long one organisation is worked on before the next one gets its turn. */
const turnMs = 10_000

/** One round: everything whose time has come. */
export async function eraseDue(service: Service, stopping: AbortSignal) {
  for (let hasMore = true; hasMore && !stopping.aborted; ) {
    await goOnWithBegun(service, stopping)
    hasMore = false
    for (const { id } of await listForgetful(service.database.everyone))
      hasMore = (await takeTurn(service, id, stopping)) || hasMore
  }
}

async function goOnWithBegun(service: Service, stopping: AbortSignal) {
  for (const { organisation_id, id } of await listUnfinished(service.database.everyone)) {
    if (stopping.aborted) return
    const organisation = await findOrganisationOf(service.database.everyone, organisation_id)
    const context = contextOf(service, organisation_id, system)
    const begun = { id, finished_at: null } as ErasureRow
    const { setsMade } = await goOn(context, organisation, begun, Number.POSITIVE_INFINITY)
    if (setsMade > 0) await forgetCopies(service, organisation_id)
  }
}

/** Answers whether more of this organisation is due. */
async function takeTurn(service: Service, organisationId: number, stopping: AbortSignal): Promise<boolean> {
  const context = contextOf(service, organisationId, system)
  const end = performance.now() + turnMs
  let erased = 0
  let hasMore = true
  while (hasMore && performance.now() < end && !stopping.aborted) {
    const begun = performance.now()
    const count = await eraseSome(context, organisationId)
    erased += count
    hasMore = count === atOnce
    const restMs = Math.max(leastRestMs, restPerWork * (performance.now() - begun))
    if (hasMore) await pause(restMs, undefined, { signal: stopping }).catch(() => {})
  }
  if (erased > 0) {
    context.announceChanges(['messages', 'conflicts', 'notes'])
    await forgetCopies(service, organisationId)
  }
  return hasMore
}

/** Answers how many. The setting is read each time: whoever takes it back stops what has not been erased yet. */
const eraseSome = (context: Context, organisationId: number): Promise<number> =>
  commitWithEvents(context, async (db) => {
    const organisation = await findOrganisationOf(db, organisationId)
    const hours = settingsOf(organisation).hoursToSaveCustomerDataAfterDone
    if (hours === 0) return 0
    const due = (await listDue(db, organisation.id, hours, atOnce)).map(({ id }) => id)
    if (due.length === 0) return 0
    const what = { reason: 'time', actor_type: 'SYSTEM', actor_id: null, hours, driver_id: null, waiting: [] } as const
    const [{ id }] = (await insertErasures(db, organisation.id, [{ ...what, waiting: [] }])) as [ErasureRow]
    const changes = tellChanges(null, { reason: 'time', tasks: due.length, hours })
    await recordAudit(context, db, organisation.id, [{ kind: 'data.erased', subjectId: id, changes }])
    return eraseTasks(context, db, organisation, due, async ({ taskIds, counts }) => {
      await saveErasure(db, organisation.id, id, { task_ids: taskIds, waiting: [], counts })
      return taskIds.length
    })
  })
