import { setImmediate } from 'node:timers/promises'
import { Refusal } from '../../../contract/errors.ts'
import {
  type AssignedTask,
  type AssignInput,
  type AssignPlan,
  type TaskRefusalCode,
  taskRefusals,
  type UnassignedTask,
} from '../../../contract/planning.ts'
import { type Point, readTraffic } from '../../../core/geo.ts'
import type { Assignment, Quotes } from '../../../core/quote.ts'
import { settingsOf } from '../../../core/settings.ts'
import { Unassigned } from '../../../core/task-status.ts'
import { endOfDay, startOfDay } from '../../../core/time.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/db.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { assignWaitingTasks } from '../../tasks/change/actions.ts'
import { findTaskIds, holdTeams } from '../../tasks/queries.ts'
import { viewTasks } from '../../tasks/read/view.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { assignLimitsFor } from '../problem/search-limits.ts'
import { type Clock, pointOf } from '../problem/stops.ts'
import { listHubPoints, listPlannedDrivers, listRoutesOfToday, listWaitingTasks } from '../queries.ts'
import { optimiseToday } from '../route/optimise.ts'
import { warn, warnOfTasks } from '../warnings.ts'
import { explainAssigned, explainUnassigned } from './explain.ts'
import { type Candidate, describeDriver, type Fleet, type FleetDriver, layOutFleet, type Rules } from './problem.ts'

const mostTasks = 1_000
/** Beyond this the table of ways alone would fill the memory. */
const mostStops = 2_000
/** Others are answered in between. */
const explainedAtOnce = 50

/** Assigns waiting tasks to drivers, or only previews it. Computed without locks; tasks that changed in the meantime are skipped. */
export async function planAssignments(
  context: Context,
  organisation: Organisation,
  input: AssignInput,
): Promise<AssignPlan> {
  const { db } = context
  const clock = { now: context.clock.now(), timezone: organisation.timezone }
  await requireTeam(db, organisation.id, input.teamId)
  const tasks = await findTasks(db, organisation, input, clock)
  return assignTasks(context, organisation, tasks, input, clock)
}

/** How long a plan may take at most, and what ends it earlier. */
interface Patience {
  milliseconds: number
  signal?: AbortSignal
}

/** The same for tasks that were chosen before. */
export async function assignTasks(
  context: Context,
  organisation: Organisation,
  tasks: TaskView[],
  input: Omit<AssignInput, 'tasks' | 'awbs'>,
  clock: Clock,
  patience: Patience = { milliseconds: 5_000 },
): Promise<AssignPlan> {
  const rules = readRules(input)
  const drivers = await findFleet(context.db, organisation.id, input.teamId, rules, clock)
  const own = drivers.reduce((sum, driver) => sum + driver.tasks.length, 0)
  const { candidates, unassigned } = sortOut(tasks, drivers, Math.max(0, mostStops - own))
  const fleet = await layOutFleet(context, drivers, candidates, rules, clock)
  const plan = await findPlan(context, fleet, patience)

  const changed = new Set(input.dryRun ? [] : await carryOut(context, organisation, plan.assigned))
  const assigned = plan.assigned.filter(({ taskId }) => !changed.has(taskId))
  const notOrdered = input.dryRun ? [] : await orderRoutes(context, organisation, assigned, input)
  const tasksOf = (driverIds: number[]) => {
    const theirs = new Set(assigned.flatMap(({ taskId, driverId }) => (driverIds.includes(driverId) ? [taskId] : [])))
    return tasks.filter(({ id }) => theirs.has(id))
  }
  const hubs = await listHubPoints(context.db, organisation.id)
  return {
    dryRun: input.dryRun ?? false,
    traffic: rules.traffic,
    travel: { source: fleet.ways.times.source, isEstimate: fleet.ways.times.isEstimate },
    assigned,
    unassigned: [
      ...plan.unassigned,
      ...unassigned,
      ...tasks.filter(({ id }) => changed.has(id)).map((task) => leaveOut(task, 'CHANGED_MEANWHILE')),
    ],
    drivers: drivers.map(({ driver, tasks: before, refusal }) => ({
      driverId: driver.id,
      driverName: driver.name,
      tasksBefore: before.length,
      tasksAfter: before.length + assigned.filter(({ driverId }) => driverId === driver.id).length,
      ...(refusal && { reason: refusal }),
    })),
    warnings: [
      ...warnOfTasks(tasks, hubs, clock),
      ...(notOrdered.length > 0 ? [warn('NOT_ORDERED', tasksOf(notOrdered))] : []),
      ...fleet.ways.times.warnings.map((sentence) => warn('TRAVEL_TIMES', [], sentence)),
    ],
  }
}

export const readRules = (input: Omit<AssignInput, 'tasks' | 'awbs'>): Rules => ({
  includeOffDuty: input.includeOffDuty ?? false,
  maxTasksPerDriver: input.maxTasksPerDriver,
  maxDistanceMetres: input.maxDistanceMetres,
  traffic: readTraffic(input.traffic),
})

export async function requireTeam(db: Db, organisationId: number, teamId: number | undefined) {
  if (teamId === undefined) return
  const [found] = await holdTeams(db, organisationId, [teamId])
  if (!found) throw new Refusal('TEAM_NOT_FOUND', { status: 400, field: 'teamId' })
}

