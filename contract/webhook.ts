import { type Static, Type } from 'typebox'
import { Id, Nullable, Secret, Text, Time } from './schema.ts'

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
  disabledReason: Nullable(Type.String({ description: 'Why it was switched off' })),
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

export const deliveryStates = ['pending', 'delivered', 'dead'] as const

export const Delivery = Type.Object(
  {
    eventId: Id(),
    state: Type.String({ enum: [...deliveryStates], description: 'On its way, arrived, or given up and replayable' }),
    triggerId: Type.Integer(),
    triggerName: Type.String(),
    taskId: Id(),
    awb: Type.String(),
    sequence: Type.Integer(),
    time: Time('When it happened'),
    nextAttemptAt: Nullable(Time()),
    reason: Nullable(Type.String({ description: 'Why it was given up' })),
    attempts: Type.Array(
      Type.Object({
        number: Type.Integer(),
        outcome: Type.String({ enum: ['delivered', 'retry', 'dead'] }),
        status: Nullable(Type.Integer()),
        durationMs: Type.Integer(),
        error: Nullable(Type.String()),
        answer: Nullable(Type.String({ description: 'The beginning of what the receiver answered' })),
        attemptedAt: Time(),
      }),
    ),
  },
  { title: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const DeliveryQuery = Type.Object({
  state: Type.Optional(Type.String({ enum: [...deliveryStates] })),
  trigger: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
  awb: Type.Optional(Text(64)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: '100 if not given' })),
  cursor: Type.Optional(Text(200, { description: 'The `nextCursor` of the page before' })),
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const replayStates = ['dead', 'delivered', 'all'] as const

export const ReplayInput = Type.Object(
  {
    eventId: Type.Optional(Nullable(Id('This one event, whatever became of it'))),
    from: Type.Optional(Nullable(Text(50, { description: 'Events from this time on' }))),
    to: Type.Optional(Nullable(Text(50, { description: 'Events up to this time' }))),
    state: Type.Optional(
      Type.String({
        enum: [...replayStates],
        description:
          '`dead` (if not given): what was given up. `delivered`: what arrived. `all`: also what nobody sent',
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
