import type { LoadPosition } from '../../contract/scan.ts'
import { loadPosition } from '../../core/loading.ts'
import { numberStops } from '../../core/stop.ts'
import { isOfRoute } from '../../core/task-day.ts'
import { isOpen } from '../../core/task-status.ts'
import type { RouteRow } from './queries.ts'

/** The day that is loaded. */
export interface LoadDay {
  day: string
  today: string
  timezone: string
}

/** Whether a task belongs to the load of the day: to the route of that day. */
export const isOfLoad = (row: RouteRow, { day, today, timezone }: LoadDay) =>
  isOfRoute(
    {
      statusId: row.status_id,
      completeAfter: row.complete_after,
      completeBefore: row.complete_before,
      plannedFor: row.route?.arrivalTime ?? null,
    },
    day,
    today,
    timezone,
  )

/** Where in the vehicle the tasks of one driver belong, by their ids; given in the order of the route. */
export function placeInVehicle(rows: readonly RouteRow[], day: LoadDay): Map<number, LoadPosition> {
  const route = rows.filter((row) => isOpen({ statusId: row.status_id }) && isOfLoad(row, day))
  const numbers = numberStops(
    route.map(({ id, address, city, lat, lng, precision }) => ({
      id,
      address: { address, city, lat, lng, precision },
    })),
  )
  const of = Math.max(0, ...numbers.values())
  return new Map([...numbers].map(([id, stop]) => [id, { stop, load: loadPosition(stop, of), of }]))
}
