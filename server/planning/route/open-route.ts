import { Refusal } from '../../../contract/errors.ts'
import { Assigned, InTransit } from '../../../core/task-status.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { listRoute } from '../../tasks/list/queries.ts'
import { viewTasks } from '../../tasks/read/view.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { boundsOfDay, type Clock, clockFor } from '../problem/clock.ts'
import { isOfPlannedDay } from '../problem/stops.ts'
import { findPlannedDriver, type PlannedDriver } from '../queries.ts'

/** Beyond this the travel matrix alone would fill the memory. */
export const mostTasks = 2_000

/** A driver and their open tasks, in the current order. */
export interface OpenRoute {
  driver: PlannedDriver
  /** Of the day that is planned; today's include those left from earlier days. */
  ofDay: TaskView[]
  others: TaskView[]
  clock: Clock
}

/** Reads without locking, so that planning blocks nothing. */
export async function getOpenRoute(
  { db, clock: { now } }: Context,
  { id: organisationId, timezone }: Organisation,
  driverId: number,
  wanted?: string | null,
): Promise<OpenRoute> {
  const clock = clockFor(now(), timezone, wanted)
  const driver = await findPlannedDriver(db, organisationId, driverId, boundsOfDay(clock))
  if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
  const open = await listOpenTasks(db, organisationId, driverId, 2 * mostTasks)
  const { ofDay = [], others = [] } = Object.groupBy(open, (task) => (isOfPlannedDay(task, clock) ? 'ofDay' : 'others'))
  return { driver, ofDay, others, clock }
}

/** A driver's open tasks in the order of the route, without locking them. */
export async function listOpenTasks(
  db: Db,
  organisationId: number,
  driverId: number,
  most: number,
): Promise<TaskView[]> {
  const filter = { userId: driverId, statusIds: [Assigned, InTransit] }
  const stops = await listRoute(db, organisationId, filter, { isEnded: false, position: -1, id: 0 }, most)
  return viewTasks(
    db,
    organisationId,
    stops.map(({ id }) => id),
  )
}
