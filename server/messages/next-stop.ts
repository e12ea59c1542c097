import { settingsOf } from '../../core/settings.ts'
import { Assigned, InTransit } from '../../core/task-status.ts'
import { endOfDay } from '../../core/time.ts'
import { contextOf, type Service, system } from '../context.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Organisation } from '../organisations/queries.ts'
import { noteCaused } from '../tasks/messages/note.ts'
import { hasArrived, isOfToday } from '../tasks/read/conditions.ts'
import { lockTasks } from '../tasks/read/lock.ts'

/*
 * Finds customers who are one of the next stops. That follows from the route and the time, not from one change, so it is
 * looked for: what to do follows from the database, and each task is found once, because then it has its message.
 */

const atOnce = 200

/** Organisations that want it. */
const listOrganisations = (db: Db) =>
  db.many<{ organisation: Organisation }>(sql`
    select row_to_json(o) as organisation from organisations o
    where o.settings ->> 'messageNextStop' = 'true'
    order by o.id`)

interface Next {
  id: number
  stops_before: number
}

/**
 * Tasks of drivers who are on their way, with few stops before them or expected soon, that were not told yet. A task that
 * is itself on its way is told by the minutes only: its customer was told when it was started.
 */
const listNext = (
  db: Db,
  organisationId: number,
  { stops, minutes, dayEnd }: { stops: number; minutes: number; dayEnd: Date },
) =>
  db.many<Next>(sql`
    select r.id, r.stops_before::int from (
      select t.id, t.status_id, ${hasArrived} as has_arrived, t.send_notifications,
        coalesce(t.eta_at, (t.route ->> 'arrivalTime')::timestamptz) as arrival,
        row_number() over route - 1 as stops_before,
        bool_or(t.status_id = ${InTransit}) over (partition by t.user_id) as is_underway
      from tasks t
      join users u on u.organisation_id = t.organisation_id and u.id = t.user_id and u.in_shift
      where t.organisation_id = ${organisationId} and t.deleted_at is null and ${isOfToday(dayEnd)}
      window route as (partition by t.user_id order by t.status_id = ${InTransit} desc, t.route_position, t.id)
    ) r
    where r.is_underway and r.send_notifications and not r.has_arrived
      and (r.status_id = ${Assigned} and r.stops_before <= ${stops}::int and ${stops}::int > 0
        or ${minutes}::int > 0 and r.arrival <= now() + make_interval(mins => ${minutes}::int))
      and not exists (
        select from messages m
        where m.organisation_id = ${organisationId} and m.task_id = r.id and m.cause = 'nextStop')
    order by r.id
    limit ${atOnce}`)

/** One round over all organisations. */
export async function tellNextStops(service: Service, stopping: AbortSignal) {
  for (const { organisation } of await listOrganisations(service.database.everyone))
    while (!stopping.aborted && (await tellSome(service, organisation)) === atOnce);
}

async function tellSome(service: Service, organisation: Organisation): Promise<number> {
  const { messageNextStopStops: stops, messageNextStopMinutes: minutes } = settingsOf(organisation)
  const context = contextOf(service, organisation.id, system)
  const now = service.clock.now()
  const dayEnd = endOfDay(now, organisation.timezone)
  const next = await listNext(context.db, organisation.id, { stops, minutes, dayEnd })
  if (next.length === 0) return 0
  const stopsBefore = new Map(next.map(({ id, stops_before }) => [id, stops_before]))
  await context.db.transaction(async (db) => {
    const tasks = await lockTasks(db, organisation.id, [...stopsBefore.keys()])
    // What changed since it was found is found again, or not.
    const still = tasks.filter(({ status_id }) => status_id === Assigned || status_id === InTransit)
    const caused = still.map((task) => ({
      ...{ task, cause: 'nextStop' as const, at: now },
      stopsBefore: stopsBefore.get(task.id) ?? 0,
    }))
    await noteCaused(context, db, organisation, caused, now)
  })
  context.announceEvents()
  return next.length
}
