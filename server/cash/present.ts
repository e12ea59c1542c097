import type { CashDay, CashLine } from '../../contract/cash.ts'
import { differenceOf, toHandInOf } from '../../core/cash.ts'
import { amountOf } from '../../core/money.ts'
import type { CashDayRow, CashLineView } from './queries.ts'

export function presentDay(row: CashDayRow): CashDay {
  const sums = { cash: amountOf(row.cash), handedIn: amountOf(row.handed_in) }
  const isClosed = row.closed_at !== null
  return {
    userId: row.user_id,
    user: { id: row.user_id, name: row.user_name },
    day: row.day,
    toCollect: amountOf(row.to_collect),
    unpaid: amountOf(row.unpaid),
    lost: amountOf(row.lost),
    ...sums,
    card: amountOf(row.card),
    other: amountOf(row.other),
    earlier: amountOf(row.earlier),
    toHandIn: isClosed ? 0 : toHandInOf(sums),
    closed: isClosed,
    counted: row.counted === null ? null : amountOf(row.counted),
    corrected: amountOf(row.corrected),
    difference: isClosed ? differenceOf(sums) : null,
    closedBy: row.closed_by === null ? null : { id: row.closed_by, name: row.closed_by_name ?? '' },
    closedAt: row.closed_at?.toISOString() ?? null,
    note: row.note,
  }
}

export const presentCashLine = (line: CashLineView): CashLine => ({
  id: line.id,
  userId: line.user_id,
  user: { id: line.user_id, name: line.user_name },
  day: line.day,
  ofDay: line.of_day,
  kind: line.kind,
  method: line.method,
  amount: amountOf(line.hundredths),
  paymentId: line.payment_id,
  taskId: line.task_id,
  awb: line.awb,
  countedBy: line.counted_by === null ? null : { id: line.counted_by, name: line.counted_by_name ?? '' },
  note: line.note,
  occurredAt: line.occurred_at.toISOString(),
  recordedAt: line.recorded_at.toISOString(),
})
