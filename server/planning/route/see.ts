import type { DriverRoute } from '../../../contract/route.ts'
import { readTraffic } from '../../../core/geo.ts'
import { stopsOf } from '../../../core/stop.ts'
import { transportOf } from '../../../core/travel.ts'
import type { Context } from '../../context.ts'
import type { Organisation } from '../../organisations/queries.ts'
import { pointOf } from '../problem/stops.ts'
import { warn } from '../warnings.ts'
import { layOutOrder } from './day.ts'
import { findLines } from './lines.ts'
import { getOpenRoute, mostTasks } from './open-route.ts'
import { timeRoute } from './timetable.ts'

/** What a driver still has to do on a day, stop by stop, in the order it has now. Nothing is written. */
export async function seeRoute(
  context: Context,
  organisation: Organisation,
  driverId: number,
  wanted: string | null | undefined,
  only?: string,
): Promise<DriverRoute> {
  const { driver, clock, ...open } = await getOpenRoute(context, organisation, driverId, wanted)
  const chosen = only && new Set(only.split(',').map(Number))
  const ofDay = chosen ? open.ofDay.filter(({ id }) => chosen.has(id)) : open.ofDay
  const tasks = ofDay.slice(0, mostTasks)
  const day = await layOutOrder(context, { driver, clock }, tasks, readTraffic(null))
  const timed = timeRoute(day, [...tasks.keys()]).stops
  const stops = stopsOf([...tasks.entries()], ([, { address }]) => address)
  const points = stops.map((stop) => stop.map(([, task]) => pointOf(task)).find((point) => point !== null) ?? null)
  const lines = await findLines(context, day.start, points, transportOf(driver.transportation_id))
  const firstPlaced = points.findIndex((point) => point !== null)
  const { source, isEstimate, warnings } = day.ways.times
  return {
    driverId,
    day: clock.day,
    start: day.start,
    stops: stops.map((stop, index) => {
      const point = points[index] ?? null
      const planned = timed[stop[0]?.[0] as number]
      const isFromSomewhere = day.start !== null || index > firstPlaced
      return {
        position: index + 1,
        taskIds: stop.map(([, { id }]) => id),
        awbs: stop.map(([, { awb }]) => awb),
        lat: point?.lat ?? null,
        lng: point?.lng ?? null,
        arrivalTime: point && planned ? planned.arrivalTime : null,
        distanceMetres: point && planned && isFromSomewhere ? planned.distanceMetres : null,
        line: lines[index] ?? null,
      }
    }),
    travel: { source, isEstimate },
    warnings: [
      ...(ofDay.length > tasks.length ? [warn('TOO_MANY_TASKS', ofDay.slice(mostTasks))] : []),
      ...warnings.map((sentence) => warn('TRAVEL_TIMES', [], sentence)),
    ],
  }
}
