import { Refusal } from '../../contract/errors.ts'
import { startingByItself } from '../../core/automatic-start.ts'
import { settingsOf } from '../../core/settings.ts'
import { stopWith } from '../../core/stop.ts'
import { dayOf, isOfToday } from '../../core/task-day.ts'
import { Assigned, InTransit } from '../../core/task-status.ts'
import { triggers } from '../../core/triggers.ts'
import { type Context, contextOf, type Service, system } from '../context.ts'
import { getTime } from '../db/clock.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { commitWithEvents } from '../events/record.ts'
import type { Organisation } from '../organisations/queries.ts'
import { changeTasks, type TaskChange } from '../tasks/change/change.ts'
import { isOpen } from '../tasks/read/conditions.ts'
import { lockDriver } from '../tasks/read/drivers.ts'
import { lockOpenTasksOfDriver } from '../tasks/read/lock.ts'
import type { TaskView } from '../tasks/tables.ts'
import { start } from './sync/decide.ts'

/*
 * The first stop of a route starts by itself, if the organisation wants that. What to do follows from the database, so
 * a round that comes late starts what is due then, and two processes start it once.
 */

/** Drivers on duty with a task that may be due and nothing in transit. Whether it is the first, the rule says. */
const listCandidates = (db: Db) =>
  db.many<{ organisation: Organisation; driver_id: number }>(sql`
    select row_to_json(o) as organisation, u.id as driver_id
    from organisations o
    join users u on u.organisation_id = o.id and u.is_driver and u.in_shift and u.deleted_at is null
    where (o.settings ->> 'automaticStart')::boolean
      and exists (
        select from tasks t
        where t.organisation_id = o.id and t.user_id = u.id and t.status_id = ${Assigned} and t.${isOpen}
          and t.deleted_at is null and coalesce(t.complete_after, t.complete_before) <= now())
      and not exists (
        select from tasks t
        where t.organisation_id = o.id and t.user_id = u.id and t.status_id = ${InTransit} and t.${isOpen}
          and t.deleted_at is null)
    order by o.id, u.id`)

/** Whether a task was ever started by itself: what people undid is not done again. */
const hasStartedByItself = async (db: Db, organisationId: number, taskId: number) =>
  (await db.run(sql`
    select from events
    where organisation_id = ${organisationId} and task_id = ${taskId}
      and trigger_id = ${triggers.TASK_START.id} and actor_type = ${system.type}
    limit 1`)) > 0

export async function startTasks(service: Service, stopping: AbortSignal) {
  for (const { organisation, driver_id } of await listCandidates(service.database.everyone)) {
    if (stopping.aborted) return
    await startFirst(contextOf(service, organisation.id, system), organisation, driver_id)
  }
}

async function startFirst(context: Context, organisation: Organisation, driverId: number) {
  await commitWithEvents(context, async (db) => {
    const driver = await lockDriver(db, organisation.id, driverId)
    if (!driver?.in_shift) return
    const open = await lockOpenTasksOfDriver(db, organisation.id, driverId)
    const now = await getTime(db)
    const [first, ...together] = findFirst(open, organisation, now)
    if (!first || (await hasStartedByItself(db, organisation.id, first.id))) return
    const change = tryToStart(organisation, first, now)
    if (!change) return
    const changes = [change]
    for (const task of together) {
      if (await hasStartedByItself(db, organisation.id, task.id)) continue
      const another = tryToStart(organisation, task, now)
      if (another) changes.push(another)
    }
    await changeTasks(context, db, organisation, changes, now)
  })
}

/** The task that is due, and the others of its stop: the driver goes there once. */
function findFirst(open: readonly TaskView[], organisation: Organisation, now: Date): TaskView[] {
  const { timezone } = organisation
  const today = dayOf(now, timezone)
  const route = open
    .toSorted((one, other) => (one.route_position ?? 0) - (other.route_position ?? 0) || one.id - other.id)
    .map((task) => ({
      task,
      statusId: task.status_id,
      completeAfter: task.complete_after,
      completeBefore: task.complete_before,
    }))
    .filter((task) => isOfToday(task, today, timezone))
  const { automaticStartField } = settingsOf(organisation)
  const first = startingByItself(route, automaticStartField, now, timezone)
  return first ? stopWith(route, first, ({ task }) => task.address).map(({ task }) => task) : []
}

/** Like the driver's own start: not before the task is accepted, nor before those it depends on are done. */
function tryToStart(organisation: Organisation, task: TaskView, now: Date): TaskChange | undefined {
  try {
    return start(settingsOf(organisation), task, now)
  } catch (refusal) {
    if (refusal instanceof Refusal) return undefined
    throw refusal
  }
}
