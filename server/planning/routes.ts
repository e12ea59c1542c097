import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { planAssignments } from './fleet/assign.ts'
import { estimateTask } from './fleet/estimate.ts'
import { optimiseRoutes } from './fleet/optimise-routes.ts'
import { optimiseRoute } from './route/optimise.ts'
import { orderTasks } from './route/reorder.ts'

export const planningRoutes = {
  async optimizeTodayTasks(context, { organisation, params, body }) {
    return { route: await optimiseRoute(context, organisation, params.driverId, body) }
  },

  async orderDriverTasks(context, { organisation, params, body }) {
    return { route: await orderTasks(context, organisation, params.driverId, body) }
  },

  async optimiseRoutes(context, { organisation, body }) {
    return { plan: await optimiseRoutes(context, organisation, body) }
  },

  async planAssignments(context, { organisation, body }) {
    return { plan: await planAssignments(context, organisation, body) }
  },

  async estimateTask(context, { organisation, body }) {
    return { estimate: await estimateTask(context, organisation, body) }
  },
} satisfies Partial<Handlers<Organisation>>
