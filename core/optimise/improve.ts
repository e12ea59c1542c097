import { beginAttempt, copyOrder, keep, restore, takeBack, touch } from './attempt.ts'
import { insertBest, insertLunch } from './insert.ts'
import type { Instance } from './instance.ts'
import { listCandidates, type Workbench } from './places.ts'
import type { Budget } from './problem.ts'
import { drawBelow, drawUnit, makeRandom, type Random } from './random.ts'
import type { Routes } from './route-numbers.ts'
import { totalCost, unlink } from './routes.ts'
import { refresh } from './times.ts'

/*
 * Ruin and recreate: strings of stops near each other are taken out of their routes and put back one by one where they
 * cost least; simulated annealing decides whether to go on from there. After J. Christiaens and G. Vanden Berghe,
 * "Slack induction by string removals for vehicle routing problems", Transportation Science 54 (2020). They take one
 * string per route; a single driver has only one route, so several strings are taken from it.
 */

/** The parameters of the search, for one driver or for a team. */
interface Habits {
  /** How many stops are removed on average, and how long a string may be. */
  removed: number
  longestString: number
  /** How often several strings may be taken from one route. */
  sameRouteRate: number
  /** Relative to the average cost of a stop in the best solution; absolute ones, as in the paper, depend on units. */
  firstTemperature: number
  lastTemperature: number
  /** Attempts per stop in one round of cooling; if time is left, another round follows. */
  attemptsPerStop: number
}

/** As in the paper, except for the strings; removing more is slower and no better. */
const driver: Habits = {
  removed: 10,
  longestString: 10,
  sameRouteRate: 1,
  firstTemperature: 1,
  lastTemperature: 0.01,
  attemptsPerStop: 400,
}

/** One second is enough for one round, five for two. Shorter rounds and a colder end were worse: decision 13. */
const team: Habits = {
  removed: 15,
  longestString: 20,
  sameRouteRate: 0.5,
  firstTemperature: 2,
  lastTemperature: 0.1,
  attemptsPerStop: 1500,
}

const parameters = {
  /** How often stops in the middle of a string stay, and how often one more stays. As in the paper. */
  splitRate: 0.5,
  splitDepth: 0.01,
  /** Lateness adds to that average, up to this many times the travel: huge weights would make the temperature useless. */
  mostLateness: 30,
  /** How many unserved stops are tried again at a time. */
  fromBank: 10,
  /** How often a lunch is moved along with the stops around it. */
  lunchRate: 0.5,
} as const

/** In which order stops are put back, and how often. As in the paper. */
const sortings = [
  { share: 4, key: (_: Search, __: number, random: Random) => drawUnit(random) },
  { share: 4, key: ({ instance }: Search, stop: number) => -instance.demand[stop]! },
  { share: 2, key: ({ remoteness }: Search, stop: number) => -remoteness[stop]! },
  { share: 1, key: ({ remoteness }: Search, stop: number) => remoteness[stop]! },
  { share: 2, key: ({ instance }: Search, stop: number) => instance.latest[stop]! - instance.earliest[stop]! },
  { share: 2, key: ({ instance }: Search, stop: number) => instance.earliest[stop]! },
  { share: 2, key: ({ instance }: Search, stop: number) => -instance.latest[stop]! },
]
const shares = sortings.reduce((sum, { share }) => sum + share, 0)

interface Search {
  instance: Instance
  habits: Habits
  routes: Routes
  bench: Workbench
  random: Random
  /** Travel time from the nearest start. */
  remoteness: Float64Array
  pool: Int32Array
  poolKeys: Float64Array
  /** How many are in the pool. */
  pooled: Int32Array
  /** Vehicles whose lunch must be placed again. */
  lunchless: number[]
}

/** Improves the routes until the budget is spent; leaves them at the best found. Returns how many attempts that took. */
export function improve(routes: Routes, bench: Workbench, budget: Budget): number {
  const search = makeSearch(routes, bench, budget.seed)
  const { instance, random } = search
  const best = copyOrder(routes, new Int32Array(instance.nodeCount))
  const costs = Float64Array.of(totalCost(routes), totalCost(routes)) // of the current routes, of the best
  const clock = startClock(budget, search.habits.attemptsPerStop * instance.stopCount)
  let scale = averageCost(routes, costs[1]!)
  let temperature = 0
  let attempts = 0
  for (; ; attempts += 1) {
    if (attempts % clock.pace === 0) {
      const spent = clock.spent(attempts)
      if (spent >= 1) break
      const { firstTemperature, lastTemperature } = search.habits
      temperature = scale * firstTemperature * (lastTemperature / firstTemperature) ** clock.phase(spent, attempts)
    }
    const threshold = costs[0]! - temperature * Math.log(drawUnit(random) + 1e-12)
    beginAttempt(routes)
    ruin(search)
    const cost = recreate(search, threshold)
    if (cost >= threshold) {
      takeBack(routes)
      continue
    }
    keep(routes)
    costs[0] = cost
    if (cost >= costs[1]!) continue
    costs[1] = cost
    copyOrder(routes, best)
    scale = averageCost(routes, cost)
    budget.onBetter?.(cost)
  }
  restore(routes, best)
  return attempts
}

