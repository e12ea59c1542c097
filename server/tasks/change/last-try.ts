import { isLastTry, refuseReturn } from '../../../core/attempt.ts'
import { settingsOf } from '../../../core/settings.ts'
import { Failed } from '../../../core/task-status.ts'
import type { Db } from '../../db/db.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { queueReturns } from '../queries.ts'
import { triedOf } from '../read/tried.ts'
import type { TaskView } from '../tables.ts'

/** Queues the returns of parcels whose last try has failed now, where the settings say so: in the transaction of the failure. */
export async function queueDueReturns(
  db: Db,
  organisation: Organisation,
  steps: readonly { before: TaskView; after: TaskView }[],
) {
  const settings = settingsOf(organisation)
  if (settings.afterLastAttempt !== 'return' || settings.mostAttempts === 0) return
  const due = steps.filter(({ before, after }) => {
    const hasFailed = before.status_id !== Failed && after.status_id === Failed && after.deleted_at === null
    return hasFailed && isLastTry(triedOf(after), settings) && refuseReturn(triedOf(after)) === undefined
  })
  if (due.length === 0) return
  await queueReturns(
    db,
    organisation.id,
    due.map(({ after }) => after.id),
  )
}
