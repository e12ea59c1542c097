import type { Static } from 'typebox'
import { longest, mostWhole } from './limits.ts'
import { Amount, Id, Nullable, ShownAmount, Text, Time } from './schema.ts'
import { Type } from './type.ts'

/** How money changed hands. */
export const paymentMethods = ['cash', 'card', 'other'] as const
export type PaymentMethod = (typeof paymentMethods)[number]
const Method = Type.Unsafe<PaymentMethod>({ type: 'string', enum: [...paymentMethods] })

export const PaymentInput = Type.Object(
  {
    amount: Amount({
      minimum: -mostWhole,
      description: 'What was paid; a negative amount corrects earlier payments',
    }),
    method: Method,
    note: Type.Optional(Nullable(Text(longest.text))),
    userId: Type.Optional(
      Nullable(
        Id('The driver who took it, or whose payments it corrects: it counts for their cash (see [cash](cash.md))'),
      ),
    ),
  },
  { title: 'PaymentInput' },
)
export type PaymentInput = Static<typeof PaymentInput>

export const Payment = Type.Object(
  {
    id: Id(),
    taskId: Id(),
    amount: ShownAmount('Negative if it corrects earlier payments'),
    method: Method,
    note: Nullable(Type.String()),
    userId: Id('The driver who took it, or the person who entered it'),
    user: Type.Object({ id: Id(), name: Type.String() }),
    occurredAt: Time('When it was paid'),
    recordedAt: Time('When the server received it'),
  },
  { title: 'Payment' },
)
export type Payment = Static<typeof Payment>
