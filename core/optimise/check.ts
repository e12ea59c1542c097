import { distanceMetres } from '../geo.ts'
import type { Problem, Route, Solution, Stop } from './problem.ts'

/*
 * An independent check of a solution, for tests and measurements. It shares no code with the solver except types, so
 * that a mistake there is not repeated here.
 */

/** Everything that is wrong with a solution; empty if it is correct. */
export function findFaults(problem: Problem, solution: Solution): string[] {
  const faults = [...findMissing(problem, solution)]
  const sums = { travel: 0, lateness: 0, overtime: 0 }
  for (const [vehicle, route] of solution.routes.entries()) {
    faults.push(...findBrokenRules(problem, vehicle, route))
    const cost = recompute(problem, vehicle, route, faults)
    for (const part of ['travel', 'lateness', 'overtime'] as const) sums[part] += cost[part]
  }
  for (const part of ['travel', 'lateness', 'overtime'] as const)
    if (differ(sums[part], solution.cost[part])) faults.push(`${part} is ${sums[part]}, not ${solution.cost[part]}`)
  const unserved = solution.unserved.map((stop) => problem.stops[stop]?.unservedPenalty ?? 1e12)
  const total = [sums.travel, sums.lateness, sums.overtime, ...unserved].reduce((sum, part) => sum + part)
  if (differ(total, solution.cost.total)) faults.push(`the total is ${total}, not ${solution.cost.total}`)
  return faults
}

/** Weights may be fractions, and sums are added in another order. */
const differ = (a: number, b: number) => Math.abs(a - b) > 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))

function findMissing(problem: Problem, solution: Solution): string[] {
  const times = new Map<number, number>()
  const named = [...solution.routes.flatMap((route) => route.visits.map((visit) => visit.stop)), ...solution.unserved]
  for (const stop of named) times.set(stop, (times.get(stop) ?? 0) + 1)
  const faults = problem.stops.flatMap((_, stop) =>
    times.get(stop) === 1 ? [] : [`stop ${stop} is named ${times.get(stop) ?? 0} times`],
  )
  if (solution.routes.length !== problem.vehicles.length) faults.push('not one route a vehicle')
  if (named.some((stop) => !problem.stops[stop])) faults.push('a stop that does not exist')
  return faults
}

function findBrokenRules(problem: Problem, vehicleIndex: number, route: Route): string[] {
  const vehicle = problem.vehicles[vehicleIndex]!
  const order = route.visits.map((visit) => visit.stop)
  const faults: string[] = []
  const say = (what: string) => faults.push(`vehicle ${vehicleIndex}: ${what}`)
  if (vehicle.pinnedFirst !== undefined && order[0] !== vehicle.pinnedFirst) say('the pinned stop is not the first')
  for (const stop of order) {
    const allowed = problem.stops[stop]!.vehicles
    if (allowed && !allowed.includes(vehicleIndex)) say(`must not serve ${stop}`)
  }
  let load = 0
  for (const stop of order) {
    load += problem.stops[stop]!.demand ?? 0
    if (load > (vehicle.capacity ?? Number.POSITIVE_INFINITY)) say(`carries ${load} after ${stop}`)
  }
  for (const [before, after] of problem.precedences ?? []) {
    const [first, second] = [order.indexOf(before), order.indexOf(after)]
    if (first === -1 && second === -1) continue
    if (first === -1 || second === -1 || first > second) say(`${before} does not come before ${after}`)
  }
  if (vehicle.lunch && order.length > 0 && !route.lunch) say('has no lunch')
  return faults
}

/** The visits of a route, those that follow each other at one door together. */
function atOneDoor(problem: Problem, { visits }: Route): Route['visits'][] {
  const groups: Route['visits'][] = []
  const isNear = (a: Stop, b: Stop) => {
    if (!a.door || !b.door) return false
    if (a.door.point && b.door.point) return distanceMetres(a.door.point, b.door.point) <= 25
    return a.door.text !== null && a.door.text === b.door.text
  }
  for (const visit of visits) {
    const here = problem.stops[visit.stop]!
    const group = groups.at(-1)
    if (group?.some(({ stop }) => !isNear(problem.stops[stop]!, here)) ?? true) groups.push([visit])
    else group!.push(visit)
  }
  return groups
}

