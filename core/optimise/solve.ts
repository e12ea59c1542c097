import { construct, makeWorkbench } from './construct.ts'
import { evaluatePlans, type Plan } from './evaluate.ts'
import { improve } from './improve.ts'
import { makeInstance } from './instance.ts'
import { type Budget, checkProblem, type Problem, type Solution } from './problem.ts'
import { makeRoutes, readPlans } from './routes.ts'

/** The best routes the budget allows, never worse than the present ones. */
export function solve(problem: Problem, budget: Budget): Solution {
  checkProblem(problem)
  const instance = makeInstance(problem)
  const routes = makeRoutes(instance)
  const bench = makeWorkbench(instance)
  construct(routes, bench)
  const given = readPlans(routes)
  const iterations = improve(routes, bench, budget)
  return { ...better(problem, readPlans(routes), given), iterations, isOptimal: false }
}

function better(problem: Problem, found: Plan[], given: Plan[]) {
  const [after, before] = [evaluatePlans(problem, found), evaluatePlans(problem, given)]
  return after.cost.total < before.cost.total ? after : before
}
