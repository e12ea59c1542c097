import { construct } from './construct.ts'
import { evaluatePlans, type Plan } from './evaluate.ts'
import { mostStops, searchExhaustively } from './exact.ts'
import { improve } from './improve.ts'
import { type Instance, makeInstance } from './instance.ts'
import { makeWorkbench } from './places.ts'
import { polish } from './polish.ts'
import { type Budget, checkBudget, checkProblem, type Problem, type Solution } from './problem.ts'
import type { Routes } from './route-numbers.ts'
import { makeRoutes, readPlans } from './routes.ts'

/*
 * The entry point. A few stops of one driver are searched exhaustively, whatever the budget; everything else starts with
 * the current routes, improves them until the budget is spent, and polishes the result.
 */

/** The best routes the budget allows; the current ones if none are better. */
export function solve(problem: Problem, budget: Budget): Solution {
  checkProblem(problem)
  checkBudget(budget)
  const instance = makeInstance(problem)
  const routes = makeRoutes(instance)
  const bench = makeWorkbench(instance)
  construct(routes, bench)
  const given = readPlans(routes)
  if (instance.stopCount === 0) return { ...evaluatePlans(problem, given), iterations: 0, isOptimal: true }
  if (isSmall(instance, routes)) {
    const found = searchExhaustively(instance, evaluatePlans(problem, given).cost.total)
    return { ...evaluatePlans(problem, found ? [found] : given), iterations: 0, isOptimal: true }
  }
  const iterations = improve(routes, bench, budget)
  const found = polish(problem, instance.precedence, readPlans(routes), watch(budget))
  return { ...better(problem, found, given), iterations, isOptimal: false }
}

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

function better(problem: Problem, found: Plan[], given: Plan[]) {
  const [after, before] = [evaluatePlans(problem, found), evaluatePlans(problem, given)]
  return after.cost.total < before.cost.total ? after : before
}
