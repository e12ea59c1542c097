import { settingsOf } from '../../core/settings.ts'
import { stopsOf } from '../../core/stop.ts'
import { Assigned, InTransit } from '../../core/task-status.ts'
import { endOfDay } from '../../core/time.ts'
import { contextOf, type Service, system } from '../context.ts'
import type { Db } from '../db/db.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import { getOrganisation, type Organisation } from '../organisations/queries.ts'
import { noteCaused } from '../tasks/noted-messages/note.ts'
import { findDoers, type Link, linkColumns } from '../tasks/read/chain.ts'
import { expectedAt, hasArrived, isOfToday, tellsCustomer } from '../tasks/read/conditions.ts'
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

interface Ahead {
  id: number
  user_id: number
  lat: number | null
  lng: number | null
  precision: string | null
  address: string
  city: string | null
  /** It would be told if few enough stops are before it. */
  is_near: boolean
  /** It is told, because the driver is expected soon. */
  is_soon: boolean
}

/** How many tasks more than the stops asked for are read: several at one place are one stop. */
const atOnePlace = 20

/** For tasks `t` of an organisation: their customers are to be told by it, and were not yet. */
const isUntold = sql`
  t.send_notifications and ${tellsCustomer} and not ${hasArrived} and not exists (
    select from messages m
    where m.organisation_id = t.organisation_id and m.task_id = t.id and m.cause = 'nextStop')`

interface Search {
  stops: number
  minutes: number
  dayEnd: Date
  /** Which tasks `t` are looked for, and in which routes. */
  wanted: Sql
  routes: Sql
}

/**
 * The routes of drivers who are on their way, up to the last task that is looked for and has few tasks before it or
 * is expected soon. A task that is itself on its way is told by the minutes only: its customer was told when it was
 * started.
 */
const listAhead = (db: Db, organisationId: number, { stops, minutes, dayEnd, wanted, routes }: Search) =>
  db.many<Ahead>(sql`
    select id, user_id, lat, lng, precision, address, city, is_near, is_soon from (
      select *, max(place) filter (where is_near or is_soon) over (partition by user_id) as last_place
      from (
        select r.*,
          is_untold and status_id = ${Assigned} and place <= ${stops}::int + ${atOnePlace} and ${stops}::int > 0 as is_near,
          is_untold and ${minutes}::int > 0 and coalesce(arrival <= now() + make_interval(mins => ${minutes}::int), false)
            as is_soon
        from (
          select t.id, t.user_id, t.status_id, a.lat, a.lng, a.precision, a.address, a.city,
            ${expectedAt} as arrival,
            row_number() over route - 1 as place,
            bool_or(t.status_id = ${InTransit}) over (partition by t.user_id) as is_underway,
            ${wanted} as is_untold
          from tasks t
          join users u on u.organisation_id = t.organisation_id and u.id = t.user_id and u.in_shift
          join addresses a on a.organisation_id = t.organisation_id and a.task_id = t.id
          where t.organisation_id = ${organisationId} and t.deleted_at is null and ${isOfToday(dayEnd)} and ${routes}
          window route as (partition by t.user_id order by t.status_id = ${InTransit} desc, t.route_position, t.id)
        ) r
        where r.is_underway
      ) judged
    ) ahead
    where place <= last_place
    order by user_id, place`)

/** Who is told, each with the number of stops before them. */
function findNext(ahead: readonly Ahead[], mostStops: number): Map<number, number> {
  const next = new Map<number, number>()
  for (const route of Map.groupBy(ahead, ({ user_id }) => user_id).values())
    for (const [stopsBefore, stop] of stopsOf(route, (task) => task).entries())
      for (const { id, is_near, is_soon } of stop)
        if (is_soon || (is_near && stopsBefore <= mostStops)) next.set(id, stopsBefore)
  return new Map([...next].slice(0, atOnce))
}

/** The same of tasks given to partners, whose drivers' routes say when: only that is asked of a partner. */
async function findNextOfPartners(
  db: Db,
  organisation: Organisation,
  search: Pick<Search, 'stops' | 'minutes'>,
  now: Date,
) {
  const given = await listGiven(db, organisation.id, endOfDay(now, organisation.timezone))
  const doers = await findDoers(db, given)
  const next = new Map<number, number>()
  for (const [partnerId, tasks] of Map.groupBy(doers, ({ organisationId }) => organisationId)) {
    const theirs = db.as(partnerId)
    const { timezone } = await getOrganisation(theirs, partnerId)
    const ids = sql`any(${tasks.map(({ taskId }) => taskId)}::bigint[])`
    const ahead = await listAhead(theirs, partnerId, {
      ...search,
      dayEnd: endOfDay(now, timezone),
      wanted: sql`t.id = ${ids}`,
      // Of a courier that works for many, only the routes with a task of this one.
      routes: sql`t.user_id = any(array(
        select user_id from tasks where organisation_id = ${partnerId} and id = ${ids} and user_id is not null))`,
    })
    const found = findNext(ahead, search.stops)
    for (const { ownId, taskId } of tasks) {
      const stopsBefore = found.get(taskId)
      if (stopsBefore !== undefined) next.set(ownId, stopsBefore)
    }
  }
  return next
}

/** What partners do today for an organisation that tells the customers itself. */
const listGiven = (db: Db, organisationId: number, dayEnd: Date) =>
  db.many<Link>(sql`
    select ${linkColumns} from tasks t
    where t.organisation_id = ${organisationId} and t.status_id in (${raw(`${Assigned}, ${InTransit}`)})
      and t.deleted_at is null and t.fulfiller_id is not null and ${isOfToday(dayEnd)} and ${isUntold}
    order by t.id`)

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
  const own = await listAhead(context.db, organisation.id, {
    stops,
    minutes,
    dayEnd,
    wanted: isUntold,
    routes: sql`true`,
  })
  const others = await findNextOfPartners(context.db, organisation, { stops, minutes }, now)
  const stopsBefore = new Map([...findNext(own, stops), ...others].slice(0, atOnce))
  if (stopsBefore.size === 0) return 0
  await context.db.transaction(async (db) => {
    const tasks = await lockTasks(db, organisation.id, [...stopsBefore.keys()])
    // What changed since it was found is found again, or not.
    const still = tasks.filter(({ status_id }) => status_id === Assigned || status_id === InTransit)
    const caused = still.map((task) => ({
      task,
      cause: 'nextStop' as const,
      at: now,
      stopsBefore: stopsBefore.get(task.id) ?? 0,
    }))
    await noteCaused(context, db, organisation, caused, now)
  })
  context.announceEvents()
  return stopsBefore.size
}
