import type { BulkTaskUpdate, TaskInput } from '../../../../contract/task.ts'
import type { StatusId } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import type { CheckedRow } from './check.ts'
import { type KnownRows, saidOf, updateOf } from './existing.ts'

/*
 * What is sent, in which requests. A set is made once, with its key, and sent as it was made however often that takes:
 * the server answers a key it knows with what it did the first time.
 */

export interface SendSet {
  number: number
  /** The Idempotency-Key. */
  key: string
  kind: 'create' | 'update'
  /** The numbers of the rows, in the order of the tasks. */
  rows: number[]
  tasks: readonly (TaskInput | BulkTaskUpdate)[]
  /** When it was first sent, in milliseconds: from then on the server may have it. */
  begunAt?: number
  /** One for each row, once it is answered. */
  outcomes?: Outcome[]
}

/** The fields of a created task that the report needs, to save memory with thousands of tasks. */
export interface SentTask {
  id: number
  awb: string
  address: Pick<Task['address'], 'address' | 'lat' | 'lng' | 'precision' | 'precisionDetail' | 'geocodingProblem'>
  createdAt: string
  statusId: StatusId
  completedAt: string | null
  completeAfter: string | null
  completeBefore: string | null
}

export function partOf({ id, awb, address, ...task }: SentTask): SentTask {
  const { createdAt, statusId, completedAt, completeAfter, completeBefore } = task
  const { address: line, lat, lng, precision, precisionDetail, geocodingProblem } = address
  return {
    id,
    awb,
    address: { address: line, lat, lng, precision, precisionDetail, geocodingProblem },
    createdAt,
    statusId,
    completedAt,
    completeAfter,
    completeBefore,
  }
}

/** What became of a row. */
export interface Outcome {
  task?: SentTask
  updated?: { id: number; awb: string }
  refusal?: { code: string; message: string } | 'lost'
}

/** Small enough that progress is seen and that a lost request costs little. */
const mostRows = 250
/** Half of what the server takes, in characters: most take one byte. */
const mostCharacters = 700_000

/** The requests for these rows, in the order of the list: first what is new, then what changes. */
export function planSets(
  creates: readonly CheckedRow[],
  updates: readonly CheckedRow[],
  known: KnownRows,
  makeKey: () => string,
): SendSet[] {
  const sets: SendSet[] = []
  const add = (
    kind: SendSet['kind'],
    rows: readonly CheckedRow[],
    taskOf: (row: CheckedRow) => SendSet['tasks'][number],
  ) => {
    let open: { rows: number[]; tasks: SendSet['tasks'][number][] } | undefined
    let characters = 0
    for (const one of rows) {
      const task = taskOf(one)
      const size = JSON.stringify(task).length
      if (!open || open.rows.length === mostRows || characters + size > mostCharacters) {
        open = { rows: [], tasks: [] }
        characters = 0
        sets.push({ number: sets.length, key: makeKey(), kind, ...open })
      }
      open.rows.push(one.row.number)
      open.tasks.push(task)
      characters += size
    }
  }
  add('create', creates, ({ input }) => input)
  add('update', updates, (one) => {
    const said = saidOf(one, known)
    return updateOf(one.input, said?.is === 'existing' ? said.customFields : undefined)
  })
  return sets
}

/** How long the server keeps its answers, with an hour to spare. */
const keptMs = 23 * 3_600_000

/**
 * Sets as they are when an import goes on. One that was sent too long ago for the server to remember, and was not
 * answered, is not sent again: its rows may have become tasks.
 */
export const resumeSets = (sets: readonly SendSet[], nowMs: number): SendSet[] =>
  sets.map((set) =>
    !set.outcomes && set.begunAt !== undefined && nowMs - set.begunAt > keptMs
      ? { ...set, outcomes: set.rows.map(() => ({ refusal: 'lost' as const })) }
      : set,
  )

export const countRows = (sets: readonly SendSet[]) => sets.reduce((sum, { rows }) => sum + rows.length, 0)
export const countSent = (sets: readonly SendSet[]) => countRows(sets.filter(({ outcomes }) => outcomes))
