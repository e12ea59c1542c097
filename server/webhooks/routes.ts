import { Refusal } from '../../contract/errors.ts'
import { eventBody } from '../events/present.ts'
import { decodeCursor, isId, pageById, pageInSlices } from '../http/answers/cursor.ts'
import { requireScope } from '../http/requests/credentials.ts'
import type { Handlers } from '../http/route.ts'
import type { Organisation } from '../organisations/queries.ts'
import {
  createWebhook,
  createWebhooks,
  deleteWebhook,
  enableWebhook,
  getWebhook,
  replayWebhook,
  rotateSecret,
  testWebhook,
} from './actions.ts'
import { presentDelivery, presentNewWebhook, presentWebhook } from './present.ts'
import { findSent, listDeliveries, listWebhooks } from './queries.ts'
import { messageId as messageIdOf } from './sending/attempt.ts'

const onAPage = 100

export const webhookRoutes = {
  async createWebhook(context, { organisation, body }) {
    return { webHook: presentNewWebhook(await createWebhook(context, organisation.id, body)) }
  },

  async bulkCreateWebhooks(context, { organisation, body }) {
    return { webHooks: (await createWebhooks(context, organisation.id, body)).map(presentNewWebhook) }
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

  async getDelivery(context, { organisation, params, scopes }) {
    // The body tells of tasks and customers, which a key that may only see webhooks must not learn.
    requireScope({ actor: context.actor, scopes }, 'events:read')
    const { id } = await getWebhook(context, organisation.id, params.webhookId)
    const { eventId } = params
    const [delivery] = await listDeliveries(context.db, organisation.id, id, { eventId }, eventId + 1, 1)
    const sent = delivery && (await findSent(context.db, organisation.id, eventId))
    if (!sent) throw new Refusal('EVENT_NOT_FOUND')
    const messageId = messageIdOf(organisation.id, eventId, id)
    return { delivery: { ...presentDelivery(delivery), messageId, body: eventBody(sent.event, sent.task) } }
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
