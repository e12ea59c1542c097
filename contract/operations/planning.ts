import {
  AssignInput,
  AssignPlan,
  Estimate,
  EstimateInput,
  OptimiseInput,
  OrderInput,
  RouteSummary,
} from '../planning.ts'
import { Id, reply } from '../schema.ts'
import { Type } from '../type.ts'
import type { Operation } from './operation.ts'

export const planningOperations = {
  optimizeTodayTasks: {
    method: 'POST',
    path: '/api/v1/drivers/:driverId/tasks/optimizeTodayTasks',
    tag: 'Planning',
    summary: "Optimise the order of a driver's open tasks for today",
    scope: 'tasks:write',
    params: Type.Object({ driverId: Id() }),
    body: OptimiseInput,
    reply: reply({ route: RouteSummary }),
    missing: 'DRIVER_NOT_FOUND',
    refuses: ['FORBIDDEN_BY_SETTING', 'PLANNER_BUSY'],
  },
  orderDriverTasks: {
    method: 'PUT',
    path: '/api/v1/drivers/:driverId/tasks/order',
    tag: 'Planning',
    summary: "Set the order of a driver's open tasks",
    scope: 'tasks:write',
    params: Type.Object({ driverId: Id() }),
    body: OrderInput,
    reply: reply({ route: RouteSummary }),
    missing: 'DRIVER_NOT_FOUND',
    refuses: ['TASK_NOT_FOUND', 'ORDER_BREAKS_DEPENDENCY', 'TOO_MANY_ITEMS'],
  },
  planAssignments: {
    method: 'POST',
    path: '/api/v1/planning/assign',
    tag: 'Planning',
    summary: 'Assign waiting tasks to the best drivers and explain every choice',
    scope: 'tasks:write',
    body: AssignInput,
    reply: reply({ plan: AssignPlan }),
    refuses: ['TASK_NOT_FOUND', 'TEAM_NOT_FOUND', 'TOO_MANY_ITEMS', 'PLANNER_BUSY'],
  },
  estimateTask: {
    method: 'POST',
    path: '/api/v1/planning/estimate',
    tag: 'Planning',
    summary: 'Estimate who could take a new task, and when',
    scope: 'tasks:read',
    body: EstimateInput,
    reply: reply({ estimate: Estimate }),
    refuses: ['TEAM_NOT_FOUND', 'INVALID_TIME', 'INVALID_TIME_WINDOW', 'PLANNER_BUSY'],
  },
} as const satisfies Record<string, Operation>
