import { decodeCursor, isId, pageById, pageInSlices } from '../http/answers/cursor.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  getWebhook,
  replayWebhook,
  rotateSecret,
  testWebhook,
} from './actions.ts'
import { presentDelivery, presentNewWebhook, presentWebhook } from './present.ts'
import { listDeliveries, listWebhooks } from './queries.ts'

const onAPage = 100

export const webhookRoutes = {
  async createWebhook(context, { organisation, body }) {
    return { webHook: presentNewWebhook(await createWebhook(context, organisation.id, body)) }
  },

  async listWebhooks({ db }, { organisation, query }) {
    const { page, ...more } = await pageById(query, (...part) => listWebhooks(db, organisation.id, ...part))
    return { webHooks: page.map(presentWebhook), ...more }
  },

  async deleteWebhook(context, { organisation, params }) {
    await deleteWebhook(context, organisation.id, params.webhookId)
    return {}
  },

  async listDeliveries({ db }, { organisation, params, query }) {
    const { id } = await getWebhook({ db }, organisation.id, params.webhookId)
    const { limit = onAPage, cursor, ...filter } = query
    const { page, ...more } = await pageInSlices(
      decodeCursor(cursor, Number.MAX_SAFE_INTEGER, isId),
      limit,
      onAPage,
      (...part) => listDeliveries(db, organisation.id, id, filter, ...part),
      ({ event_id }) => event_id,
      (rows) => rows.map(presentDelivery),
    )
    return { deliveries: page, ...more }
  },

  async testWebhook(context, { organisation, params }) {
    return { test: await testWebhook(context, organisation.id, params.webhookId) }
  },

  async replayWebhook(context, { organisation, params, body }) {
    return { replayed: await replayWebhook(context, organisation, params.webhookId, body) }
  },

  async enableWebhook(context, { organisation, params }) {
    return { webHook: presentWebhook(await enableWebhook(context, organisation.id, params.webhookId)) }
  },

  async rotateWebhookSecret(context, { organisation, params }) {
    return { webHook: presentNewWebhook(await rotateSecret(context, organisation.id, params.webhookId)) }
  },
} satisfies Partial<Handlers<Organisation>>
