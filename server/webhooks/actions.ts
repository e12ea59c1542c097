import type { WebhookInput } from '../../contract/webhook.ts'
import type { Context } from '../context.ts'
import { insertWebhook, saveReceiver, type WebhookView } from './queries.ts'
import { makeSecret } from './sign.ts'
import { verifyUrl } from './verify.ts'

/** Asks the url first, outside of any transaction; only one that answered is stored. */
export async function createWebhook(
  context: Context,
  organisationId: number,
  { url, trigger }: WebhookInput,
): Promise<WebhookView> {
  const verification = await verifyUrl(context.outside, context.config.webhooks.verify, url)
  return context.db.transaction(async (db) => {
    const receiver = await saveReceiver(db, organisationId, url, makeSecret())
    const webhook = await insertWebhook(db, organisationId, {
      receiver_id: receiver.id,
      trigger_id: trigger,
      verification,
    })
    return { ...webhook, url: receiver.url, secret: receiver.secret }
  })
}
