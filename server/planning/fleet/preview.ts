import type { PreviewedRoute } from '../../../contract/planning.ts'
import type { Route } from '../../../core/optimise/problem.ts'
import { transportOf } from '../../../core/travel.ts'
import type { Context } from '../../context.ts'
import type { TaskView } from '../../tasks/tables.ts'
import { pointOf } from '../problem/stops.ts'
import { startOf } from '../problem/vehicle.ts'
import { drawOrders, linesLeft } from '../route/lines.ts'
import type { FleetDriver } from './drivers.ts'
import type { Fleet } from './problem.ts'

/**
 * The routes of the drivers who get tasks, as they are now and as they would be. If routes are not optimised afterwards, the
 * new tasks come last.
 */
export async function previewRoutes(
  context: Pick<Context, 'travel'>,
  { vehicles, candidates, firstCandidate, clock }: Fleet,
  found: readonly Route[],
  tasks: readonly TaskView[],
  isOrdered: boolean,
): Promise<PreviewedRoute[]> {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const added = candidates.map(({ task }) => byId.get(task.id) as TaskView)
  const own = firstCandidate > 0 ? vehicles.flatMap((vehicle) => vehicle.tasks.filter(pointOf)) : []
  const atStop = [...own, ...added]
  const routes: PreviewedRoute[] = []
  for (const [index, { visits }] of found.entries()) {
    const { driver, tasks: before } = vehicles[index] as FleetDriver
    const visited = visits.map(({ stop }) => atStop[stop] as TaskView)
    const isNew = visits.map(({ stop }) => stop >= firstCandidate)
    if (!isNew.includes(true)) continue
    const after = isOrdered
      ? [...visited, ...before.filter((task) => !pointOf(task))]
      : [...before, ...visited.filter((_, at) => isNew[at])]
    const start = startOf(driver, before, clock)
    const transport = transportOf(driver.transportation_id)
    const left = linesLeft(routes.flatMap(({ stops }) => stops))
    const stops = await drawOrders(context, { start, transport, before, after }, left)
    routes.push({ driverId: driver.id, driverName: driver.name, start, stops })
  }
  return routes
}
