import { type Static, Type } from 'typebox'
import { Id, Secret, Text, Time } from './schema.ts'

export const WebhookInput = Type.Object(
  {
    url: Text(2048, { minLength: 1, description: 'Where the events go; it is called once before it is stored' }),
    trigger: Type.Integer({ minimum: 1, maximum: 9, description: 'The one trigger this webhook listens for' }),
  },
  { title: 'WebhookInput' },
)

export type WebhookInput = Static<typeof WebhookInput>

const fields = {
  id: Id(),
  url: Type.String(),
  trigger: Type.Integer({ minimum: 1, maximum: 9 }),
  companyId: Id(),
  createdAt: Time(),
  updatedAt: Time(),
  verification: Type.String({
    enum: ['echo', 'reachable', 'off'],
    description: 'What the check at creation saw: the token came back, any answer came back, or nobody asked',
  }),
  isEnabled: Type.Boolean(),
}

export const Webhook = Type.Object(fields, { title: 'Webhook' })
export const WebhookWithSecret = Type.Object(
  {
    ...fields,
    secret: Secret('Signs every message to this url (Standard Webhooks); lists never show it'),
  },
  { title: 'WebhookWithSecret' },
)
export type Webhook = Static<typeof Webhook>
export type WebhookWithSecret = Static<typeof WebhookWithSecret>
