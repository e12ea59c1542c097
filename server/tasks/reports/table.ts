import { createHash } from 'node:crypto'
import { Refusal } from '../../../contract/errors.ts'
import { type Cell, writeCsv } from '../../../core/csv.ts'
import type { Download } from '../../http/answers/download.ts'

/** Whether the caller asked for a table instead of JSON. */
export function wantsTable(format = 'json'): boolean {
  const name = format.trim().toLowerCase()
  if (name === 'csv' || name === 'json') return name === 'csv'
  throw new Refusal('VALIDATION_FAILED', { field: 'format', message: 'format must be json or csv' })
}

/** Columns by name, in the order of the rows, which have all the same. */
export type Columns = readonly string[]

/** A table as a file for spreadsheets. */
export function csvFile(name: string, columns: Columns, rows: readonly Record<string, unknown>[]): Download {
  const cells = rows.map((row) => columns.map((column) => cellOf(row[column])))
  const bytes = Buffer.from(writeCsv([columns, ...cells]))
  return {
    type: 'text/csv; charset=utf-8',
    name: `${name}.csv`,
    isSaved: true,
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    read: async () => bytes,
  }
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  return typeof value === 'number' ? value : String(value)
}
