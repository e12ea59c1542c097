import type { Feature } from 'geojson'
import type { PlannedStop } from '../../../../contract/task.ts'
import { numberStops } from '../../../../core/stop.ts'
import { InTransit, isEnded } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import type { Point } from '../../../map/point.ts'
import { riskOf, stopOf } from '../../../tasks/risk.ts'
import { stopImage } from './pin-names.ts'
import { pointOf } from './pins.ts'
import type { DriverPlace } from './places.ts'

/** One of a driver's remaining tasks, with the number of its stop. Without a plan it has none. */
export interface RouteStop {
  task: Task
  number: number | undefined
  plan: PlannedStop | undefined
}

/** A driver's remaining stops: the one in transit, then in planned order, then unplanned ones by window. */
export function routeOf(tasks: Task[], driverId: number): RouteStop[] {
  const open = tasks.filter((task) => task.userId === driverId && !isEnded(task))
  open.sort((one, other) => placeIn(one) - placeIn(other) || compare(endOf(one), endOf(other)) || one.id - other.id)
  const numbers = numberStops(open.filter((task) => stopOf(task) || task.statusId === InTransit))
  return open.map((task) => ({ task, plan: stopOf(task), number: numbers.get(task.id) }))
}

const placeIn = (task: Task) => (task.statusId === InTransit ? -1 : (stopOf(task)?.position ?? Number.MAX_SAFE_INTEGER))
const endOf = (task: Task) => task.completeBefore ?? '9999'
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** The route from the driver through the numbered stops, in straight lines. */
export function lineOf(stops: RouteStop[], place: DriverPlace | undefined): Feature[] {
  const through = stops.filter(({ number }) => number !== undefined).flatMap(({ task }) => one(pointOf(task)))
  const coordinates: Point[] = [...one(place?.point), ...through]
  if (through.length === 0 || coordinates.length < 2) return []
  return [{ type: 'Feature', geometry: { type: 'LineString', coordinates }, properties: {} }]
}

const one = <Thing>(thing: Thing | undefined): Thing[] => (thing === undefined ? [] : [thing])

/** If several stops share a spot, the first is on top. */
export const stopFeatures = (stops: RouteStop[], now: number): Feature[] =>
  stops.flatMap(({ task, number }, at) => {
    const coordinates = pointOf(task)
    if (!coordinates) return []
    const properties = { id: task.id, icon: stopImage(number, task.statusId, riskOf(task, now)), rank: -at }
    return [{ type: 'Feature' as const, geometry: { type: 'Point' as const, coordinates }, properties }]
  })
