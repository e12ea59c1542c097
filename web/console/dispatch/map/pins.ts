import type { Feature, Point as GeoPoint } from 'geojson'
import { isMarked } from '../../../../core/certainty.ts'
import { awaitsDriver, shownStatus } from '../../../../core/delegation.ts'
import { isEnded } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import type { Point } from '../../../map/point.ts'
import { riskOf } from '../../../tasks/risk.ts'
import { pileImage, pinImage, rankFrom } from './pin-names.ts'

export type Pin = Feature<GeoPoint, { id: number; icon: string; rank: number; kind: PinKind }>
/** `other`: filtered out and shown only faintly; `pile`: how many are on one spot. */
type PinKind = 'open' | 'ended' | 'other' | 'pile'

export const pointOf = ({ address: { lat, lng } }: Task): Point | undefined =>
  lat === null || lng === null ? undefined : [lng, lat]

export const pointsOf = (tasks: Task[]): Point[] => tasks.map(pointOf).filter((point) => point !== undefined)

const spotOf = (point: Point) => point.map((degrees) => degrees.toFixed(5)).join()

/** Open tasks by the spot they share. Approximate coordinates put whole streets on one spot. */
export function pilesOf(tasks: Task[]): Map<string, Task[]> {
  const placed = tasks.filter((task) => !isEnded(task) && pointOf(task))
  return Map.groupBy(placed, (task) => spotOf(pointOf(task) as Point))
}
export const pileWith = (piles: Map<string, Task[]>, task: Task): Task[] => {
  const point = pointOf(task)
  return (point && piles.get(spotOf(point))) ?? [task]
}

/** The pins of all tasks. Those that need a decision are on top: late, then risky, then the rest; unassigned first. */
export function pinsOf(tasks: Task[], others: Task[], piles: Map<string, Task[]>, now: number): Pin[] {
  const pins = tasks.flatMap((task) => pinOf(task, now, isEnded(task) ? 'ended' : 'open'))
  const hints = others.flatMap((task) => pinOf(task, now, 'other'))
  const counts = [...piles.values()]
    .filter((pile) => pile.length > 1)
    .flatMap(([first], at) => countOf(first, at, piles))
  return [...hints, ...pins, ...counts]
}

function pinOf(task: Task, now: number, kind: PinKind): Pin[] {
  const point = pointOf(task)
  if (!point) return []
  const risk = isEnded(task) ? 'none' : riskOf(task, now)
  const first = risk === 'none' ? 1 : rankFrom[risk]
  const rank = first + (awaitsDriver(task) ? 1 : 0)
  const icon = pinImage(shownStatus(task), risk, isMarked(task.address))
  return [feature(task.id, point, { id: task.id, icon, rank, kind })]
}

function countOf(first: Task | undefined, at: number, piles: Map<string, Task[]>): Pin[] {
  const point = first && pointOf(first)
  if (!point) return []
  const icon = pileImage(pileWith(piles, first).length)
  return [feature(-1 - at, point, { id: first.id, icon, rank: 0, kind: 'pile' })]
}

const feature = (id: number, coordinates: Point, properties: Pin['properties']): Pin => ({
  type: 'Feature',
  id,
  geometry: { type: 'Point', coordinates },
  properties,
})
