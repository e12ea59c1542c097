import { type Known, type Row, table } from '../../db/table.ts'

export const cashLines = table('cash_lines', {
  organisation_id: 'bigint',
  id: 'bigint',
  user_id: 'bigint',
  day: 'text',
  of_day: 'text?',
  kind: 'text',
  method: 'text',
  hundredths: 'bigint',
  payment_id: 'bigint?',
  task_id: 'bigint?',
  counted_by: 'bigint?',
  occurred_at: 'timestamptz',
  recorded_at: 'timestamptz',
})
export type CashLineRow = Known<
  Row<typeof cashLines>,
  { kind: 'payment' | 'handIn' | 'closeOut' | 'correction'; method: 'cash' | 'card' | 'other' }
>

export const cashNotes = table('cash_notes', { organisation_id: 'bigint', line_id: 'bigint', note: 'text' })

export const closeOuts = table('cash_close_outs', {
  organisation_id: 'bigint',
  user_id: 'bigint',
  day: 'text',
  line_id: 'bigint',
  cash_hundredths: 'bigint',
  handed_in_hundredths: 'bigint',
  closed_at: 'timestamptz',
})

export const cashProgress = table('cash_progress', { organisation_id: 'bigint', payment_id: 'bigint' })
