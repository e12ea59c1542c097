import { readCsv } from './csv.ts'
import { readXlsx } from './xlsx-read.ts'
import type { Bytes } from './zip.ts'

export interface Sheet {
  headers: string[]
  rows: Row[]
}
export interface Row {
  /** The line number in the file, so that a person can find it. */
  number: number
  cells: string[]
}

/** A file too large to be a list of tasks. */
export const fileMaxBytes = 30 * 2 ** 20
const oldExcel = [0xd0, 0xcf, 0x11, 0xe0]

export type Unreadable = 'fileEmpty' | 'fileOldExcel' | 'fileTooLarge' | 'fileUnreadable'

/** The table in a file. The content decides what kind of file it is, because file names can be wrong. */
export async function readTable(bytes: Bytes): Promise<string[][] | Unreadable> {
  if (bytes.length > fileMaxBytes) return 'fileTooLarge'
  if (oldExcel.every((byte, at) => bytes[at] === byte)) return 'fileOldExcel'
  try {
    const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
    const table = isZip ? await readXlsx(bytes) : await readCsv(bytes)
    return table.filter(isFilled).length > 1 ? table : 'fileEmpty'
  } catch {
    return 'fileUnreadable'
  }
}

export const isFilled = (cells: readonly string[]) => cells.some((cell) => cell !== '')

/** The rows below the one with the names of the columns. */
export function sheetOf(table: readonly string[][], header: number): Sheet {
  const named = table[header] ?? []
  const rows = table
    .map((cells, index) => ({ number: index + 1, cells }))
    .filter(({ number, cells }) => number > header + 1 && isFilled(cells))
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), named.length)
  const headers = Array.from({ length: width }, (_, column) => named[column] ?? '')
  return { headers, rows }
}
