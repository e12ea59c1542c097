import { areAtOneDoor, secondsOfFurtherParcel, serviceSecondsOf } from '../stop.ts'
import type { Plan } from './evaluate.ts'
import type { Problem, Stop } from './problem.ts'

/*
 * Stops at one door become one before the search, which then has fewer to put in order, and knows nothing of doors. Only those
 * are folded that can always be served together: the same vehicles, no precedence, windows that do not contradict. The others
 * count as if each were alone, so that what is found never takes longer than the search believes.
 */

export interface Folded {
  /** Without doors. */
  problem: Problem
  /** By stop of the folded problem, the stops it stands for. */
  members: number[][]
}

/** Undefined if no two stops are at one door. */
export function foldDoors(problem: Problem): Folded | undefined {
  const groups = groupByDoor(problem.stops)
  if (groups.every((group) => group.length === 1)) return undefined
  const kindOf = describeKinds(problem)
  const most = mostLoad(problem)
  const members = groups
    .flatMap((group) => foldGroup(problem.stops, group, kindOf, most))
    .sort((one, other) => one[0]! - other[0]!)
  const shared = new Set(groups.flatMap((group) => (group.length > 1 ? group : [])))
  const folded = new Int32Array(problem.stops.length)
  for (const [index, stops] of members.entries()) for (const stop of stops) folded[stop] = index
  return {
    members,
    problem: {
      ...problem,
      stops: members.map((stops) =>
        mergeStops(
          stops.map((stop) => problem.stops[stop]!),
          shared.has(stops[0]!),
        ),
      ),
      vehicles: problem.vehicles.map(({ order, pinnedFirst, ...vehicle }) => ({
        ...vehicle,
        ...(order && { order: [...new Set(order.map((stop) => folded[stop]!))] }),
        ...(pinnedFirst !== undefined && { pinnedFirst: folded[pinnedFirst]! }),
      })),
      ...(problem.precedences && {
        precedences: problem.precedences.map(([before, after]) => [folded[before]!, folded[after]!] as const),
      }),
    },
  }
}

/** A plan of the folded problem, with all stops. */
export function unfoldPlan({ members }: Folded, { stops, lunchPosition }: Plan): Plan {
  return {
    stops: stops.flatMap((stop) => members[stop]!),
    lunchPosition: stops.slice(0, lunchPosition).reduce((sum, stop) => sum + members[stop]!.length, 0),
  }
}

/** Stops of which each is at one door with all others of its group, in the order of their places, so that few are compared. */
function groupByDoor(stops: readonly Stop[]): number[][] {
  const lat = (stop: number) => stops[stop]!.door?.point?.lat ?? Number.NaN
  const placed = [...stops.keys()].filter((stop) => stops[stop]!.door?.point)
  placed.sort((one, other) => lat(one) - lat(other) || one - other)
  const groups: number[][] = [...stops.keys()].filter((stop) => !stops[stop]!.door?.point).map((stop) => [stop])
  const near: number[][] = []
  /** Farther apart in latitude alone than one door is wide. */
  const reach = 0.001
  let first = 0
  for (const stop of placed) {
    while (first < near.length && lat(stop) - lat(near[first]![0]!) > reach) first += 1
    const fits = (group: number[]) => group.every((other) => areAtOneDoor(stops[other]!.door!, stops[stop]!.door!))
    const group = near.slice(first).find(fits)
    if (group) group.push(stop)
    else near.push([stop])
  }
  return [...groups, ...near.map((group) => group.sort((one, other) => one - other))]
}

/** What has to be the same of stops that are folded; undefined for those that are not. */
function describeKinds({ stops, vehicles, precedences = [] }: Problem) {
  const fixed = new Set([...precedences.flat(), ...vehicles.flatMap(({ pinnedFirst }) => pinnedFirst ?? [])])
  const owners = new Map(vehicles.flatMap(({ order = [] }, vehicle) => order.map((stop) => [stop, vehicle])))
  return (stop: number): string | undefined => {
    const { vehicles: allowed, demand = 0, unservedPenalty } = stops[stop]!
    if (fixed.has(stop) || demand < 0) return undefined
    return `${allowed?.join()}|${owners.get(stop)}|${unservedPenalty === undefined}`
  }
}

/** So much of a vehicle that it could not be loaded well any more is not folded. */
const mostLoad = ({ vehicles }: Problem) =>
  Math.min(...vehicles.map(({ capacity }) => capacity ?? Number.POSITIVE_INFINITY)) / 4

function foldGroup(
  stops: readonly Stop[],
  group: readonly number[],
  kindOf: (stop: number) => string | undefined,
  most: number,
): number[][] {
  const folded: { kind: string | undefined; members: number[] }[] = []
  for (const stop of group) {
    const kind = kindOf(stop)
    const mayJoin = (members: number[]) =>
      isOneVisit(
        [...members, stop].map((member) => stops[member]!),
        most,
      )
    const other = kind === undefined ? undefined : folded.find((one) => one.kind === kind && mayJoin(one.members))
    if (other) other.members.push(stop)
    else folded.push({ kind, members: [stop] })
  }
  return folded.map(({ members }) => members)
}

/** One window fits all of them, and one vehicle. */
function isOneVisit(stops: readonly Stop[], most: number): boolean {
  const bound = stops.filter(({ lateWeight }) => lateWeight > 0)
  const latest = bound[0]?.latest ?? Number.POSITIVE_INFINITY
  const earliest = Math.max(...stops.map((stop) => stop.earliest))
  const load = stops.reduce((sum, { demand = 0 }) => sum + demand, 0)
  return bound.every((stop) => stop.latest === latest) && earliest <= latest && load <= most
}

function mergeStops(stops: readonly Stop[], isShared: boolean): Stop {
  const [{ door: _, ...first }] = stops as [Stop]
  if (stops.length === 1)
    return isShared ? { ...first, serviceSeconds: Math.max(first.serviceSeconds, secondsOfFurtherParcel) } : first
  const sum = (field: 'lateWeight' | 'demand' | 'unservedPenalty') =>
    stops.reduce((total, stop) => total + (stop[field] ?? 0), 0)
  const bound = stops.find(({ lateWeight }) => lateWeight > 0) ?? first
  return {
    ...first,
    serviceSeconds: serviceSecondsOf(stops.map((stop) => stop.serviceSeconds)),
    earliest: Math.max(...stops.map((stop) => stop.earliest)),
    latest: bound.latest,
    lateWeight: sum('lateWeight'),
    demand: sum('demand'),
    ...(first.unservedPenalty !== undefined && { unservedPenalty: sum('unservedPenalty') }),
  }
}
