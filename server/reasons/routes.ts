import { pageById } from '../http/answers/cursor.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { createReason, deleteReason, updateReason } from './actions.ts'
import { presentReason } from './present.ts'
import { listReasons } from './queries.ts'

export const reasonRoutes = {
  async listReasons({ db }, { organisation, query }) {
    const { page, ...more } = await pageById(query, (...part) => listReasons(db, organisation.id, ...part))
    return { reasons: page.map(presentReason), ...more }
  },

  async createReason(context, { organisation, body }) {
    return { reason: presentReason(await createReason(context, organisation.id, body)) }
  },

  async updateReason(context, { organisation, params, body }) {
    return { reason: presentReason(await updateReason(context, organisation.id, params.reasonId, body)) }
  },

  async deleteReason(context, { organisation, params }) {
    await deleteReason(context, organisation.id, params.reasonId)
    return {}
  },
} satisfies Partial<Handlers<Organisation>>
