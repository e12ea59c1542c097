import { setTimeout as pause } from 'node:timers/promises'
import { tellChanges } from '../audit/changes.ts'
import { recordAudit } from '../audit/record.ts'
import { type Context, contextOf, type Service, system } from '../context.ts'
import type { Db } from '../db/db.ts'
import { locks, takeLock } from '../db/locks.ts'
import { connectAsOwner } from '../db/migrate.ts'
import { deleteDriver } from '../drivers/actions.ts'
import { commitWithEvents } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import { forgetCopies } from './actions.ts'
import { beginDriver, findReturned, forgetDriver } from './driver.ts'
import { eraseTasks } from './erase.ts'
import { type ErasureRow, findOrganisationOf, listRepeated, lockErasure, saveErasure } from './queries.ts'

/*
 * A backup brings back what was erased after it was made. A restore writes the receipts of it into the table again
 * (server/backup/receipts), and here they are worked off at the next start. Unlike a new erasure it asks nothing: a task
 * that is still open in the backup had ended, and a driver who still works there had left.
 */

const atOnce = 100
const restMs = 100

type Repeated = Awaited<ReturnType<typeof listRepeated>>[number]

/** Erases again what has to be, before anything is served. Of several processes that start one does it, and all wait. */
export async function repeatErasures(service: Service, databaseUrl: string) {
  const { database, log } = service
  if ((await listRepeated(database.everyone)).length === 0) return
  const client = await connectAsOwner(databaseUrl, 'waybill erasure')
  try {
    const onWait = () => log.info('Waiting for another process that erases what a backup has brought back')
    await takeLock(client, locks.erasures, { onWait })
    const touched = new Set<number>()
    for (let isDone = false; !isDone; ) {
      const some = await listRepeated(database.everyone)
      if (some.length > 0) log.info(`Erasing again what a backup has brought back (receipts: ${some.length})`)
      for (const one of some) {
        await repeat(service, one)
        touched.add(one.organisation_id)
      }
      isDone = some.length === 0
    }
    for (const organisationId of touched) await forgetCopies(service, organisationId)
  } finally {
    await client.end()
  }
}

async function repeat(service: Service, one: Repeated) {
  const organisation = await findOrganisationOf(service.database.everyone, one.organisation_id)
  const context = contextOf(service, organisation.id, system)
  let isFinished = one.driver_id !== null && (await beginAgain(context, organisation, one.id, one.driver_id, one))
  while (!isFinished) isFinished = await commitWithEvents(context, (db) => makeSet(context, db, organisation, one.id))
}

/** Answers whether all is done. */
async function makeSet(context: Context, db: Db, organisation: Organisation, id: number): Promise<boolean> {
  const row = await lockErasure(db, organisation.id, id)
  // Somebody has it, which can only be if the lock of the start was lost: `listRepeated` tells when it is done.
  if (!row) return pause(restMs, true)
  const some = row.waiting.slice(0, atOnce)
  const keep = () => save(context, db, row, row.waiting.slice(atOnce))
  if (row.driver_id === null) return eraseTasks(context, db, organisation, some, keep, row.created_at)
  await forgetDriver(db, organisation.id, row.driver_id, some)
  return keep()
}

/**
 * Erases the driver, and adds tasks whose history names them in the backup. If it has another driver with this number,
 * or none, nothing is to be done.
 */
async function beginAgain(
  context: Context,
  organisation: Organisation,
  id: number,
  driverId: number,
  { created_at }: Repeated,
): Promise<boolean> {
  const scope = { organisationId: organisation.id, driverId }
  const driver = await findReturned(context.db, scope, created_at)
  if (driver?.deleted_at === null) await deleteDriver(context, organisation, driverId, true)
  return context.db.transaction(async (db) => {
    const row = await lockErasure(db, organisation.id, id)
    if (!row) return pause(restMs, true)
    if (!driver) return save(context, db, row, [])
    const { taskIds } = await beginDriver(db, organisation.id, driverId, false)
    return save(context, db, row, [...new Set([...row.waiting, ...taskIds])])
  })
}

/** The receipt stays as it was. Answers whether all is done. */
async function save(context: Context, db: Db, row: ErasureRow, waiting: number[]): Promise<boolean> {
  const { organisation_id, id, reason, task_ids, driver_id } = row
  const isFinished = waiting.length === 0
  if (isFinished) {
    const driver = driver_id !== null && { driverId: driver_id }
    const changes = tellChanges(null, { reason, tasks: task_ids.length, ...driver, repeated: true })
    await recordAudit(context, db, organisation_id, [{ kind: 'data.erased', subjectId: id, changes }])
  }
  await saveErasure(db, organisation_id, id, { ...row, waiting })
  return isFinished
}
