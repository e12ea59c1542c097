import type { Point } from '../../../core/geo.ts'
import type { Transport } from '../../../core/travel.ts'
import { OutsideError } from '../fault.ts'
import type { Answer } from '../fetch.ts'

/** The trip from one place to another without traffic; null if the engine finds none. */
export type Way = { seconds: number; metres: number } | null

/** A program that knows the roads. Each is one file and one line in `travel.ts`. */
export interface Engine {
  name: 'osrm' | 'valhalla'
  /** The engine's name for this means of transport; undefined if it has none. */
  profileOf(transport: Transport): string | undefined
  /** A row for each start. Throws an OutsideError if there is no answer or it makes no sense. */
  ask(question: Question): Promise<Way[][]>
}

export interface Question {
  profile: string
  from: readonly Point[]
  to: readonly Point[]
  timeoutMs: number
  signal: AbortSignal
}

/** A table of 50 by 50 places has some 100 kB; anything above this limit is not a table. */
export const mostBytes = 4 * 1024 * 1024

export const nonsense = (what: string) => new OutsideError('protocol', `The engine answered ${what}`)

export function readJson({ status, body, truncated }: Answer): Record<string, unknown> {
  if (truncated) throw nonsense('with too much data')
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    throw nonsense(`${status} with something that is not JSON`)
  }
  if (typeof parsed !== 'object' || parsed === null) throw nonsense(`${status} with JSON that is not an object`)
  return parsed as Record<string, unknown>
}

/** Once around the earth, and ten days: longer than any real trip. */
const mostMetres = 40_075_000
const mostSeconds = 864_000

/** Combines the two tables of an answer; throws if one has another size or holds an impossible value. */
export function readWays(seconds: unknown, metres: unknown, rows: number, columns: number): Way[][] {
  const [times, distances] = [readTable(seconds, rows, columns), readTable(metres, rows, columns)]
  return times.map((row, from) => row.map((time, to) => readWay(time, distances[from]?.[to])))
}

function readTable(table: unknown, rows: number, columns: number): unknown[][] {
  const isTable =
    Array.isArray(table) && table.length === rows && table.every((row) => Array.isArray(row) && row.length === columns)
  if (!isTable) throw nonsense(`without a table of ${rows} by ${columns}`)
  return table
}

function readWay(seconds: unknown, metres: unknown): Way {
  if (seconds === null || metres === null) return null
  if (!isBetween(seconds, mostSeconds) || !isBetween(metres, mostMetres)) throw nonsense('with an impossible route')
  return { seconds, metres }
}

const isBetween = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= 0 && value <= most
