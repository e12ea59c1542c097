import type { Feature } from 'geojson'
import type { Point } from '../../../map/point.ts'
import { riskOf } from '../../../tasks/risk.ts'
import type { RouteStop } from '../../day/route.ts'
import { stopImage } from './pin-names.ts'
import { pointOf } from './pins.ts'
import type { DriverPlace } from './places.ts'

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
