import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { optimiseToday } from './optimise.ts'

export const planningRoutes = {
  async optimizeTodayTasks(context, { organisation, params, body }) {
    return { route: await optimiseToday(context, organisation, params.driverId, body.traffic) }
  },
} satisfies Partial<Handlers<Organisation>>
