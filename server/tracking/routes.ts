import type { Handlers } from '../http/route.ts'
import { giveFeedback } from './feedback.ts'

export const trackingRoutes = {
  async giveFeedback(context, { params, body }) {
    await giveFeedback(context, params.uuid, body)
    return {}
  },
} satisfies Partial<Handlers<{ id: number }>>
