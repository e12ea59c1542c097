import { pageById } from '../http/answers/cursor.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { createHub, createTeam, deleteHub, deleteTeam, updateHub, updateTeam } from './actions.ts'
import { presentHub, presentTeam } from './present.ts'
import { listHubs, listTeams } from './queries.ts'

export const teamRoutes = {
  async createTeam(context, { organisation, body }) {
    return { team: presentTeam(await createTeam(context, organisation.id, body)) }
  },

  async listTeams({ db }, { organisation, query }) {
    const { page, ...more } = await pageById(query, (...part) => listTeams(db, organisation.id, ...part))
    return { teams: page.map(presentTeam), ...more }
  },

  async updateTeam(context, { organisation, params, body }) {
    return { team: presentTeam(await updateTeam(context, organisation.id, params.teamId, body)) }
  },

  async deleteTeam(context, { organisation, params }) {
    await deleteTeam(context, organisation, params.teamId)
    return {}
  },

  async createHub(context, { organisation, body }) {
    return { hub: presentHub(await createHub(context, organisation, body)) }
  },

  async listHubs({ db }, { organisation, query }) {
    const { page, ...more } = await pageById(query, (...part) => listHubs(db, organisation.id, ...part))
    return { hubs: page.map(presentHub), ...more }
  },

  async updateHub(context, { organisation, params, body }) {
    return { hub: presentHub(await updateHub(context, organisation, params.hubId, body)) }
  },

  async deleteHub(context, { organisation, params }) {
    await deleteHub(context, organisation.id, params.hubId)
    return {}
  },
} satisfies Partial<Handlers<Organisation>>
