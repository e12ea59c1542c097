import type { Table } from '../../files/save.ts'
import { type FieldName, fieldWords } from './columns.ts'
import type { Say } from './words.ts'

/** The AWB first, because not everybody chooses it. */
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
export function makeTemplate(say: Say, day: string, hasOwnAwbs: boolean): Table {
  const headers = shown.map((field) => say(fieldWords[field]))
  const example = [
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
  ]
  const from = hasOwnAwbs ? 0 : 1
  return { headers: headers.slice(from), rows: [example.slice(from)] }
}
