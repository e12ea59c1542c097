import type { Table } from '../../files/save.ts'
import { type FieldName, fieldWords } from './columns.ts'
import type { Say } from './words.ts'

const shown: FieldName[] = [
  'awb',
  'address',
  'city',
  'completeAfter',
  'completeBefore',
  'customerName',
  'customerPhone',
  'details',
  'totalPrice',
  'quantity',
  'serviceTime',
  'driver',
]

/** The most common columns, with names the import recognises, and one example row. */
export const makeTemplate = (say: Say, day: string): Table => ({
  headers: shown.map((field) => say(fieldWords[field])),
  rows: [
    [
      'A-1001',
      'Strada Lipscani 12',
      'București',
      `${day} 10:00`,
      `${day} 12:00`,
      'Ioana Pop',
      '0712 345 678',
      '2 × cutie',
      120,
      2,
      5,
      '',
    ],
  ],
})