function makeSearch(routes: Routes, bench: Workbench, seed: number): Search {
  const { instance } = routes
  const { stopCount, vehicleCount, firstStart, place, travel, placeCount } = instance
  const remoteness = new Float64Array(stopCount).fill(Number.POSITIVE_INFINITY)
  for (let stop = 0; stop < stopCount; stop += 1)
    for (let vehicle = 0; vehicle < vehicleCount; vehicle += 1) {
      const way = travel[place[firstStart + vehicle]! * placeCount + place[stop]!]!
      remoteness[stop] = Math.min(remoteness[stop]!, way)
    }
  return {
    instance,
    routes,
    bench,
    remoteness,
    habits: vehicleCount > 1 ? team : driver,
    random: makeRandom(seed),
    pool: new Int32Array(stopCount),
    poolKeys: new Float64Array(stopCount),
    pooled: new Int32Array(1),
    lunchless: [],
  }
}

/** How much of the budget and of the current round is spent, from 0 to 1. With limited attempts, time only ends it. */
function startClock({ iterations, milliseconds, now, isCancelled }: Budget, attemptsPerRound: number) {
  const begin = now?.() ?? 0
  const spent = (attempts: number) => {
    if (isCancelled?.()) return 1
    const time = milliseconds === undefined || now === undefined ? 0 : (now() - begin) / milliseconds
    if (iterations === undefined) return time
    return time >= 1 ? 1 : attempts / iterations
  }
  let rounds = 0
  const phase = (spent: number, attempts: number) => {
    // If time is the limit, the number of attempts can be estimated only after some of them.
    if (rounds === 0 && (iterations !== undefined || spent > 0.05)) {
      const expected = iterations ?? attempts / spent
      rounds = Math.max(1, Math.round(expected / attemptsPerRound))
    }
    return (spent * Math.max(1, rounds)) % 1
  }
  return { spent, phase, pace: iterations === undefined ? 8 : Math.max(1, Math.min(8, iterations)) }
}

function averageCost({ travelOf, instance }: Routes, cost: number): number {
  let travel = 0
  for (let vehicle = 0; vehicle < travelOf.length; vehicle += 1) travel += travelOf[vehicle]!
  return Math.min(cost, parameters.mostLateness * travel) / (instance.stopCount + instance.vehicleCount)
}

function ruin(search: Search) {
  const { instance, habits, routes, random, pooled, lunchless } = search
  const { stopCount, vehicleCount, neighbours } = instance
  const { vehicleOf, stopsOf, undo } = routes
  pooled[0] = 0
  lunchless.length = 0
  takeFromBank(search)
  const served = stopCount - routes.bankSize[0]!
  const longest = Math.min(habits.longestString, Math.max(1, served / countUsed(routes)))
  const most = (4 * habits.removed) / (1 + longest) - 1
  let strings = Math.floor(drawUnit(random) * most + 1)
  const seed = drawBelow(random, stopCount)
  const isOncePerRoute = habits.sameRouteRate < 1 && drawUnit(random) >= habits.sameRouteRate
  for (let rank = -1; rank < neighbours.perStop && strings > 0; rank += 1) {
    const stop = rank === -1 ? seed : neighbours.list[seed * neighbours.perStop + rank]!
    const vehicle = vehicleOf[stop]!
    if (vehicle === -1 || instance.isPinned[stop] || (isOncePerRoute && undo.isTouched[vehicle])) continue
    touch(routes, vehicle)
    const length = 1 + drawBelow(random, Math.min(longest, stopsOf[vehicle]!))
    removeString(search, vehicle, stop, length)
    strings -= 1
  }
  for (let vehicle = 0; vehicle < vehicleCount; vehicle += 1) {
    if (!undo.isTouched[vehicle]) continue
    if (instance.hasLunch[vehicle] && vehicleOf[instance.firstLunch + vehicle] !== -1)
      if (drawUnit(random) < parameters.lunchRate) removeLunch(search, vehicle)
    refresh(routes, vehicle)
  }
}

