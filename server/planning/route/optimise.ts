import { mostLines } from '../../../contract/limits.ts'
import type { OptimiseInput, RouteSummary } from '../../../contract/planning.ts'
import { readTraffic } from '../../../core/geo.ts'
import { evaluateOrder } from '../../../core/optimise/order.ts'
import { settingsOf } from '../../../core/settings.ts'
import type { Context } from '../../context.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { forbiddenBySetting } from '../../organisations/refusals.ts'
import { listConflicted } from '../../tasks/read/conflicted.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { limitsFor } from '../problem/search-limits.ts'
import { compareOrders } from './compare.ts'
import type { Day } from './day.ts'
import { layOutDay } from './day.ts'
import { arrangeTasks, bodyOf } from './fixed-ends.ts'
import { keepPlaces, keepsDependencies } from './held-places.ts'
import { getOpenRoute, mostTasks } from './open-route.ts'
import { saveRoute } from './save.ts'
import type { PlannedOrder } from './timetable.ts'

/**
 * Puts a driver's open tasks of a day into the best order we find, never a worse one than the current. The search holds
 * no lock, so nothing waits; changes in the meantime are merged when the order is saved.
 */
export async function optimiseRoute(
  context: Context,
  organisation: Organisation,
  driverId: number,
  { day: wanted, traffic, dryRun }: OptimiseInput,
  /** How many lines along the streets a preview may have. */
  lines = mostLines,
): Promise<RouteSummary> {
  if (!settingsOf(organisation).enableRouteOptimization) throw forbiddenBySetting('enableRouteOptimization')
  const open = await getOpenRoute(context, organisation, driverId, wanted)
  const tasks = open.ofDay.slice(0, mostTasks)
  const day = await layOutDay(context, open, tasks, readTraffic(traffic))
  const ids = tasks.map(({ id }) => id)
  const conflicted = await listConflicted(context.db, organisation.id, ids)
  const order = keepPlaces(day, await findOrder(context, day, conflicted), conflicted)
  if (tasks.length > 0 && !dryRun) await saveRoute(context, organisation, driverId, day, order)
  return compareOrders(context, organisation, day, order, open, dryRun ? lines : 0)
}

/** Tasks in transit come first and those without a place last; in between, the best order of those that can be moved. */
async function findOrder({ solvers }: Context, day: Day, conflicted: ReadonlySet<number>): Promise<PlannedOrder> {
  const { head, body: middle, tail } = arrangeTasks(day.tasks)
  const body = middle.filter((stop) => !conflicted.has((day.tasks[stop] as TaskView).id))
  const given = [...head, ...body, ...tail]
  if (body.length < 2) return { order: given }
  const { problem, pinned } = bodyOf(day, head, body)
  const ids = body.map((stop) => (day.tasks[stop] as TaskView).id)
  const { routes, unserved } = await solvers.run('solve', problem, limitsFor(ids))
  const route = routes[0]
  const visited = [...(route?.visits.map(({ stop }) => stop) ?? []), ...unserved].slice(pinned)
  const order = [...head, ...visited.map((stop) => body[stop - pinned] as number), ...tail]
  const lunchPosition = route?.lunch && head.length - pinned + route.lunch.position
  // The search knows less of the ends than the whole day.
  const costOf = (stops: number[], lunch?: number) => evaluateOrder(day.problem, stops, lunch).cost.total
  const isWorse = costOf(order, lunchPosition) > costOf(given)
  return isWorse && keepsDependencies(day, given) ? { order: given } : { order, lunchPosition }
}
