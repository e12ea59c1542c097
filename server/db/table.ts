import { raw, Sql } from './sql.ts'

interface TypeOf {
  bigint: number
  integer: number
  smallint: number
  'double precision': number
  text: string
  uuid: string
  boolean: boolean
  timestamptz: Date
  jsonb: unknown
  bytea: Buffer
  'text[]': string[]
}
type ColumnType = keyof TypeOf
type Columns = Record<string, ColumnType | `${ColumnType}?`>

type ValueOf<Type> = Type extends `${infer Inner extends ColumnType}?`
  ? TypeOf[Inner] | null
  : Type extends ColumnType
    ? TypeOf[Type]
    : never

export interface Table<Definition extends Columns = Columns> {
  name: string
  columns: Definition
}

/** A row as the database returns it. */
export type Row<T> =
  T extends Table<infer Definition> ? { -readonly [Name in keyof Definition]: ValueOf<Definition[Name]> } : never

/** The same row inside `row_to_json`, where times are text. */
export type JsonRow<T> = {
  [Name in keyof Row<T>]: Row<T>[Name] extends Date
    ? string
    : Row<T>[Name] extends Date | null
      ? string | null
      : Row<T>[Name]
}

/** Every table the program knows. A test holds this list against the catalogue of the database. */
export const knownTables: Table[] = []

/** Names a table and its columns once: row types, inserts and the catalogue test all read it. `?` marks a nullable one. */
export function table<const Definition extends Columns>(name: string, columns: Definition): Table<Definition> {
  const defined = { name, columns }
  knownTables.push(defined)
  return defined
}

const elementType = (type: string) => type.replace('?', '')

/**
 * A list of rows as `unnest` of one array per column: any number of rows is one statement of one shape.
 * The names are given once, so that arrays and columns cannot get out of step.
 */
export function unnest<Definition extends Columns, Name extends keyof Definition & string>(
  { columns }: Table<Definition>,
  names: readonly Name[],
  rows: readonly Pick<Row<Table<Definition>>, Name>[],
): Sql {
  const arrays = names.map((name, index) => `$${index + 1}::${elementType(columns[name] as string)}[]`)
  const values = names.map((name) => {
    const isJson = elementType(columns[name] as string) === 'jsonb'
    return rows.map((row) => (isJson && row[name] !== null ? JSON.stringify(row[name]) : row[name]))
  })
  return new Sql(`unnest(${arrays.join(', ')}) as given (${names.join(', ')})`, values)
}

export const columnList = (names: readonly string[], from?: string) =>
  raw(names.map((name) => (from ? `${from}.${name}` : name)).join(', '))
