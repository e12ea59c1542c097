import { Refusal } from '../../../contract/errors.ts'
import { settingsOf } from '../../../core/settings.ts'
import type { Context } from '../../context.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { forbiddenBySetting } from '../../organisations/refusals.ts'
import { changeTasks } from '../change/change.ts'
import { takeSteps } from '../kept-plans/steps.ts'
import { lockDrivers } from '../read/drivers.ts'
import { lockTasksAndRoutes } from '../read/lock.ts'
import { decideRestore, type Restored } from './restore.ts'

/** Gives tasks back the drivers, places and arrivals they had before what has this undo id; one set, one transaction. */
export async function undo(context: Context, organisation: Organisation, undoId: string): Promise<Restored[]> {
  return commitWithEvents(context, async (db) => {
    const steps = (await takeSteps(db, organisation.id, undoId)).map(({ tasks }) => tasks)
    if (steps.length === 0) throw new Refusal('UNDO_NOT_FOUND')
    const kept = steps.flat()
    const driverIds = new Set(
      kept.flatMap(({ was, became }) => [was.userId, became.userId].filter((id) => id !== null)),
    )
    const drivers = await lockDrivers(db, organisation.id, [...driverIds])
    const taskIds = [...new Set(kept.map(({ id }) => id))]
    const tasks = await lockTasksAndRoutes(db, organisation.id, taskIds, [...driverIds])
    const { results, changes } = decideRestore(steps, {
      tasks,
      drivers: new Map(drivers.map(({ last_position: _, ...driver }) => [driver.id, driver])),
      noUnassigning: settingsOf(organisation).disableAdminUnassignToOrg
        ? forbiddenBySetting('disableAdminUnassignToOrg', 'unassigning tasks')
        : undefined,
    })
    await changeTasks(context, db, organisation, changes, context.clock.now())
    return results
  })
}
