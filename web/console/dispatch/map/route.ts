import type { Feature } from 'geojson'
import { riskOf } from '../../../tasks/risk.ts'
import type { RouteStop } from '../../day/route.ts'
import { stopImage } from './pin-names.ts'
import { pointOf } from './pins.ts'

/** If several stops share a spot, the first is on top. */
export const stopFeatures = (stops: RouteStop[], now: number): Feature[] =>
  stops.flatMap(({ task, number }, at) => {
    const coordinates = pointOf(task)
    if (!coordinates) return []
    const properties = { id: task.id, icon: stopImage(number, task.statusId, riskOf(task, now)), rank: -at }
    return [{ type: 'Feature' as const, geometry: { type: 'Point' as const, coordinates }, properties }]
  })
