import type pg from 'pg'
import { copyIn } from '../../../db/copy.ts'

/*
 * What was collected waits in temporary tables, which the database sorts on disk and forgets when the connection ends, whatever
 * happens to this process.
 */

export type Value = string | number | boolean | null | readonly (string | number)[]

const blockCharacters = 1 << 20

/** A value as COPY reads it. */
function write(value: Value): string {
  if (value === null) return '\\N'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : asArray(value)
  return text.replace(/[\\\t\n\r]/g, (mark) => marks[mark] as string).replaceAll('\0', '')
}
const marks: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const asArray = (values: readonly (string | number)[]) =>
  `{${values.map((one) => (typeof one === 'number' ? one : `"${one.replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`

export type Writer = ReturnType<typeof openWriter>

/** Writes rows of a table in large blocks. A promise that is returned must be awaited before the connection is used again. */
export function openWriter(client: pg.Client, table: string, columns: string) {
  let lines: string[] = []
  let characters = 0
  let count = 0

  async function flush() {
    if (lines.length === 0) return
    const block = Buffer.from(lines.join(''))
    lines = []
    characters = 0
    await copyIn(client, `copy ${table} (${columns}) from stdin`, one(block))
  }

  return {
    /** A promise if a block is full. */
    add(...row: Value[]): void | Promise<void> {
      const line = `${row.map(write).join('\t')}\n`
      lines.push(line)
      characters += line.length
      count += 1
      if (characters >= blockCharacters) return flush()
    },
    flush,
    count: () => count,
  }
}

async function* one(block: Buffer) {
  yield block
}

const rowsAtATime = 2_000

/** The rows of a query in pieces; in between the connection may be used for something else. */
export async function* readRows<Row extends object>(client: pg.Client, query: string): AsyncGenerator<Row> {
  cursors += 1
  const name = `c${cursors}`
  await client.query(`declare ${name} no scroll cursor with hold for ${query}`)
  try {
    for (;;) {
      const { rows } = await client.query<Row>(`fetch ${rowsAtATime} from ${name}`)
      yield* rows
      if (rows.length < rowsAtATime) return
    }
  } finally {
    await client.query(`close ${name}`)
  }
}
let cursors = 0
