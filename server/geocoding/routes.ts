import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { suggestPlaces } from './suggest.ts'

export const placeRoutes = {
  async suggestPlaces(context, { organisation, query }) {
    return { places: await suggestPlaces(context, organisation, query) }
  },
} satisfies Partial<Handlers<Organisation>>
