import { setImmediate } from 'node:timers/promises'
import { Refusal } from '../../../contract/errors.ts'
import type { AssignedTask, AssignInput, AssignPlan } from '../../../contract/planning.ts'
import type { Assignment, Quotes } from '../../../core/quote.ts'
import { settingsOf } from '../../../core/settings.ts'
import type { Context } from '../../context.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { assignWaitingTasks } from '../../tasks/change/assign.ts'
import { listConflicted } from '../../tasks/read/conflicted.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { type Clock, clockFor } from '../problem/clock.ts'
import { assignLimitsFor } from '../problem/search-limits.ts'
import { listHubPoints } from '../queries.ts'
import { optimiseRoute } from '../route/optimise.ts'
import { warn, warnOfTasks } from '../warnings.ts'
import { findTasks, leaveOut, requireTeam, sortOut } from './candidates.ts'
import { findFleet, readRules } from './drivers.ts'
import { explainAssigned, explainUnassigned } from './explain.ts'
import { previewRoutes } from './preview.ts'
import { appendingTo, type Fleet, layOutFleet } from './problem.ts'

/** Beyond this the travel matrix alone would fill the memory. */
const mostStops = 2_000
/** Other requests are answered in between. */
const explainedAtOnce = 50

/** Assigns waiting tasks to drivers, or only previews it. Computed without locks; tasks that changed in the meantime are skipped. */
export async function planAssignments(
  context: Context,
  organisation: Organisation,
  input: AssignInput,
): Promise<AssignPlan> {
  const { db } = context
  const clock = clockFor(context.clock.now(), organisation.timezone, input.day)
  await requireTeam(db, organisation.id, input.teamId)
  const tasks = await findTasks(db, organisation, input, clock)
  return assignTasks(context, organisation, tasks, input, clock)
}

/** The time limit of a plan, and what ends it earlier. */
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
  const ids = tasks.map(({ id }) => id)
  const conflicted = await listConflicted(context.db, organisation.id, ids)
  const { candidates, unassigned } = sortOut(tasks, drivers, Math.max(0, mostStops - own), clock, conflicted)
  const isOrdered = ordersAfterwards(organisation, input)
  const laidOut = await layOutFleet(context, drivers, candidates, rules, clock)
  // A time is promised at the place where the task will be.
  const fleet = isOrdered ? laidOut : appendingTo(laidOut)
  const { found, ...plan } = await findPlan(context, fleet, patience)

  const changed = new Set(input.dryRun ? [] : await carryOut(context, organisation, plan.assigned))
  const assigned = plan.assigned.filter(({ taskId }) => !changed.has(taskId))
  const notOrdered = input.dryRun || !isOrdered ? [] : await orderRoutes(context, organisation, assigned, input)
  const tasksOf = (driverIds: number[]) => {
    const theirs = new Set(assigned.flatMap(({ taskId, driverId }) => (driverIds.includes(driverId) ? [taskId] : [])))
    return tasks.filter(({ id }) => theirs.has(id))
  }
  const hubs = await listHubPoints(context.db, organisation.id)
  const routes = input.dryRun ? await previewRoutes(context, fleet, found, tasks, isOrdered) : []
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
    routes,
    warnings: [
      ...warnOfTasks(tasks, hubs, clock),
      ...(notOrdered.length > 0 ? [warn('NOT_ORDERED', tasksOf(notOrdered))] : []),
      ...fleet.ways.times.warnings.map((sentence) => warn('TRAVEL_TIMES', [], sentence)),
    ],
  }
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
  return { ...plan, found: found?.routes ?? [] }
}

/** Assigns as by hand. Returns the tasks that were no longer available. */
async function carryOut(context: Context, organisation: Organisation, assigned: readonly AssignedTask[]) {
  if (assigned.length === 0) return []
  const results = await assignWaitingTasks(context, organisation, assigned)
  return [...results].flatMap(([taskId, refusal]) => (refusal ? [taskId] : []))
}

const ordersAfterwards = (organisation: Organisation, { order = true }: Pick<AssignInput, 'order'>) =>
  order && settingsOf(organisation).enableRouteOptimization

/** Optimises the routes that got tasks. Returns the drivers whose route could not be optimised; they keep the tasks. */
async function orderRoutes(
  context: Context,
  organisation: Organisation,
  assigned: readonly AssignedTask[],
  input: Omit<AssignInput, 'tasks' | 'awbs'>,
): Promise<number[]> {
  const { traffic, day } = input
  const failed: number[] = []
  for (const driverId of new Set(assigned.map((task) => task.driverId)))
    await optimiseRoute(context, organisation, driverId, { traffic: traffic ?? null, day: day ?? null }).catch(
      (error) => {
        if (!(error instanceof Refusal)) throw error
        failed.push(driverId)
      },
    )
  return failed
}
