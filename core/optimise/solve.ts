import { construct, makeWorkbench } from './construct.ts'
import { evaluatePlans, type Plan } from './evaluate.ts'
import { mostStops, searchExhaustively } from './exact.ts'
import { improve } from './improve.ts'
import { type Instance, makeInstance } from './instance.ts'
import { type Budget, checkProblem, type Problem, type Solution } from './problem.ts'
import { makeRoutes, type Routes, readPlans } from './routes.ts'

/*
 * The one way in. A few stops of one driver are searched exhaustively, whatever the budget; everything else begins with
 * the present routes and improves them until the budget is spent.
 */

/** The best routes the budget allows, never worse than the present ones; those are kept if nothing is better. */
export function solve(problem: Problem, budget: Budget): Solution {
  checkProblem(problem)
  const instance = makeInstance(problem)
  const routes = makeRoutes(instance)
  const bench = makeWorkbench(instance)
  construct(routes, bench)
  const given = readPlans(routes)
  if (isSmall(instance, routes)) {
    const found = searchExhaustively(instance, evaluatePlans(problem, given).cost.total)
    return { ...evaluatePlans(problem, found ? [found] : given), iterations: 0, isOptimal: true }
  }
  const iterations = improve(routes, bench, budget)
  return { ...better(problem, readPlans(routes), given), iterations, isOptimal: false }
}

/** One driver, few stops, and no question of what to leave out. */
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
