import { pageByIdDown } from '../http/answers/cursor.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { eraseByRequest } from './actions.ts'
import { downloadPersonalData } from './personal-data.ts'
import { presentErasure } from './present.ts'
import { listErasures } from './queries.ts'

const onAPage = 50

export const erasureRoutes = {
  async createErasure(context, { organisation, body }) {
    const { erasures, ...rest } = await eraseByRequest(context, organisation, body)
    return { erasures: erasures.map(presentErasure), ...rest }
  },

  async listErasures({ db }, { organisation, query }) {
    const { page, ...more } = await pageByIdDown({ limit: onAPage, ...query }, (...part) =>
      listErasures(db, organisation.id, ...part),
    )
    return { erasures: page.map(presentErasure), ...more }
  },

  async getPersonalData(context, { organisation, query }) {
    return downloadPersonalData(context, organisation, query)
  },
} satisfies Partial<Handlers<Organisation>>