function countUsed({ stopsOf }: Routes): number {
  let used = 0
  for (let vehicle = 0; vehicle < stopsOf.length; vehicle += 1) if (stopsOf[vehicle]! > 0) used += 1
  return Math.max(1, used)
}

/** Removes a string of a route that contains the stop; half of the time a part in the middle stays. */
function removeString(search: Search, vehicle: number, stop: number, length: number) {
  const { instance, routes, random } = search
  const { next, previous } = routes
  let kept = 0
  if (length > 1 && drawUnit(random) < parameters.splitRate) {
    kept = 1
    while (length + kept < routes.stopsOf[vehicle]! && drawUnit(random) < parameters.splitDepth) kept += 1
  }
  const head = instance.head[vehicle]!
  const end = instance.firstEnd + vehicle
  let node = stop
  for (let back = drawBelow(random, length + kept); back > 0 && previous[node] !== head; back -= 1)
    node = previous[node]!
  const firstKept = kept === 0 ? -1 : drawBelow(random, length - 1) + 1
  for (let index = 0; index < length + kept && node !== end; index += 1) {
    const behind = next[node]!
    if (kept === 0 || index < firstKept || index >= firstKept + kept) remove(search, vehicle, node)
    node = behind
    // Removing a group may have removed the next ones too.
    while (node !== end && routes.vehicleOf[node] === -1) node = next[node]!
  }
}

function remove(search: Search, vehicle: number, node: number) {
  const { instance, routes } = search
  if (node >= instance.stopCount) return removeLunch(search, vehicle)
  pool(search, node)
  const group = instance.movesGroups ? instance.precedence.groups[node] : undefined
  if (group === undefined) return unlink(routes, node)
  for (const stop of group) if (routes.vehicleOf[stop] === vehicle && !instance.isPinned[stop]) unlink(routes, stop)
}

function removeLunch({ instance, routes, lunchless }: Search, vehicle: number) {
  unlink(routes, instance.firstLunch + vehicle)
  lunchless.push(vehicle)
}

/** One stop of a group is enough: the others are put back with it. */
function pool({ pool, pooled }: Search, stop: number) {
  pool[pooled[0]!] = stop
  pooled[0]! += 1
}

/** Some unserved stops get another chance. */
function takeFromBank(search: Search) {
  const { instance, routes, random } = search
  const { bank, bankSize } = routes
  for (let taken = 0; taken < parameters.fromBank && bankSize[0]! > 0; taken += 1) {
    const stop = bank[drawBelow(random, bankSize[0]!)]!
    pool(search, stop)
    const group = instance.movesGroups ? instance.precedence.groups[stop] : undefined
    for (const member of group ?? [stop]) {
      const index = bank.indexOf(member)
      if (index === -1 || index >= bankSize[0]!) continue
      bankSize[0]! -= 1
      bank[index] = bank[bankSize[0]!]!
    }
  }
}

/** Returns the total cost, or Infinity as soon as it cannot stay below the threshold. */
function recreate(search: Search, threshold: number): number {
  const { routes, bench, random, pool, pooled, lunchless } = search
  sortPool(search)
  listCandidates(routes, bench)
  const lunchFirst = lunchless.length > 0 && drawUnit(random) < 0.5
  if (lunchFirst) for (const vehicle of lunchless) insertLunch(routes, vehicle)
  // Insertions only add to the cost, so the cost so far is a lower bound.
  let cost = totalCost(routes)
  for (let index = 0; index < pooled[0]!; index += 1) {
    cost += insertBest(routes, pool[index]!, bench, random, touch, threshold - cost)
    if (cost >= threshold) return Number.POSITIVE_INFINITY
  }
  if (!lunchFirst) for (const vehicle of lunchless) insertLunch(routes, vehicle)
  return totalCost(routes)
}

function sortPool(search: Search) {
  const { random, pool, poolKeys, pooled } = search
  let ticket = drawBelow(random, shares)
  let chosen = 0
  while (ticket >= sortings[chosen]!.share) {
    ticket -= sortings[chosen]!.share
    chosen += 1
  }
  const { key } = sortings[chosen]!
  for (let index = 0; index < pooled[0]!; index += 1) {
    const stop = pool[index]!
    const own = key(search, stop, random)
    let place = index
    for (; place > 0 && poolKeys[place - 1]! > own; place -= 1) {
      poolKeys[place] = poolKeys[place - 1]!
      pool[place] = pool[place - 1]!
    }
    poolKeys[place] = own
    pool[place] = stop
  }
}
