import { undoable } from '../context.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { assignTasksByAwb, assignTasksById } from '../tasks/change/assign.ts'
import { isRead, numberOf, outcomeOf, textOf } from '../tasks/outcomes.ts'
import { planAssignments } from './fleet/assign.ts'
import { estimateTask } from './fleet/estimate.ts'
import { findLeft } from './fleet/left.ts'
import { optimiseRoutes } from './fleet/optimise-routes.ts'
import { optimiseRoute } from './route/optimise.ts'
import { estimatePlaces, placeTasks, placeTasksByAwb } from './route/place.ts'
import { orderTasks } from './route/reorder.ts'
import { seeRoute } from './route/see.ts'
import { seeSpeeds } from './speeds/see.ts'

export const planningRoutes = {
  async assignTasksByAwb(context, { organisation, params, body }) {
    const { tasks = [], position, day } = body
    const [caller, awbs] = [undoable(context, body), tasks.filter(isRead)]
    const moved = position
      ? await placeTasksByAwb(caller, organisation, params.driverId, awbs, { position, day })
      : await assignTasksByAwb(caller, organisation, params.driverId, awbs)
    return { results: tasks.map((awb) => ({ awb: textOf(awb), ...outcomeOf(awb, moved) })) }
  },

  async assignTasksById(context, { organisation, params, body }) {
    const { tasks = [], position, day } = body
    const [caller, ids] = [undoable(context, body), tasks.filter(isRead)]
    const moved = position
      ? await placeTasks(caller, organisation, params.driverId, ids, { position, day })
      : await assignTasksById(caller, organisation, params.driverId, ids)
    return { results: tasks.map((id) => ({ id: numberOf(id), ...outcomeOf(id, moved) })) }
  },

  async getDriverRoute(context, { organisation, params, query }) {
    return { route: await seeRoute(context, organisation, params.driverId, query.day, query.tasks) }
  },

  async getOwnRoute(context, { organisation, query }) {
    return { route: await seeRoute(context, organisation, context.actor.id as number, query.day) }
  },

  async estimatePlaces(context, { organisation, params, body }) {
    return { places: await estimatePlaces(context, organisation, params.driverId, body) }
  },

  async optimizeTodayTasks(context, { organisation, params, body }) {
    return { route: await optimiseRoute(undoable(context, body), organisation, params.driverId, body) }
  },

  async orderDriverTasks(context, { organisation, params, body }) {
    return { route: await orderTasks(undoable(context, body), organisation, params.driverId, body) }
  },

  async optimiseRoutes(context, { organisation, body }) {
    return { plan: await optimiseRoutes(undoable(context, body), organisation, body) }
  },

  async planAssignments(context, { organisation, body }) {
    return { plan: await planAssignments(undoable(context, body), organisation, body) }
  },

  async listLeftTasks({ db }, { organisation, query }) {
    return findLeft(db, organisation, query)
  },

  async getLearnedSpeeds({ db }, { organisation }) {
    return { speeds: await seeSpeeds(db, organisation.id) }
  },

  async estimateTask(context, { organisation, body }) {
    return { estimate: await estimateTask(context, organisation, body) }
  },
} satisfies Partial<Handlers<Organisation>>
