import { pageById } from '../http/answers/cursor.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { createForm, deleteForm, updateForm } from './actions.ts'
import { presentForm } from './present.ts'
import { listForms } from './queries.ts'

export const formRoutes = {
  async createForm(context, { organisation, body }) {
    return { form: presentForm(await createForm(context, organisation.id, body)) }
  },

  async listForms({ db }, { organisation, query }) {
    const { page, ...more } = await pageById(query, (...part) => listForms(db, organisation.id, ...part))
    return { forms: page.map(presentForm), ...more }
  },

  async updateForm(context, { organisation, params, body }) {
    return { form: presentForm(await updateForm(context, organisation.id, params.formId, body)) }
  },

  async deleteForm(context, { organisation, params }) {
    await deleteForm(context, organisation.id, params.formId)
    return {}
  },
} satisfies Partial<Handlers<Organisation>>
