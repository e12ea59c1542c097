import { Payment, PaymentInput } from '../payment.ts'
import { Id, PageQuery, reply } from '../schema.ts'
import { Task } from '../task.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

export const paymentOperations = {
  listPayments: {
    method: 'GET',
    path: '/api/v1/tasks/:taskId/payments',
    tag: 'Payments',
    summary: 'List what was paid for a task',
    scope: 'tasks:read',
    params: Type.Object({ taskId: Id() }),
    query: PageQuery,
    reply: reply({ payments: Type.Array(Payment), nextCursor: NextCursor }),
    missing: 'TASK_NOT_FOUND',
    refuses: [],
  },
  addPayment: {
    method: 'POST',
    path: '/api/v1/tasks/:taskId/payments',
    tag: 'Payments',
    summary: 'Add a payment, or correct earlier ones by a negative amount',
    scope: 'tasks:write',
    params: Type.Object({ taskId: Id() }),
    body: PaymentInput,
    reply: reply({ payment: Payment, task: Task }),
    missing: 'TASK_NOT_FOUND',
    refuses: ['PAYMENT_TOO_MUCH', 'PAYMENT_PARTIAL', 'TASK_REATTEMPTED', 'CURRENCY_DIFFERS'],
  },
} as const satisfies Record<string, Operation>
