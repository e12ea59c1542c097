import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { closeOut, correct, findDays, findLines, handIn } from './actions.ts'
import { findOwnCash } from './own.ts'

export const cashRoutes = {
  listCash: (context, { organisation, query }) => findDays(context, organisation, query),

  listCashLines: (context, { organisation, query }) => findLines(context, organisation, query),

  async addHandIn(context, { organisation, body }) {
    return { cash: await handIn(context, organisation, body) }
  },

  async closeOutCash(context, { organisation, body }) {
    return { cash: await closeOut(context, organisation, body) }
  },

  async correctCash(context, { organisation, body }) {
    return { cash: await correct(context, organisation, body) }
  },

  async getOwnCash(context, { organisation }) {
    return { cash: await findOwnCash(context, organisation, context.actor.id as number) }
  },
} satisfies Partial<Handlers<Organisation>>
