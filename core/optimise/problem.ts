import type { Door } from '../stop.ts'

/*
 * The input and output of the optimiser. Times are whole seconds on one clock of the caller's choice.
 *
 * The objective, in seconds: travel, plus every second late times the weight of the stop, plus overtime, plus the
 * penalty of each unserved stop. Waiting is free. Windows and shifts are soft, so that an overfull day keeps every
 * task; a large weight makes them practically hard. Capacity, allowed vehicles, precedence and pins are never broken.
 *
 * Stops at one door that follow each other are served together: one arrival, no trips between them, the time of the one that
 * takes longest, and a minute for each other one.
 */

export interface Problem {
  /** Travel from place i to place j at `i * placeCount + j`. The caller has filled in unknown trips. */
  travelSeconds: Int32Array
  placeCount: number
  stops: Stop[]
  vehicles: Vehicle[]
  /**
   * `[before, after]`: the same vehicle serves both, in this order, or neither. A pair that contradicts earlier ones or
   * a pin is ignored.
   */
  precedences?: readonly (readonly [before: number, after: number])[]
}

export interface Stop {
  place: number
  /** Stops at one door are served together if they follow each other; if not given, this one never is. */
  door?: Door
  serviceSeconds: number
  /** When the service may begin; a driver who arrives earlier waits. */
  earliest: number
  /** When the service should begin at the latest. */
  latest: number
  /** What a second after `latest` costs. */
  lateWeight: number
  /** What is loaded here, or unloaded if negative. A vehicle starts empty and never carries more than its capacity. */
  demand?: number
  /** The vehicles that may serve it; if not given, any. */
  vehicles?: readonly number[]
  /** What it costs to leave this stop out. If not given, it is left out only if no vehicle can take it. */
  unservedPenalty?: number
}

export interface Vehicle {
  startPlace: number
  /** `null`: the day ends at the last stop. */
  endPlace: number | null
  shiftStart: number
  shiftEnd: number
  /** What a second after `shiftEnd` costs. */
  overtimeWeight: number
  lunch?: Lunch
  capacity?: number
  /** The current order, to be improved. */
  order?: readonly number[]
  /** A stop that always stays first. */
  pinnedFirst?: number
}

/** Taken wherever the driver is, even between stops. An unused vehicle takes none. */
export interface Lunch {
  seconds: number
  earliest: number
  latest: number
  lateWeight: number
}

export interface Budget {
  seed: number
  /** The most attempts. If it is the only limit, the solution depends only on problem and seed. */
  iterations?: number
  /** The longest time; needs `now`. */
  milliseconds?: number
  /** A clock in milliseconds, from any origin. */
  now?: () => number
  /** Called now and then; if true, the best solution so far is returned. */
  isCancelled?: () => boolean
  /** Called with the objective whenever it improves. */
  onBetter?: (cost: number) => void
}

export interface Solution {
  routes: Route[]
  unserved: number[]
  cost: Cost
  iterations: number
  /** Found by the exhaustive search, so nothing better exists. */
  isOptimal: boolean
}

export interface Route {
  visits: Visit[]
  /** Undefined if the vehicle takes none. */
  lunch: LunchBreak | undefined
  /** The time at the end place or, with an open end, after the last visit. */
  finish: number
  cost: Cost
}

export interface Visit {
  stop: number
  /** When the vehicle comes to this door: of visits that are served together, the same. */
  arrival: number
  waitSeconds: number
  lateSeconds: number
  /** From the place before. */
  travelSeconds: number
  /** Served together with the visit before. */
  isTogether: boolean
}

export interface LunchBreak {
  /** How many visits come before it. */
  position: number
  start: number
  lateSeconds: number
}

export interface Cost {
  total: number
  travel: number
  /** Seconds times weight, lunch included. */
  lateness: number
  overtime: number
  unserved: number
}

/** Three years: beyond it a cell is a mistake, and sums of cells stay exact. */
export const longestTravelSeconds = 100_000_000

/** The cost of a stop that may be left out only if no vehicle can take it. */
export const neverUnserved = 1e12

export const unservedPenalty = (stop: Stop) => stop.unservedPenalty ?? neverUnserved

/** A cell as the optimiser reads it. */
export const travelBetween = (problem: Problem, from: number, to: number) =>
  Math.min(longestTravelSeconds, Math.max(0, problem.travelSeconds[from * problem.placeCount + to]!))

/** An invalid problem is a bug in the calling code: reported immediately, with its position. */
export function checkProblem(problem: Problem) {
  const { placeCount, travelSeconds, stops, vehicles, precedences = [] } = problem
  const isIndex = (value: number, count: number) => Number.isInteger(value) && value >= 0 && value < count
  const demand = (isTrue: boolean, what: string) => {
    if (!isTrue) throw new RangeError(`Not a problem to solve: ${what}`)
  }
  demand(travelSeconds.length === placeCount * placeCount, 'the matrix does not have placeCount × placeCount cells')
  demand(vehicles.length > 0, 'there is no vehicle')
  for (const [index, stop] of stops.entries()) {
    demand(isIndex(stop.place, placeCount), `stop ${index} is at no place`)
    demand([stop.serviceSeconds, stop.earliest, stop.latest].every(Number.isFinite), `a time of stop ${index}`)
    demand(stop.serviceSeconds >= 0, `the service of stop ${index} takes less than no time`)
    demand(stop.lateWeight >= 0, `the weight of stop ${index}`)
    demand(
      (stop.vehicles ?? []).every((vehicle) => isIndex(vehicle, vehicles.length)),
      `the vehicles of stop ${index}`,
    )
  }
  const ordered = new Set<number>()
  for (const [index, vehicle] of vehicles.entries()) {
    demand(isIndex(vehicle.startPlace, placeCount), `vehicle ${index} starts at no place`)
    demand(vehicle.endPlace === null || isIndex(vehicle.endPlace, placeCount), `vehicle ${index} ends at no place`)
    demand([vehicle.shiftStart, vehicle.shiftEnd].every(Number.isFinite), `the shift of vehicle ${index}`)
    demand(vehicle.overtimeWeight >= 0, `the weight of vehicle ${index}`)
    const { lunch } = vehicle
    if (lunch) {
      const numbers = [lunch.seconds, lunch.earliest, lunch.latest, lunch.lateWeight]
      demand(numbers.every(Number.isFinite) && lunch.seconds >= 0, `the lunch of vehicle ${index}`)
    }
    for (const stop of vehicle.order ?? []) {
      demand(isIndex(stop, stops.length) && !ordered.has(stop), `stop ${stop} in the order of vehicle ${index}`)
      ordered.add(stop)
    }
    const pinned = vehicle.pinnedFirst
    if (pinned === undefined) continue
    demand(isIndex(pinned, stops.length), `the pin of vehicle ${index}`)
    demand(vehicles.findIndex((other) => other.pinnedFirst === pinned) === index, `stop ${pinned} is pinned twice`)
  }
  for (const [before, after] of precedences)
    demand(isIndex(before, stops.length) && isIndex(after, stops.length), `the pair ${before}, ${after}`)
}

/** Without a limit the search would never return. */
export function checkBudget({ iterations, milliseconds, now }: Budget) {
  if (iterations === undefined && (milliseconds === undefined || now === undefined))
    throw new RangeError('A budget needs a number of iterations, or milliseconds and a clock')
}
