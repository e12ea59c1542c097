import { construct } from './construct.ts'
import { evaluatePlans, type Plan } from './evaluate.ts'
import { mostStops, searchExhaustively } from './exact.ts'
import { type Folded, foldDoors, unfoldPlan } from './fold.ts'
import { improve } from './improve.ts'
import { type Instance, makeInstance } from './instance.ts'
import { makeWorkbench } from './places.ts'
import { polish } from './polish.ts'
import { type Budget, checkBudget, checkProblem, type Problem, type Route, type Solution } from './problem.ts'
import type { Routes } from './route-numbers.ts'
import { makeRoutes, readPlans } from './routes.ts'

/*
 * The entry point. A few stops of one driver are searched exhaustively, whatever the budget; everything else starts with
 * the current routes, improves them until the budget is spent, and polishes the result. Stops at one door are folded
 * into one for that.
 */

/** The best routes the budget allows; the current ones if none are better. */
export function solve(problem: Problem, budget: Budget): Solution {
  checkProblem(problem)
  checkBudget(budget)
  const folded = foldDoors(problem)
  return folded ? solveFolded(problem, folded, budget) : search(problem, budget)
}

function search(problem: Problem, budget: Budget): Solution {
  const { instance, routes, bench, given } = begin(problem)
  if (instance.stopCount === 0) return { ...evaluatePlans(problem, given), iterations: 0, isOptimal: true }
  if (isSmall(instance, routes)) {
    const found = searchExhaustively(instance, evaluatePlans(problem, given).cost.total)
    return { ...evaluatePlans(problem, found ? [found] : given), iterations: 0, isOptimal: true }
  }
  const iterations = improve(routes, bench, budget)
  const found = polish(problem, instance.precedence, readPlans(routes), watch(budget))
  return { ...evaluatePlans(problem, better(problem, found, given)), iterations, isOptimal: false }
}

/** The routes to start from: the current ones, as far as they keep the rules. */
function begin(problem: Problem) {
  const instance = makeInstance(problem)
  const routes = makeRoutes(instance)
  const bench = makeWorkbench(instance)
  construct(routes, bench)
  return { instance, routes, bench, given: readPlans(routes) }
}

function solveFolded(problem: Problem, folded: Folded, budget: Budget): Solution {
  const { instance, routes, given } = begin(problem)
  if (isSmall(instance, routes)) return search(problem, budget)
  const { routes: found, unserved, iterations } = search(folded.problem, budget)
  const plans = found.map((route) => unfoldPlan(folded, planOf(route)))
  // One of several at a door may find a place where all of them together did not.
  const complete = unserved.length > 0 ? better(problem, begin(withOrders(problem, plans)).given, plans) : plans
  const polished = polish(problem, instance.precedence, complete, watch(budget))
  return { ...evaluatePlans(problem, better(problem, polished, given)), iterations, isOptimal: false }
}

const planOf = ({ visits, lunch }: Route): Plan => ({
  stops: visits.map(({ stop }) => stop),
  lunchPosition: lunch?.position ?? 0,
})

const withOrders = (problem: Problem, plans: readonly Plan[]): Problem => ({
  ...problem,
  vehicles: problem.vehicles.map((vehicle, index) => ({ ...vehicle, order: plans[index]!.stops })),
})

/** Polishing is short; only with thousands of stops it may have to be stopped, some time after the search. */
function watch({ milliseconds, now, isCancelled }: Budget): () => boolean {
  const latest = now !== undefined && milliseconds !== undefined ? now() + milliseconds / 10 : undefined
  return () => isCancelled?.() === true || (latest !== undefined && now!() > latest)
}

/** One driver, few stops, and none that may be left out. */
const isSmall = ({ vehicleCount, stopCount, hasCapacity, mayBeLeftOut }: Instance, { bankSize }: Routes) =>
  vehicleCount === 1 &&
  stopCount <= mostStops &&
  bankSize[0] === 0 &&
  !hasCapacity &&
  mayBeLeftOut.every((may) => may === 0)

const better = (problem: Problem, found: Plan[], given: Plan[]): Plan[] =>
  evaluatePlans(problem, found).cost.total < evaluatePlans(problem, given).cost.total ? found : given
