import { Refusal } from '../../contract/errors.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import { createWebhook } from './actions.ts'
import { presentNewWebhook, presentWebhook } from './present.ts'
import { deleteWebhook, listWebhooks } from './queries.ts'

export const webhookRoutes = {
  async createWebhook(context, { organisation, body }) {
    return { webHook: presentNewWebhook(await createWebhook(context, organisation.id, body)) }
  },

  async listWebhooks({ db }, { organisation }) {
    return { webHooks: (await listWebhooks(db, organisation.id)).map(presentWebhook) }
  },

  async deleteWebhook({ db }, { organisation, params }) {
    const deleted = await deleteWebhook(db, organisation.id, params.webhookId)
    if (deleted === 0) throw new Refusal('WEBHOOK_NOT_FOUND')
    return {}
  },
} satisfies Partial<Handlers<Organisation>>