/** The tasks that were named, each once and all existing; or all waiting ones. */
async function findTasks(db: Db, { id, timezone }: Organisation, input: AssignInput, { now }: Clock) {
  const { tasks: ids = [], awbs = [], teamId } = input
  if (!input.tasks && !input.awbs) return listWaitingTasks(db, id, teamId, endOfDay(now, timezone), mostTasks)
  const byAwb = awbs.length > 0 ? await findTaskIds(db, id, awbs) : []
  const known = new Set(byAwb.map(({ awb }) => awb))
  const missingAwb = awbs.find((awb) => !known.has(awb))
  if (missingAwb !== undefined)
    throw new Refusal('TASK_NOT_FOUND', { status: 400, field: 'awbs', message: `No task has AWB ${missingAwb}` })
  const wanted = [...new Set([...ids, ...byAwb.map((task) => task.id)])]
  const found = await viewTasks(db, id, wanted)
  const missing = ids.find((wantedId) => !found.some((task) => task.id === wantedId))
  if (missing !== undefined)
    throw new Refusal('TASK_NOT_FOUND', { status: 400, field: 'tasks', message: `Task ${missing} not found` })
  return found
}

/** The drivers to choose from, with what they have to do today. */
export async function findFleet(
  db: Db,
  organisationId: number,
  teamId: number | undefined,
  rules: Rules,
  clock: Clock,
): Promise<FleetDriver[]> {
  const { now, timezone } = clock
  const drivers = await listPlannedDrivers(db, organisationId, teamId, startOfDay(now, timezone))
  const driverIds = drivers.map(({ id }) => id)
  const open = await listRoutesOfToday(db, organisationId, driverIds, endOfDay(now, timezone))
  const byDriver = Map.groupBy(open, ({ user_id }) => user_id)
  return drivers.map((driver) => describeDriver(driver, byDriver.get(driver.id) ?? [], rules, clock))
}

const leaveOut = ({ id, awb }: TaskView, reason: keyof typeof taskRefusals): UnassignedTask => ({
  taskId: id,
  awb,
  reason: reason satisfies TaskRefusalCode,
  message: taskRefusals[reason],
  refused: [],
})

/** What can be given away at all, and why the rest cannot. */
function sortOut(tasks: readonly TaskView[], drivers: readonly FleetDriver[], room: number) {
  const candidates: Candidate[] = []
  const unassigned: UnassignedTask[] = []
  for (const task of tasks) {
    const point = pointOf(task)
    if (task.status_id !== Unassigned) unassigned.push(leaveOut(task, 'NOT_WAITING'))
    else if (!point) unassigned.push(leaveOut(task, 'WITHOUT_PLACE'))
    else if (drivers.length === 0) unassigned.push(leaveOut(task, 'NO_DRIVER'))
    else if (candidates.length >= room) unassigned.push(leaveOut(task, 'TOO_MANY_TASKS'))
    else candidates.push({ task, point: point satisfies Point })
  }
  return { candidates, unassigned }
}

async function findPlan({ solvers }: Context, fleet: Fleet, { milliseconds, signal }: Patience) {
  const { problem, candidates, firstCandidate, vehicles } = fleet
  const ids = candidates.map(({ task }) => task.id)
  const limits = assignLimitsFor(ids, problem.stops.length, milliseconds)
  const found: Assignment | undefined =
    vehicles.length > 0 && candidates.length > 0 ? await solvers.run('assign', problem, limits, signal) : undefined
  const vehicleOf = new Map(
    found?.routes.flatMap(({ visits }, vehicle) =>
      visits.map(({ stop }, place) => [stop, { vehicle, place }] as const),
    ),
  )
  const placed = [...candidates.keys()].map((candidate) => {
    const stop = firstCandidate + candidate
    return { candidate, at: vehicleOf.get(stop), quotes: found?.quotes.get(stop) ?? ([] satisfies Quotes) }
  })
  // In the order they are visited, so that appending them already makes a sensible route.
  placed.sort((one, other) => (one.at?.place ?? 0) - (other.at?.place ?? 0))
  const plan: Pick<AssignPlan, 'assigned' | 'unassigned'> = { assigned: [], unassigned: [] }
  for (const [index, { candidate, at, quotes }] of placed.entries()) {
    if (index % explainedAtOnce === 0) await setImmediate()
    if (at) plan.assigned.push(explainAssigned(fleet, candidate, at.vehicle, quotes))
    else plan.unassigned.push(explainUnassigned(fleet, candidate, quotes))
  }
  return plan
}

/** Assigns as by hand. Answers the tasks that were not to be had any more. */
async function carryOut(context: Context, organisation: Organisation, assigned: readonly AssignedTask[]) {
  if (assigned.length === 0) return []
  const results = await assignWaitingTasks(context, organisation, assigned)
  return [...results].flatMap(([taskId, refusal]) => (refusal ? [taskId] : []))
}

/** Optimises the routes that got tasks. Returns the drivers whose route could not be optimised; they keep the tasks. */
async function orderRoutes(
  context: Context,
  organisation: Organisation,
  assigned: readonly AssignedTask[],
  { order = true, traffic }: Omit<AssignInput, 'tasks' | 'awbs'>,
): Promise<number[]> {
  const failed: number[] = []
  if (!order || !settingsOf(organisation).enableRouteOptimization) return failed
  for (const driverId of new Set(assigned.map((task) => task.driverId)))
    await optimiseToday(context, organisation, driverId, { traffic: traffic ?? null }).catch((error) => {
      if (!(error instanceof Refusal)) throw error
      failed.push(driverId)
    })
  return failed
}
