import type { Texts } from '../../say.ts'

/** What was paid for a task. */
export const paymentWords = {
  payments: 'Payments',
  noPayments: 'Nothing was paid yet',
  overpaid: '{amount} more was paid than the price',
  addPayment: 'Add payment',
  amount: 'Amount',
  amountHint: 'A negative amount corrects earlier payments',
  paidAtNextTry: 'What is left is paid with {awb}: add it there. Here a negative amount corrects earlier payments.',
  method: 'Method',
  otherMethod: 'Other',
  paymentNote: 'Note',
  paymentAdded: 'Payment added',
  TASK_PAID: 'recorded a payment of {amount}',
  TASK_PAYMENT_CORRECTED: 'corrected the payments by {amount}',
} as const satisfies Texts
