import { Refusal } from '../../../contract/errors.ts'
import { Assigned, InTransit } from '../../../core/task-status.ts'
import { startOfDay } from '../../../core/time.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { listRoute } from '../../tasks/list/queries.ts'
import { viewTasks } from '../../tasks/read/view.ts'
import type { TaskView } from '../../tasks/tables.ts'
import type { Clock } from '../problem/clock.ts'
import { isToday } from '../problem/stops.ts'
import { findPlannedDriver, type PlannedDriver } from '../queries.ts'

/** Beyond this the travel matrix alone would fill the memory. */
export const mostTasks = 2_000

/** A driver and their open tasks, in the current order. */
export interface OpenRoute {
  driver: PlannedDriver
  /** Including those left from earlier days. */
  today: TaskView[]
  later: TaskView[]
  clock: Clock
}

/** Reads without locking, so that planning blocks nothing. */
export async function getOpenRoute(
  { db, clock: { now } }: Context,
  { id: organisationId, timezone }: Organisation,
  driverId: number,
): Promise<OpenRoute> {
  const clock = { now: now(), timezone }
  const driver = await findPlannedDriver(db, organisationId, driverId, startOfDay(clock.now, timezone))
  if (!driver) throw new Refusal('DRIVER_NOT_FOUND')
  const open = await listOpenTasks(db, organisationId, driverId, 2 * mostTasks)
  const today = open.filter((task) => isToday(task, clock))
  return { driver, today, later: open.filter((task) => !isToday(task, clock)), clock }
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
