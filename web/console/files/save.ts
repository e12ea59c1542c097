import { writeCsv } from '../../../core/csv.ts'
import { type Value, writeXlsx } from './xlsx-write.ts'

export interface Table {
  headers: readonly string[]
  rows: readonly (readonly Value[])[]
}

/** In a text file a time is text, to the minute. */
const asText = (value: Value) => (value && typeof value === 'object' ? value.wall.slice(0, 16) : value)

export const tableAsText = ({ headers, rows }: Table) => writeCsv([headers, ...rows.map((row) => row.map(asText))])

/** Saves a table as a CSV file. */
export const saveCsv = (fileName: string, table: Table) =>
  saveFile(`${fileName}.csv`, new Blob([tableAsText(table)], { type: 'text/csv;charset=utf-8' }))

/** The same as a workbook; `title` is the name of its sheet. */
export async function saveXlsx(fileName: string, title: string, { headers, rows }: Table) {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  saveFile(`${fileName}.xlsx`, new Blob([await writeXlsx(title, headers, rows)], { type }))
}

/** Saves a file under a name. */
export function saveFile(name: string, content: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser reads it after the click; a minute is long enough for any disk.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