/**
 * When the last parcel of a stop is handed over. From each parcel that had to wait for its time: as long as it takes, and a
 * minute, or what it takes longer than any before, for each after it.
 */
function leaving(arrival: number, parcels: Stop[]): number {
  const longestBefore = (index: number) => Math.max(...parcels.slice(0, index).map((stop) => stop.serviceSeconds))
  const after = (from: number) =>
    parcels.reduce(
      (sum, stop, index) => (index > from ? sum + 60 + Math.max(0, stop.serviceSeconds - longestBefore(index)) : sum),
      0,
    )
  const ends = parcels.map((stop, index) => Math.max(arrival, stop.earliest) + stop.serviceSeconds + after(index))
  return Math.max(...ends)
}

/** Event by event: each is a visit at a place, or a lunch, which may interrupt the trip to the next place. */
function recompute(problem: Problem, vehicleIndex: number, route: Route, faults: string[]) {
  const vehicle = problem.vehicles[vehicleIndex]!
  const cost = { travel: 0, lateness: 0, overtime: 0 }
  if (route.visits.length === 0) return cost
  const cell = (from: number, to: number) => problem.travelSeconds[from * problem.placeCount + to]!
  let here = vehicle.startPlace
  let free = vehicle.shiftStart
  const goTo = (place: number, isAfterLunch: boolean) => {
    const seconds = cell(here, place)
    cost.travel += seconds
    here = place
    if (!isAfterLunch) return free + seconds
    const { earliest, latest, seconds: pause, lateWeight } = vehicle.lunch!
    cost.lateness += lateWeight * Math.max(0, free - latest, earliest - latest)
    // Lunch interrupts the trip: it begins at its time, wherever the driver is then, and not before.
    return Math.max(free + seconds, earliest) + pause
  }
  for (const visits of atOneDoor(problem, route)) {
    const parcels = visits.map(({ stop }) => problem.stops[stop]!)
    const position = route.visits.indexOf(visits[0]!)
    const isLunchInside =
      route.lunch && route.lunch.position > position && route.lunch.position < position + visits.length
    if (isLunchInside) faults.push(`vehicle ${vehicleIndex} has lunch between two parcels of one stop`)
    const arrival = goTo(parcels[0]!.place, route.lunch?.position === position)
    for (const [index, visit] of visits.entries()) {
      const stop = parcels[index]!
      const begin = arrival < stop.earliest ? stop.earliest : arrival
      const late = begin > stop.latest ? begin - stop.latest : 0
      if (arrival !== visit.arrival) faults.push(`stop ${visit.stop} is reached at ${arrival}, not ${visit.arrival}`)
      if (late !== visit.lateSeconds) faults.push(`stop ${visit.stop} is late by ${late}, not ${visit.lateSeconds}`)
      if (begin - arrival !== visit.waitSeconds) faults.push(`the wait before stop ${visit.stop}`)
      if (visit.isTogether !== index > 0) faults.push(`stop ${visit.stop} is not where it says`)
      cost.lateness += late * stop.lateWeight
    }
    here = parcels.at(-1)!.place
    free = leaving(arrival, parcels)
  }
  const isLunchLast = route.lunch?.position === route.visits.length
  let finish = free
  if (vehicle.endPlace !== null) finish = goTo(vehicle.endPlace, isLunchLast)
  else if (isLunchLast) {
    const { earliest, latest, seconds, lateWeight } = vehicle.lunch!
    cost.lateness += lateWeight * Math.max(0, free - latest, earliest - latest)
    finish = Math.max(free, earliest) + seconds
  }
  if (finish !== route.finish) faults.push(`vehicle ${vehicleIndex} is done at ${finish}, not ${route.finish}`)
  cost.overtime = Math.max(0, finish - vehicle.shiftEnd) * vehicle.overtimeWeight
  return cost
}
