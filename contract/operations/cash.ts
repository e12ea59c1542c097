import { CashCorrectionInput, CashDay, CashLine, CashQuery, CloseOutInput, HandInInput } from '../cash.ts'
import { reply } from '../schema.ts'
import { Type } from '../type.ts'
import { NextCursor, type Operation } from './operation.ts'

export const cashOperations = {
  listCash: {
    method: 'GET',
    path: '/api/v1/cash',
    tag: 'Cash',
    summary: 'The cash of drivers, day by day: to collect, collected, handed in, difference; the latest day first',
    scope: 'tasks:read',
    query: CashQuery,
    reply: reply({ currency: Type.String(), days: Type.Array(CashDay), nextCursor: NextCursor }),
    refuses: ['INVALID_TIME'],
  },
  listCashLines: {
    method: 'GET',
    path: '/api/v1/cash/lines',
    tag: 'Cash',
    summary: 'The lines of these days: each payment a driver took, and what was handed in, by whom counted',
    scope: 'tasks:read',
    query: CashQuery,
    reply: reply({ lines: Type.Array(CashLine), nextCursor: NextCursor }),
    refuses: ['INVALID_TIME'],
  },
  addHandIn: {
    method: 'POST',
    path: '/api/v1/cash/handIns',
    tag: 'Cash',
    summary: 'Write down cash that a driver hands in before the day is closed',
    scope: 'cash:write',
    body: HandInInput,
    reply: reply({ cash: CashDay }),
    changes: ['cash'],
    refuses: ['DRIVER_NOT_FOUND', 'INVALID_TIME', 'CASH_DAY_CLOSED', 'CASH_NOTE_REQUIRED'],
  },
  closeOutCash: {
    method: 'POST',
    path: '/api/v1/cash/closeOuts',
    tag: 'Cash',
    summary: 'Close a day of a driver with the cash that was counted; a difference needs a note',
    scope: 'cash:write',
    body: CloseOutInput,
    reply: reply({ cash: CashDay }),
    changes: ['cash'],
    refuses: ['DRIVER_NOT_FOUND', 'INVALID_TIME', 'CASH_DAY_CLOSED', 'CASH_NOTE_REQUIRED'],
  },
  correctCash: {
    method: 'POST',
    path: '/api/v1/cash/corrections',
    tag: 'Cash',
    summary: 'Correct what was handed in on a closed day, by a line of its own',
    scope: 'cash:write',
    body: CashCorrectionInput,
    reply: reply({ cash: CashDay }),
    changes: ['cash'],
    refuses: ['DRIVER_NOT_FOUND', 'INVALID_TIME', 'CASH_DAY_OPEN'],
  },
} as const satisfies Record<string, Operation>
