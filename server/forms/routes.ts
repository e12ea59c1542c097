import { pageById } from '../http/cursor.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { createForm, deleteForm, updateForm } from './actions.ts'
import { presentForm } from './present.ts'
import { listForms } from './queries.ts'

export const formRoutes = {
  async createForm({ db }, { organisation, body }) {
    return { form: presentForm(await createForm(db, organisation.id, body)) }
  },

  async listForms({ db }, { organisation, query }) {
    const { page, ...more } = await pageById(query, (...part) => listForms(db, organisation.id, ...part))
    return { forms: page.map(presentForm), ...more }
  },

  async updateForm({ db }, { organisation, params, body }) {
    return { form: presentForm(await updateForm(db, organisation.id, params.formId, body)) }
  },

  async deleteForm({ db }, { organisation, params }) {
    await deleteForm(db, organisation.id, params.formId)
    return {}
  },
} satisfies Partial<Handlers<Organisation>>
