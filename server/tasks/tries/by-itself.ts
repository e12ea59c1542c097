import { Refusal } from '../../../contract/errors.ts'
import { refuseReturn } from '../../../core/attempt.ts'
import { Failed } from '../../../core/task-status.ts'
import { type Context, contextOf, type Service, system } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { getOrganisation, type Organisation } from '../../organisations/queries.ts'
import { changeTasks } from '../change/change.ts'
import { triedOf } from '../read/tried.ts'
import { listReturning, takeReturns } from './queries.ts'
import { returnByItself } from './return.ts'

/*
 * Where the settings say so, the parcel of a task whose last try failed is brought back by itself. The failure queues it, in its own
 * transaction, whoever reports it; this makes the return, once.
 */

const atOnce = 200

/** One round over all organisations with such parcels. */
export async function makeDueReturns(service: Service, stopping: AbortSignal) {
  const troubles: unknown[] = []
  for (const { id } of await listReturning(service.database.everyone)) {
    const context = contextOf(service, id, system)
    try {
      while (!stopping.aborted && (await makeSome(context, id)));
    } catch (error) {
      // The others do not wait for it.
      troubles.push(error)
    }
  }
  if (troubles.length > 0) throw troubles[0]
}

/** Whether there may be more. */
async function makeSome(context: Context, organisationId: number): Promise<boolean> {
  const taken = await context.db.transaction(async (db) => {
    const organisation = await getOrganisation(db, organisationId)
    const ids = await takeReturns(db, organisationId, atOnce)
    if (ids.length > 0) await returnOrSayWhy(context, db, organisation, ids)
    return ids.length
  })
  if (taken > 0) context.announceEvents()
  return taken === atOnce
}

async function returnOrSayWhy(context: Context, db: Db, organisation: Organisation, ids: readonly number[]) {
  const { tasks, results } = await returnByItself(context, db, organisation, ids)
  const changes = tasks.flatMap((before) => {
    const refusal = results.get(before.awb)
    // What somebody tried again, brought back or corrected in the meantime needs no explanation.
    const isStillWanted = before.status_id === Failed && refuseReturn(triedOf(before)) === undefined
    if (!(refusal instanceof Refusal) || !isStillWanted) return []
    const { code, message } = refusal
    return [{ before, set: {}, fires: ['TASK_UPDATED'] as const, remark: { notReturned: { code, message } } }]
  })
  await changeTasks(context, db, organisation, changes, context.clock.now())
}
