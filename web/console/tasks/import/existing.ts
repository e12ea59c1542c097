import type { Answer } from '../../../../contract/operations.ts'
import type { BulkTaskUpdate, TaskInput } from '../../../../contract/task.ts'
import { isEnded, type StatusId } from '../../../../core/task-status.ts'
import type { CheckedRow, Problem } from './check.ts'

/*
 * What the server knows of the AWBs in a list. It is asked with the rows themselves (a dry run of the update), so that it
 * says by its own rules what would change.
 */

type Result = Answer<'bulkUpdateTasks'>['results'][number]
export type Change = NonNullable<Result['changes']>[number]

/** What the server said of a row: there is no such task, or what would change, or why it would refuse. */
export type Said =
  | { is: 'new' }
  | { is: 'existing'; id: number; statusId: StatusId; changes: Change[]; customFields?: CustomFields }
  | { is: 'refused'; error: NonNullable<Result['error']> }

type CustomFields = NonNullable<TaskInput['customFields']>

/** An answer holds for the input it was asked with: an edited row has another. */
export interface Known {
  input: TaskInput
  said: Said
}
/** By the number of the row. */
export type KnownRows = ReadonlyMap<number, Known>

export const saidOf = ({ input, row }: CheckedRow, known: KnownRows): Said | undefined => {
  const one = known.get(row.number)
  return one?.input === input ? one.said : undefined
}

/** A task that exists needs no address in the list, and may have a driver for its team. */
const isOnlyNew = ({ word }: Problem) => word === 'rowNoAddress' || word === 'rowTeamAlone'
const hasOwnProblem = ({ problems }: CheckedRow) => problems.some((problem) => !isOnlyNew(problem))

/** Whether the server can be asked about a row, and was not yet. */
export const isToAsk = (one: CheckedRow, known: KnownRows) =>
  one.input.awb !== undefined && !hasOwnProblem(one) && saidOf(one, known) === undefined

/** How a row is asked about, and sent if it updates a task. */
export function updateOf({ userId, ...input }: TaskInput, customFields = input.customFields): BulkTaskUpdate {
  return {
    ...input,
    awb: input.awb as string,
    ...(userId && { userId }),
    ...(customFields && { customFields }),
  } as BulkTaskUpdate
}

/** The answer for a row. Custom fields of other columns stay: the server would replace the whole list. */
export function readResult({ success, id, statusId, changes = [], error }: Result, input: TaskInput): Said {
  if (error?.code === 'TASK_NOT_FOUND') return { is: 'new' }
  if (!success || id === undefined || statusId === undefined)
    return { is: 'refused', error: error ?? { code: 'INTERNAL', message: '' } }
  const custom = changes.find(({ field }) => field === 'customFields')
  if (!custom || !input.customFields) return { is: 'existing', id, statusId, changes }
  const before = custom.from as CustomFields
  const merged = mergeFields(before, input.customFields)
  const isSame = JSON.stringify(merged) === JSON.stringify(before)
  const others = changes.filter((change) => change !== custom)
  return {
    is: 'existing',
    id,
    statusId,
    changes: isSame ? others : [...others, { ...custom, to: merged }],
    customFields: merged,
  }
}

function mergeFields(before: CustomFields, given: CustomFields): CustomFields {
  const values = new Map(given.map(({ key, value }) => [key, value]))
  const kept = before.map((one) => (values.has(one.key) ? { ...one, value: values.get(one.key) } : one))
  const known = new Set(before.map(({ key }) => key))
  return [...kept, ...given.filter(({ key }) => !known.has(key))]
}

/** What becomes of a row. */
export type Fate = 'toFix' | 'create' | 'update' | 'leftOut' | 'same' | 'ended'

export function fateOf(one: CheckedRow, known: KnownRows, updates: boolean): Fate {
  if (hasOwnProblem(one)) return 'toFix'
  const said = saidOf(one, known)
  if (said?.is === 'refused') return 'toFix'
  if (said?.is !== 'existing') return one.problems.length > 0 ? 'toFix' : 'create'
  if (said.changes.length === 0) return 'same'
  if (isEnded(said)) return 'ended'
  return updates ? 'update' : 'leftOut'
}

/** The problems of a row as it stands: its own, and what the server would refuse. */
export function problemsOf(
  one: CheckedRow,
  known: KnownRows,
  sayRefusal: (error: { code: string; message: string }) => string,
) {
  const said = saidOf(one, known)
  if (said?.is === 'existing') return []
  if (said?.is !== 'refused') return one.problems
  const refused: Problem = { word: 'rowRefused', values: { reason: sayRefusal(said.error) } }
  return [...one.problems.filter((problem) => !isOnlyNew(problem)), refused]
}
