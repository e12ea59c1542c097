import type { Handlers } from '../http/route.ts'
import { readFeed, streamFeed } from './feed.ts'

export const eventRoutes = {
  async listEvents({ db }, { organisation, query }) {
    return readFeed(db, organisation.id, query.after, query.limit)
  },

  async streamEvents(context, { organisation, query, headers, reader }) {
    return streamFeed(context, organisation.id, headers['last-event-id'] ?? query.after, reader)
  },
} satisfies Partial<Handlers<{ id: number }>>
