import type { Static } from 'typebox'
import { longest, mostItems } from './limits.ts'
import { Id, Nullable, PageQuery, Secret, Text, Time } from './schema.ts'
import { Type } from './type.ts'

export const WebhookInput = Type.Object(
  {
    url: Text(longest.url, { minLength: 1, description: 'Where events are sent; checked once before it is saved' }),
    trigger: Type.Integer({ minimum: 1, maximum: 9, description: 'The trigger this webhook is for' }),
  },
  { title: 'WebhookInput' },
)

export type WebhookInput = Static<typeof WebhookInput>

export const BulkWebhookInput = Type.Object(
  {
    url: WebhookInput.properties.url,
    triggers: Type.Array(Type.Integer({ minimum: 1, maximum: 9 }), {
      minItems: 1,
      maxItems: 9,
      description: 'A webhook is created for each; all or none',
    }),
  },
  { title: 'BulkWebhookInput' },
)
export type BulkWebhookInput = Static<typeof BulkWebhookInput>

const fields = {
  id: Id(),
  url: Type.String(),
  trigger: Type.Integer({ minimum: 1, maximum: 9 }),
  companyId: Id(),
  createdAt: Time(),
  updatedAt: Time(),
  verification: Type.String({
    enum: ['echo', 'reachable', 'off'],
    description: 'Result of the check at creation: the token came back, any response came back, or not checked',
  }),
  isEnabled: Type.Boolean(),
  disabledReason: Nullable(Type.String({ description: 'Why it was disabled' })),
}

export const Webhook = Type.Object(fields, { title: 'Webhook' })
export const WebhookWithSecret = Type.Object(
  {
    ...fields,
    secret: Secret('Signs every message to this URL (Standard Webhooks); never shown in lists'),
  },
  { title: 'WebhookWithSecret' },
)
export type Webhook = Static<typeof Webhook>
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const deliveryStates = ['pending', 'delivered', 'dead'] as const

export const Delivery = Type.Object(
  {
    eventId: Id(),
    state: Type.String({
      enum: [...deliveryStates],
      description: '`pending`, `delivered`, or `dead`: failed for good and can be replayed',
    }),
    triggerId: Type.Integer(),
    triggerName: Type.String(),
    taskId: Id(),
    awb: Type.String(),
    sequence: Type.Integer(),
    time: Time('When it happened'),
    nextAttemptAt: Nullable(Time()),
    reason: Nullable(Type.String({ description: 'Why it failed for good' })),
    attempts: Type.Array(
      Type.Object({
        number: Type.Integer(),
        outcome: Type.String({ enum: ['delivered', 'retry', 'dead'] }),
        status: Nullable(Type.Integer()),
        durationMs: Type.Integer(),
        error: Nullable(Type.String()),
        answer: Nullable(Type.String({ description: 'The start of the receiver’s response' })),
        attemptedAt: Time(),
      }),
    ),
  },
  { title: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const DeliveryWithBody = Type.Object(
  {
    ...Delivery.properties,
    messageId: Type.String({ description: 'The `webhook-id` it is sent with, the same at every attempt' }),
    body: Type.String({
      description: 'What is sent, byte for byte; without personal data that was erased since it was first sent',
    }),
  },
  { title: 'DeliveryWithBody' },
)
export type DeliveryWithBody = Static<typeof DeliveryWithBody>

export const DeliveryQuery = Type.Object({
  state: Type.Optional(Type.String({ enum: [...deliveryStates] })),
  trigger: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  awb: Type.Optional(Text(longest.awb)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostItems, description: 'Defaults to 100' })),
  cursor: PageQuery.properties.cursor,
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const replayStates = ['dead', 'delivered', 'all'] as const

export const ReplayInput = Type.Object(
  {
    eventId: Type.Optional(Nullable(Id('Only this event, whatever its state'))),
    from: Type.Optional(
      Nullable(Text(longest.time, { description: 'Events that happened or were recorded from this time on' })),
    ),
    to: Type.Optional(Nullable(Text(longest.time, { description: 'Those up to this time' }))),
    state: Type.Optional(
      Type.String({
        enum: [...replayStates],
        description:
          '`dead` (default): what failed for good. `delivered`: what arrived. `all`: also what was never sent',
      }),
    ),
  },
  { title: 'ReplayInput' },
)
export type ReplayInput = Static<typeof ReplayInput>

export const TestResult = Type.Object(
  {
    delivered: Type.Boolean(),
    status: Nullable(Type.Integer()),
    durationMs: Type.Integer(),
    error: Nullable(Type.String()),
    answer: Nullable(Type.String()),
  },
  { title: 'TestResult' },
)
export type TestResult = Static<typeof TestResult>
