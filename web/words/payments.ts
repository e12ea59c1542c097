import type { Words } from './words.ts'

/** What was paid for a task. */
export const paymentWords = {
  payments: ['Payments', 'Plăți'],
  noPayments: ['Nothing was paid yet', 'Încă nu s-a plătit nimic'],
  overpaid: ['{amount} more was paid than the price', 'S-a plătit cu {amount} peste preț'],
  addPayment: ['Add payment', 'Adaugă o plată'],
  amount: ['Amount', 'Sumă'],
  amountHint: ['A negative amount corrects earlier payments', 'O sumă negativă corectează plățile anterioare'],
  method: ['Method', 'Metodă'],
  otherMethod: ['Other', 'Altă metodă'],
  paymentNote: ['Note', 'Notă'],
  paymentAdded: ['Payment added', 'Plată adăugată'],
  TASK_PAID: ['recorded a payment of {amount}', 'a înregistrat o plată de {amount}'],
  TASK_PAYMENT_CORRECTED: ['corrected the payments by {amount}', 'a corectat plățile cu {amount}'],
  doneUnpaid: ['Done, unpaid', 'Finalizat, neachitat'],
  notCollected: ['Not collected (failed)', 'Neîncasat (eșuate)'],
} as const satisfies Words
