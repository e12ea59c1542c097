import { setImmediate as nextTurn } from 'node:timers/promises'
import { distanceMetres, readTraffic } from '../../../core/geo.ts'
import { settingsOf } from '../../../core/settings.ts'
import { type Context, contextOf, type Service, system } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import { announceArrival } from '../../events/hints.ts'
import { commitWithEvents } from '../../events/record.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { arrivalOf, isAwaited, willBeDelayed } from '../../tasks/arrival.ts'
import { changeTasks, type TaskChange } from '../../tasks/change/change.ts'
import { keepPromises } from '../../tasks/promises.ts'
import { lockTasks } from '../../tasks/read/lock.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { boundsOfDay, type Clock, clockFor } from '../problem/clock.ts'
import { isInTransit, pointOf } from '../problem/stops.ts'
import { listDriversById, type PlannedDriver } from '../queries.ts'
import { layOutOrder } from '../route/day.ts'
import { mostTasks } from '../route/open-route.ts'
import { timeRoute } from '../route/timetable.ts'
import {
  claimDrivers,
  type FollowedTask,
  listNearby,
  listRoutes,
  type Nearby,
  saveArrivals,
  saveToldArrivals,
} from './queries.ts'

/*
 * Arrivals follow drivers on duty: from where they are, along their route, as planning computes it. What to do follows
 * from the database, and a claim that comes to nothing is made again a minute later, so a restart repeats and misses
 * nothing (docs/decisions/0023).
 */

const pace = { newsSeconds: 10, quietSeconds: 60 }
const atOnce = 200

/** An arrival that moves by less stays as it is: nobody plans to the second, and every write costs. */
const sameMs = 60_000

/** One round over the drivers who are due. */
export async function followDrivers(service: Service, stopping: AbortSignal) {
  const faults: unknown[] = []
  while (!stopping.aborted) {
    const claimed = await claimDrivers(service.database.everyone, pace, atOnce)
    for (const { organisation, ids } of claimed) {
      const context = contextOf(service, organisation.id, system)
      // What is wrong in one organisation is no reason to leave out the others.
      await follow(context, organisation, ids).catch((fault) => faults.push(fault))
    }
    if (claimed.reduce((count, { ids }) => count + ids.length, 0) < atOnce) break
  }
  if (faults.length > 0) throw faults[0]
}

async function follow(context: Context, organisation: Organisation, driverIds: number[]) {
  const { db } = context
  const { id, timezone } = organisation
  await noteArrivals(context, organisation, driverIds)
  const clock = clockFor(context.clock.now(), timezone)
  const drivers = await listDriversById(db, id, driverIds, boundsOfDay(clock))
  const routes = Map.groupBy(
    await listRoutes(db, id, driverIds, boundsOfDay(clock).end, mostTasks),
    ({ user_id }) => user_id,
  )
  const moved: MovedArrival[] = []
  for (const driver of drivers) {
    moved.push(...(await findMoved(context, driver, routes.get(driver.id) ?? [], clock)))
    await nextTurn()
  }
  const isFlagChanged = ({ task, etaAt }: MovedArrival) =>
    willBeDelayed({ ...task, eta_at: etaAt }, clock.now) !== task.will_be_delayed
  await announceDelays(context, organisation, moved.filter(isFlagChanged))
  const others = moved.filter((one) => !isFlagChanged(one))
  await moveArrivals(
    context,
    id,
    others.filter(({ task }) => task.owner_id === null),
  )
  await moveSharedArrivals(
    context,
    id,
    others.filter(({ task }) => task.owner_id !== null),
  )
}

interface MovedArrival {
  task: FollowedTask
  etaAt: Date
}

/** The arrivals of a route that are other than they were. Where a task without coordinates is, nobody knows. */
async function findMoved(
  context: Context,
  driver: PlannedDriver,
  route: FollowedTask[],
  clock: Clock,
): Promise<MovedArrival[]> {
  if (route.length === 0) return []
  const day = await layOutOrder(context, { driver, clock }, route, readTraffic(null))
  const { stops } = timeRoute(day, [...route.keys()])
  return route.flatMap((task, index) => {
    const etaAt = new Date(stops[index]?.arrivalTime as string)
    const known = arrivalOf(task)
    const isSame = known !== null && Math.abs(known.getTime() - etaAt.getTime()) < sameMs
    return pointOf(task) && isAwaited(task) && !isSame ? [{ task, etaAt }] : []
  })
}

/** Arrivals that change whether a task will be late: each with an event. */
async function announceDelays(context: Context, organisation: Organisation, moved: MovedArrival[]) {
  if (moved.length === 0) return
  const known = new Map(moved.map((one) => [one.task.id, one]))
  await change(context, organisation, [...known.keys()], (before, now) => {
    const { task, etaAt } = known.get(before.id) as MovedArrival
    const isSame = before.updated_at.getTime() === task.updated_at.getTime()
    if (!isSame || willBeDelayed({ ...before, eta_at: etaAt }, now) === before.will_be_delayed) return undefined
    return { set: { eta_at: etaAt } }
  })
}

