import type { PlannedStop } from '../../contract/planning.ts'
import { estimateTravel, type Point, type Traffic } from '../../core/geo.ts'

/** A task as far as its place in a route is concerned. */
export interface Stop {
  id: number
  point: Point | null
  completeAfter: Date | null
  completeBefore: Date | null
  serviceSeconds: number
  isInTransit: boolean
}

/**
 * A simple order: what is on its way first, then whatever is due soonest, the nearest of those due together, and what
 * has no coordinates last. The search for the best order takes this as its start.
 */
export function orderStops<Given extends Stop>(
  stops: readonly Given[],
  start: Point | null,
  traffic: Traffic,
): Given[] {
  const ordered: Given[] = []
  const left = new Set([...stops].sort((one, other) => one.id - other.id))
  let here = start
  while (left.size > 0) {
    const next = [...left].reduce((best, stop) => (comesBefore(stop, best, here, traffic) ? stop : best))
    left.delete(next)
    ordered.push(next)
    here = next.point ?? here
  }
  return ordered
}

function comesBefore(one: Stop, other: Stop, here: Point | null, traffic: Traffic): boolean {
  if (one.isInTransit !== other.isInTransit) return one.isInTransit
  if ((one.point === null) !== (other.point === null)) return one.point !== null
  const [due, otherDue] = [one.completeBefore?.getTime() ?? Infinity, other.completeBefore?.getTime() ?? Infinity]
  if (due !== otherDue) return due < otherDue
  return secondsTo(here, one, traffic) < secondsTo(here, other, traffic)
}

const secondsTo = (here: Point | null, { point }: Stop, traffic: Traffic) =>
  here && point ? estimateTravel(here, point, traffic).seconds : 0

export interface Plan {
  stops: PlannedStop[]
  distanceMetres: number
  durationSeconds: number
  lateSeconds: number
}

/** When the driver gets where, if they leave `start` at `from` and keep this order. */
export function timeStops(stops: readonly Stop[], start: Point | null, from: Date, traffic: Traffic): Plan {
  let clock = from.getTime()
  let here = start
  const planned = stops.map((stop, index): PlannedStop => {
    const travel = here && stop.point ? estimateTravel(here, stop.point, traffic) : { metres: 0, seconds: 0 }
    const arrival = clock + travel.seconds * 1000
    const begin = Math.max(arrival, stop.completeAfter?.getTime() ?? 0)
    clock = begin + stop.serviceSeconds * 1000
    here = stop.point ?? here
    return {
      position: index + 1,
      arrivalTime: new Date(arrival).toISOString(),
      distanceMetres: travel.metres,
      waitSeconds: Math.round((begin - arrival) / 1000),
      lateSeconds: stop.completeBefore ? Math.max(0, Math.round((begin - stop.completeBefore.getTime()) / 1000)) : 0,
    }
  })
  const sum = (field: 'distanceMetres' | 'lateSeconds') => planned.reduce((total, stop) => total + stop[field], 0)
  return {
    stops: planned,
    distanceMetres: sum('distanceMetres'),
    durationSeconds: Math.round((clock - from.getTime()) / 1000),
    lateSeconds: sum('lateSeconds'),
  }
}

/** Less lateness first, then less time on the road. */
export const isWorse = (plan: Plan, than: Plan) =>
  plan.lateSeconds !== than.lateSeconds
    ? plan.lateSeconds > than.lateSeconds
    : plan.durationSeconds > than.durationSeconds
