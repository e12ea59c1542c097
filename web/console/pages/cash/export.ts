import type { Table } from '../../files/save.ts'
import { wallSeconds } from '../../tasks/wall-time.ts'
import type { CashLine, Say, Word } from './cash-data.ts'

const methodWords = { cash: 'cash', card: 'card', other: 'otherMethod' } as const

interface Column {
  word: Word
  value: (line: CashLine, say: Say, timeZone: string) => Table['rows'][number][number]
}

const columns: Column[] = [
  { word: 'day', value: ({ day }) => day },
  { word: 'driver', value: ({ user }) => user.name },
  { word: 'cashKind', value: ({ kind }, say) => say(`cashKind_${kind}`) },
  { word: 'method', value: ({ method }, say) => say(methodWords[method]) },
  { word: 'amount', value: ({ amount }) => amount },
  { word: 'awb', value: ({ awb }) => awb },
  { word: 'cashOfDay', value: ({ ofDay }) => ofDay },
  { word: 'cashCounter', value: ({ countedBy }) => countedBy?.name ?? null },
  { word: 'cashNote', value: ({ note }) => note },
  { word: 'cashTime', value: ({ occurredAt }, _, timeZone) => ({ wall: wallSeconds(occurredAt, timeZone) }) },
]

/** The lines as a table: what is handed in counts against what was collected. */
export const tableOf = (lines: readonly CashLine[], say: Say, timeZone: string): Table => ({
  headers: columns.map(({ word }) => say(word)),
  rows: lines.map((line) => columns.map(({ value }) => value(line, say, timeZone))),
})
