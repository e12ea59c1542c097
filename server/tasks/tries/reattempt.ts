import { orThrow, Refusal, unknownInBody } from '../../../contract/errors.ts'
import type { ReattemptInput } from '../../../contract/try.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { sumPayments, sumPaymentsOf } from '../queries.ts'
import { lockDrivers } from '../read/drivers.ts'
import { lockTasksByAwb } from '../read/lock.ts'
import type { TaskView } from '../tables.ts'
import { type Followed, followTasks } from './follow.ts'
import { planReattempt, readNextWindow, type Window } from './plan.ts'

/** Tries failed tasks again, each as a new task. */
export async function reattemptTasks(
  context: Context,
  organisation: Organisation,
  awbs: readonly string[],
  input: ReattemptInput,
): Promise<Followed> {
  const window = readNextWindow(input, organisation)
  const userId = input.userId ?? null
  return commitWithEvents(context, async (db) => {
    const drivers = await holdDrivers(db, organisation.id, userId === null ? [] : [userId])
    if (userId !== null) drivers.require(userId)
    const tasks = await lockTasksByAwb(db, organisation.id, [...awbs])
    const now = context.clock.now()
    const paid = await sumPaymentsOf(
      db,
      organisation.id,
      tasks.map(({ id }) => id),
    )
    const plan = (task: TaskView) =>
      planReattempt(task, { window, userId, paid: paid.get(task.id) ?? 0 }, organisation, now)
    return withMissing(awbs, await followTasks(context, db, organisation, 'reattempt', tasks, plan, drivers))
  })
}

/** The same for one task that is locked, wanted by its recipient: when they chose, with what they left for the driver. */
export async function reattemptLocked(
  context: Context,
  db: Db,
  organisation: Organisation,
  task: TaskView,
  window: Window,
  left: { notes: string | null; instructions: string[] | null },
) {
  const drivers = await holdDrivers(db, organisation.id, [])
  const wanted = { window, userId: null, paid: await sumPayments(db, organisation.id, task.id) }
  const now = context.clock.now()
  const plan = () => ({
    ...planReattempt({ ...task, customer_notes: left.notes }, wanted, organisation, now),
    instructions: left.instructions,
  })
  const results = await followTasks(context, db, organisation, 'reattempt', [task], plan, drivers)
  return orThrow(results.get(task.awb))
}

/** What was named and is not there. */
export function withMissing(awbs: readonly string[], results: Followed): Followed {
  for (const awb of awbs) if (!results.has(awb)) results.set(awb, new Refusal('TASK_NOT_FOUND'))
  return results
}

/** Drivers who get new tasks, locked before the tasks as everywhere. */
export async function holdDrivers(db: Db, organisationId: number, driverIds: number[]) {
  const locked = driverIds.length > 0 ? await lockDrivers(db, organisationId, driverIds) : []
  const drivers = new Map(locked.map((driver) => [driver.id, driver]))
  const positions = new Map(locked.map(({ id, last_position }) => [id, last_position]))
  return {
    canHave: (driverId: number) => drivers.get(driverId)?.active === true,
    require(driverId: number) {
      const driver = drivers.get(driverId)
      if (!driver) throw unknownInBody('DRIVER_NOT_FOUND', 'userId')
      if (!driver.active) throw new Refusal('DRIVER_INACTIVE', { field: 'userId' })
    },
    nextPosition(driverId: number) {
      const position = (positions.get(driverId) ?? 0) + 1
      positions.set(driverId, position)
      return position
    },
  }
}
