import type { paymentWords as english } from '../../en/console/payments.ts'
import type { Translation } from '../../say.ts'

export const paymentWords = {
  payments: 'Plăți',
  noPayments: 'Încă nu s-a plătit nimic',
  overpaid: 'S-a plătit cu {amount} peste preț',
  addPayment: 'Adaugă o plată',
  amount: 'Sumă',
  amountHint: 'O sumă negativă corectează plățile anterioare',
  paidAtNextTry: 'Restul se plătește la {awb}: adaugă plata acolo. Aici o sumă negativă corectează plățile anterioare.',
  method: 'Metodă',
  otherMethod: 'Altă metodă',
  paymentNote: 'Notă',
  paymentAdded: 'Plată adăugată',
  TASK_PAID: 'a înregistrat o plată de {amount}',
  TASK_PAYMENT_CORRECTED: 'a corectat plățile cu {amount}',
} as const satisfies Translation<typeof english>
