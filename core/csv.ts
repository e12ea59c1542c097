export type Cell = string | number | null

/** Spreadsheets execute text that begins like a formula, even if a customer typed it. An apostrophe prevents that. */
const guard = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Undoes `guard`. */
export const unguard = (cell: string) => (/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell)

/** RFC 4180, with the byte order mark by which Excel recognises UTF-8. Numbers stay numbers; text is guarded. */
export function writeCsv(rows: readonly (readonly Cell[])[]): string {
  const cell = (value: Cell) => {
    if (value === null) return ''
    if (typeof value === 'number') return String(value)
    const text = guard(value)
    return /[",\r\n;]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
  }
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
