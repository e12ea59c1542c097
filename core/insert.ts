import { evaluateOrder } from './optimise/order.ts'
import { type Problem, travelBetween } from './optimise/problem.ts'

/*
 * New stops in a route that keeps its order: each goes where the whole day costs least, by the same evaluation as
 * everything else, and never before what it depends on.
 */

/** How many stops may be looked at for one insertion of all; beyond it only the places with the shortest detours are tried. */
const mostWork = 4_000_000
const fewest = 6

/** The order of the only vehicle with all stops in it. Those it does not name yet are put in one after the other. */
export function insertStops(problem: Problem): number[] {
  const order = [...(problem.vehicles[0]?.order ?? [])]
  const known = new Set(order)
  const added = [...problem.stops.keys()].filter((stop) => !known.has(stop))
  const length = problem.stops.length
  const most = Math.max(fewest, Math.floor(mostWork / Math.max(1, added.length * length)))
  return added.reduce((grown, stop) => grown.toSpliced(bestPlace(problem, grown, stop, most), 0, stop), order)
}

function bestPlace(problem: Problem, order: readonly number[], stop: number, most: number): number {
  const { first, last } = placesFor(problem, order, stop)
  const places = Array.from({ length: Math.max(0, last - first) + 1 }, (_, index) => first + index)
  if (places.length === 1) return first
  const tried = places.length > most ? shortestDetours(problem, order, stop, places).slice(0, most) : places
  let best = { place: first, cost: Number.POSITIVE_INFINITY }
  for (const place of tried) {
    const cost = evaluateOrder(problem, order.toSpliced(place, 0, stop)).cost.total
    if (cost < best.cost) best = { place, cost }
  }
  return best.place
}

/** After what is pinned and what it depends on, and before what depends on it, as far as both are possible. */
export function placesFor({ precedences = [], vehicles }: Problem, order: readonly number[], stop: number) {
  const needed = precedences.flatMap(([before, after]) => (after === stop ? [order.indexOf(before) + 1] : []))
  const waiting = precedences
    .flatMap(([before, after]) => (before === stop ? [order.indexOf(after)] : []))
    .filter((place) => place >= 0)
  const first = Math.max(vehicles[0]?.pinnedFirst === undefined ? 0 : 1, ...needed)
  return { first, last: Math.max(first, Math.min(order.length, ...waiting)) }
}

function shortestDetours(
  problem: Problem,
  order: readonly number[],
  stop: number,
  places: readonly number[],
): number[] {
  const placeOf = (index: number | undefined) => (index === undefined ? undefined : problem.stops[index]?.place)
  const here = placeOf(stop) as number
  const start = problem.vehicles[0]?.startPlace
  const detours = places.map((place) => {
    const from = place === 0 ? start : placeOf(order[place - 1])
    const to = placeOf(order[place])
    const legs: [number, number] = [
      from === undefined ? 0 : travelBetween(problem, from, here),
      to === undefined ? 0 : travelBetween(problem, here, to),
    ]
    const spared = from === undefined || to === undefined ? 0 : travelBetween(problem, from, to)
    return { place, detour: legs[0] + legs[1] - spared }
  })
  return detours.sort((one, other) => one.detour - other.detour).map(({ place }) => place)
}
