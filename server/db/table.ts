import { raw, Sql } from './sql.ts'

interface TypeOf {
  bigint: number
  integer: number
  smallint: number
  'double precision': number
  real: number
  text: string
  uuid: string
  boolean: boolean
  timestamptz: Date
  jsonb: unknown
  bytea: Buffer
  'text[]': string[]
  'integer[]': number[]
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

/** A row about which we know more than its column types say. */
export type Known<Whole, Better extends Partial<Whole>> = Omit<Whole, keyof Better> & Better

/** Every table the program knows. A test compares this list with the database catalogue. */
export const knownTables: Table[] = []

/** Names a table and its columns once: row types, inserts and the catalogue test all read it. `?` marks a nullable one. */
export function table<const Definition extends Columns>(name: string, columns: Definition): Table<Definition> {
  const defined = { name, columns }
  knownTables.push(defined)
  return defined
}

/**
 * A list of rows as `unnest` of one array per column: any number of rows is one statement of one shape.
 * The names are given once, so that arrays and columns cannot get out of step.
 */
export function unnest<Definition extends Columns, Name extends keyof Definition & string>(
  { columns }: Table<Definition>,
  names: readonly Name[],
  rows: readonly Pick<Row<Table<Definition>>, Name>[],
): Sql {
  const types = names.map((name) => (columns[name] as string).replace('?', '') as ColumnType)
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`)
  const values = names.map((name, index) => {
    const type = types[index] as ColumnType
    return type === 'text'
      ? textArray(rows as readonly Record<Name, string | null>[], name)
      : arrayLiteral(type, rows, name)
  })
  return new Sql(`unnest(${arrays.join(', ')}) as given (${names.join(', ')})`, values)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\x00-\x1f]/

/** In arrays a backslash escapes the next character. JSON does the same except for control characters, and is native. */
const quote = (text: string) => (controls.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(text))

let minute = Number.NaN
let untilMinute = ''

/** As `toISOString`, which takes longer than seven other columns; times in a set are often of the same minute. */
function writeTime(time: Date): string {
  const ms = time.getTime()
  const itsMinute = Math.floor(ms / 60_000)
  if (itsMinute !== minute) {
    untilMinute = time.toISOString().slice(0, -'00.000Z'.length)
    minute = itsMinute
  }
  const seconds = (ms - minute * 60_000) / 1_000
  return `${untilMinute}${seconds < 10 ? '0' : ''}${seconds}Z`
}

/** How a value of each type is written in an array; quoted only where it can contain special characters. */
const elements: Record<Exclude<ColumnType, 'text'>, (value: never) => string> = {
  bigint: String,
  integer: String,
  smallint: String,
  'double precision': String,
  real: String,
  boolean: String,
  uuid: String,
  timestamptz: writeTime,
  jsonb: (value: unknown) => quote(JSON.stringify(value)),
  bytea: (value: Buffer) => quote(`\\x${value.toString('hex')}`),
  'text[]': refuseList,
  'integer[]': refuseList,
}

function refuseList(): never {
  throw new Error('A column of lists cannot be unnested')
}

/** One column as an array PostgreSQL reads. `pg` can make one too, but quotes every number: 2,000 events took 100 ms instead of 20. */
function arrayLiteral<Name extends string>(
  type: Exclude<ColumnType, 'text'>,
  rows: readonly Record<Name, unknown>[],
  name: Name,
) {
  const element = elements[type] as (value: unknown) => string
  let list = ''
  for (const { [name]: value } of rows) list += `,${value === null ? 'NULL' : element(value)}`
  return `{${list.slice(1)}}`
}

const textOid = 25

/**
 * A column of texts, in PostgreSQL's binary form: nothing has to be escaped here and found again there. A thousand
 * snapshots of tasks take a tenth of the time.
 */
function textArray<Name extends string>(rows: readonly Record<Name, string | null>[], name: Name): Buffer {
  // Without rows it has no dimension. The flag for nulls is ignored: they are seen in the elements.
  const header = rows.length > 0 ? [1, 1, textOid, rows.length, 1] : [0, 1, textOid]
  const lengths = rows.map(({ [name]: text }) => (text === null ? 0 : Buffer.byteLength(text)))
  const array = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, 4 * header.length))
  let at = 0
  for (const number of header) at = array.writeInt32BE(number, at)
  for (const [index, { [name]: text }] of rows.entries()) {
    at = array.writeInt32BE(text === null ? -1 : (lengths[index] as number), at)
    if (text !== null) at += array.write(text, at)
  }
  return array
}

export const columnList = (names: readonly string[], from?: string) =>
  raw(names.map((name) => (from ? `${from}.${name}` : name)).join(', '))

/** For `update … set … from given`, or `on conflict do update`, where what was given is called `excluded`. */
export const assignments = (names: readonly string[], from: 'given' | 'excluded' | 'before' = 'given') =>
  raw(names.map((name) => `${name} = ${from}.${name}`).join(', '))
