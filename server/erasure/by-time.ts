import { setTimeout as pause } from 'node:timers/promises'
import { settingsOf } from '../../core/settings.ts'
import { tellChanges } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import { type Context, contextOf, type Service, system } from '../context.ts'
import type { Db } from '../db/db.ts'
import { commitWithEvents } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import { forgetCopies, goOn } from './actions.ts'
import { eraseTasks } from './erase.ts'
import {
  type ErasureRow,
  findOrganisationOf,
  forgetLeaving,
  insertErasures,
  listDue,
  listForgetful,
  listLeaving,
  listUnfinished,
  saveErasure,
  takeLeaving,
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
      hasMore = (await takeTurn(service, id, eraseOld, stopping)) || hasMore
    for (const { id } of await listLeaving(service.database.everyone))
      hasMore = (await takeTurn(service, id, eraseLeaving, stopping)) || hasMore
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

/** Erases some, and answers how many. */
type EraseSome = (context: Context, organisationId: number) => Promise<number>

/** Answers whether more of this organisation is due. */
async function takeTurn(
  service: Service,
  organisationId: number,
  eraseSome: EraseSome,
  stopping: AbortSignal,
): Promise<boolean> {
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

/** By the setting. It is read each time: whoever takes it back stops what has not been erased yet. */
const eraseOld: EraseSome = (context, organisationId) =>
  commitWithEvents(context, async (db) => {
    const organisation = await findOrganisationOf(db, organisationId)
    const hours = settingsOf(organisation).hoursToSaveCustomerDataAfterDone
    if (hours === 0) return 0
    const due = (await listDue(db, organisation.id, hours, atOnce)).map(({ id }) => id)
    return eraseWithReceipt(context, db, organisation, { reason: 'time', hours }, due)
  })

/** What partners took back or erased, or gave to us before the partnership ended. */
const eraseLeaving: EraseSome = (context, organisationId) =>
  commitWithEvents(context, async (db) => {
    const organisation = await findOrganisationOf(db, organisationId)
    const due = (await takeLeaving(db, organisationId, atOnce)).map(({ id }) => id)
    await forgetLeaving(db, organisationId, due)
    return eraseWithReceipt(context, db, organisation, { reason: 'partner', hours: null }, due)
  })

async function eraseWithReceipt(
  context: Context,
  db: Db,
  organisation: Organisation,
  { reason, hours }: Pick<ErasureRow, 'reason' | 'hours'>,
  due: number[],
): Promise<number> {
  if (due.length === 0) return 0
  const what = { reason, actor_type: 'SYSTEM', actor_id: null, hours, driver_id: null, waiting: [] }
  const [{ id }] = (await insertErasures(db, organisation.id, [what])) as [ErasureRow]
  const changes = tellChanges(null, { reason, tasks: due.length, ...(hours !== null && { hours }) })
  await recordAudit(context, db, organisation.id, [{ kind: 'data.erased', subjectId: id, changes }])
  return eraseTasks(context, db, organisation, due, async ({ taskIds, counts }) => {
    await saveErasure(db, organisation.id, id, { task_ids: taskIds, waiting: [], counts })
    return due.length
  })
}
