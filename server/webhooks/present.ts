import type { Webhook, WebhookWithSecret } from '../../contract/webhook.ts'
import type { WebhookView } from './queries.ts'

export const presentWebhook = (webhook: WebhookView): Webhook => ({
  id: webhook.id,
  url: webhook.url,
  trigger: webhook.trigger_id,
  companyId: webhook.organisation_id,
  createdAt: webhook.created_at.toISOString(),
  updatedAt: webhook.updated_at.toISOString(),
  verification: webhook.verification,
  isEnabled: webhook.is_enabled,
})

/** Only the answer to its creation shows the secret. */
export const presentNewWebhook = (webhook: WebhookView): WebhookWithSecret => ({
  ...presentWebhook(webhook),
  secret: webhook.secret,
})