/** The others: stored, and told to those who look. */
async function moveArrivals({ db, clock, notices }: Context, organisationId: number, moved: MovedArrival[]) {
  if (moved.length === 0) return
  const given = moved.map(({ task: { id, updated_at }, etaAt }) => ({ id, eta_at: etaAt, updated_at }))
  const stored = await db.transaction(async (db) => {
    const stored = await saveArrivals(db, organisationId, given)
    const told = stored.map(({ id, eta_at }) => ({ task_id: id, eta_at }))
    if (told.length > 0) await keepPromises(db, organisationId, told, clock.now())
    return stored
  })
  for (const { id, eta_at } of stored)
    announceArrival(notices, organisationId, { taskId: id, etaAt: eta_at.toISOString() })
}

/** Those of tasks that are done for partners, who see them too. All rows of such a task are locked, so this one waits. */
async function moveSharedArrivals({ db, clock, notices }: Context, organisationId: number, moved: MovedArrival[]) {
  if (moved.length === 0) return
  const known = new Map(moved.map((one) => [one.task.id, one]))
  const told = await db.transaction(async (db) => {
    const locked = await lockTasks(db, organisationId, [...known.keys()])
    const isSame = ({ id, updated_at }: TaskView) =>
      updated_at.getTime() === (known.get(id) as MovedArrival).task.updated_at.getTime()
    const given = locked.filter(isSame).map(({ id }) => ({ id, eta_at: (known.get(id) as MovedArrival).etaAt }))
    return tellUpwards(db, organisationId, given, clock.now())
  })
  for (const { organisationId, id, eta_at } of told)
    announceArrival(notices, organisationId, { taskId: id, etaAt: eta_at.toISOString() })
}

interface ToldArrival {
  organisationId: number
  id: number
  eta_at: Date
}

/** Writes arrivals here, with the owner, and so on to the first one. */
async function tellUpwards(
  db: Db,
  organisationId: number,
  given: { id: number; eta_at: Date }[],
  now: Date,
): Promise<ToldArrival[]> {
  if (given.length === 0) return []
  const stored = await saveToldArrivals(db, organisationId, given)
  await keepPromises(
    db,
    organisationId,
    given.map(({ id, eta_at }) => ({ task_id: id, eta_at })),
    now,
  )
  const told = given.map((one) => ({ organisationId, ...one }))
  for (const [ownerId, theirs] of Map.groupBy(stored, ({ owner_id }) => owner_id)) {
    if (ownerId === null) continue
    const rows = theirs.map(({ owner_task_id, eta_at }) => ({ id: owner_task_id as number, eta_at: eta_at as Date }))
    told.push(...(await tellUpwards(db.as(ownerId), ownerId, rows, now)))
  }
  return told
}

/** Drivers who were near enough to a task they have in transit have arrived, wherever they are now. */
async function noteArrivals(context: Context, organisation: Organisation, driverIds: number[]) {
  const metres = settingsOf(organisation).locationTrackingDistance2
  const near = await listNearby(context.db, organisation.id, driverIds, metres)
  const isThere = ({ lat, lng, task_lat, task_lng }: Nearby) =>
    distanceMetres({ lat, lng }, { lat: task_lat, lng: task_lng }) <= metres
  const comings = new Map<number, Nearby>()
  for (const one of near) if (isThere(one) && !comings.has(one.id)) comings.set(one.id, one)
  if (comings.size === 0) return
  await change(context, organisation, [...comings.keys()], (task) => {
    const { driver_id, occurred_at, lat, lng } = comings.get(task.id) as Nearby
    if (!isInTransit(task) || task.user_id !== driver_id) return undefined
    if (task.driver_arrived || task.arrival_taken_back) return undefined
    return { set: { driver_arrived: true }, happened: { at: occurred_at, lat, lng } }
  })
}

/** Changes locked tasks, unless it turns out that there is nothing to change any more. */
async function change(
  context: Context,
  organisation: Organisation,
  ids: number[],
  decide: (task: TaskView, now: Date) => Pick<TaskChange, 'set' | 'happened'> | undefined,
) {
  await commitWithEvents(context, async (db) => {
    const locked = await lockTasks(db, organisation.id, ids)
    const now = context.clock.now()
    const changes = locked.flatMap((before) => {
      const decided = decide(before, now)
      return decided ? [{ before, ...decided, fires: ['TASK_UPDATED'] as const }] : []
    })
    await changeTasks(context, db, organisation, changes, now)
  })
}
