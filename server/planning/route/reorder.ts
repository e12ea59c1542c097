import { Refusal, unknownInBody } from '../../../contract/errors.ts'
import { mostLines } from '../../../contract/limits.ts'
import type { OrderInput, RouteSummary } from '../../../contract/planning.ts'
import { readTraffic } from '../../../core/geo.ts'
import type { Context } from '../../context.ts'
import type { Organisation } from '../../organisations/queries.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { isInTransit, precedencesIn } from '../problem/stops.ts'
import { compareOrders } from './compare.ts'
import { layOutDay } from './day.ts'
import { getOpenRoute, mostTasks, type OpenRoute } from './open-route.ts'
import { saveRoute } from './save.ts'

/**
 * Puts a driver's open tasks into a given order: the named ones first, then the others in their current order.
 * Tasks in transit stay first, and tasks of other days before or after those of the day, today's or the one asked for.
 */
export async function orderTasks(
  context: Context,
  organisation: Organisation,
  driverId: number,
  { tasks: wanted, day: wantedDay, traffic, dryRun }: OrderInput,
): Promise<RouteSummary> {
  const open = await getOpenRoute(context, organisation, driverId, wantedDay)
  requireOpenTasks(wanted, open)
  const [ofDay, others] = [inOrder(open.ofDay, wanted), inOrder(open.others, wanted)]
  for (const tasks of [ofDay, others]) requirePrecedence(tasks, wanted)

  const planned = new Set(ofDay.slice(0, mostTasks))
  const tasks = open.ofDay.filter((task) => planned.has(task))
  const day = await layOutDay(context, open, tasks, readTraffic(traffic))
  const indexes = new Map(tasks.map((task, index) => [task, index]))
  const order = { order: [...planned].map((task) => indexes.get(task) as number) }
  const behind = [...ofDay.slice(mostTasks), ...others].map(({ id }) => id)
  if (!dryRun) await saveRoute(context, organisation, driverId, day, order, behind)
  return compareOrders(context, organisation, day, order, open, dryRun ? mostLines : 0)
}

function requireOpenTasks(wanted: readonly number[], { ofDay, others }: OpenRoute) {
  const known = new Set([...ofDay, ...others].map(({ id }) => id))
  const missing = wanted.find((id) => !known.has(id))
  if (missing !== undefined) throw unknownInBody('TASK_NOT_FOUND', 'tasks', `The driver has no open task ${missing}`)
  const twice = wanted.find((id, index) => wanted.indexOf(id) !== index)
  if (twice !== undefined)
    throw new Refusal('VALIDATION_FAILED', { field: 'tasks', message: `tasks lists task ${twice} twice` })
}

function inOrder(tasks: readonly TaskView[], wanted: readonly number[]): TaskView[] {
  const ranks = new Map(wanted.map((id, rank) => [id, rank]))
  const rankOf = (task: TaskView) => (isInTransit(task) ? -1 : (ranks.get(task.id) ?? wanted.length))
  return tasks.toSorted((one, other) => rankOf(one) - rankOf(other))
}

/** Tasks not named may already be in a wrong order, and a started task no longer waits for anything. */
function requirePrecedence(tasks: readonly TaskView[], wanted: readonly number[]) {
  const isNamed = ({ id }: TaskView) => wanted.includes(id)
  for (const [before, after] of precedencesIn(tasks)) {
    const [needed, waiting] = [tasks[before] as TaskView, tasks[after] as TaskView]
    if (before < after || isInTransit(waiting) || !(isNamed(needed) || isNamed(waiting))) continue
    throw new Refusal('ORDER_BREAKS_DEPENDENCY', {
      field: 'tasks',
      message: `${waiting.awb} depends on ${needed.awb} and must come after it`,
    })
  }
}
