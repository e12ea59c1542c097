import type { Delivery, Webhook, WebhookWithSecret } from '../../contract/webhook.ts'
import { triggerName } from '../../core/triggers.ts'
import type { DeliveryView, WebhookView } from './queries.ts'

export const presentWebhook = (webhook: WebhookView): Webhook => ({
  id: webhook.id,
  url: webhook.url,
  trigger: webhook.trigger_id,
  companyId: webhook.organisation_id,
  createdAt: webhook.created_at.toISOString(),
  updatedAt: webhook.updated_at.toISOString(),
  verification: webhook.verification,
  isEnabled: webhook.is_enabled,
  disabledReason: webhook.disabled_reason,
})

/** Only the response to its creation shows the secret. */
export const presentNewWebhook = (webhook: WebhookView): WebhookWithSecret => ({
  ...presentWebhook(webhook),
  secret: webhook.secret,
})

export const presentDelivery = (delivery: DeliveryView): Delivery => ({
  eventId: delivery.event_id,
  state: delivery.state,
  triggerId: delivery.trigger_id,
  triggerName: triggerName(delivery.trigger_id),
  taskId: delivery.task_id,
  awb: delivery.awb,
  sequence: delivery.sequence,
  time: delivery.occurred_at.toISOString(),
  nextAttemptAt: delivery.due_at?.toISOString() ?? null,
  reason: delivery.reason,
  attempts: delivery.attempts.map((attempt) => ({
    number: attempt.number,
    outcome: attempt.outcome,
    status: attempt.status,
    durationMs: attempt.duration_ms,
    error: attempt.error,
    answer: attempt.answer,
    attemptedAt: new Date(attempt.attempted_at).toISOString(),
  })),
})
