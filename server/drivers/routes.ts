import { decodeCursor, isId, pageOf } from '../http/page.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { createDriver, deleteDriver, updateDriver } from './actions.ts'
import { presentDriver, presentListedDriver } from './present.ts'
import { listDrivers } from './queries.ts'

/** Without a limit all are listed. */
const everybody = 1_000_000

export const driverRoutes = {
  async createDriver(context, { organisation, body }) {
    return { user: presentDriver(await createDriver(context, organisation, body), organisation) }
  },

  async updateDriver(context, { organisation, params, body }) {
    return { user: presentDriver(await updateDriver(context, organisation, params.driverId, body), organisation) }
  },

  async deleteDriver(context, { organisation, params, query }) {
    await deleteDriver(context, organisation, params.driverId, query.force ?? false)
    return {}
  },

  async listDrivers({ db }, { organisation, query }) {
    const { teamId, inShift, q, limit = everybody } = query
    const afterId = decodeCursor(query.cursor, 0, isId)
    const rows = await listDrivers(db, organisation.id, { teamId, inShift, text: q?.trim() }, afterId, limit + 1)
    const { page, ...more } = pageOf(rows, limit, ({ id }) => id)
    return { users: page.map(presentListedDriver), ...more }
  },
} satisfies Partial<Handlers<Organisation>>
