import type { TableColumn } from '../../../core/table-columns.ts'
import type { Word } from '../../words/console.ts'

/** What the columns of the table are called. */
export const columnWords = {
  state: 'state',
  awb: 'awb',
  address: 'address',
  customer: 'customer',
  phone: 'phone',
  window: 'window',
  driver: 'driver',
  team: 'team',
  eta: 'eta',
  cash: 'toCollect',
  priority: 'priority',
  created: 'createdColumn',
} as const satisfies Record<TableColumn, Word>
