import { itemProblem } from '../../../api/problem.ts'
import type { Say } from '../../../words/console.ts'
import type { Row } from '../../files/read-file.ts'
import type { Table } from '../../files/save.ts'
import { type CheckedRow, problemSentence } from './check.ts'
import type { Outcome } from './send.ts'

/** A row that did not become a task, and why, in one sentence. */
export interface Refused {
  row: Row
  reason: string
}

/** The rows we left out and those the server refused, in the order of the file. */
export function refusedRows(leftOut: readonly CheckedRow[], outcomes: readonly Outcome[], say: Say): Refused[] {
  const own = leftOut.map(({ row, problems }) => ({
    row,
    reason: problems.map((problem) => problemSentence(problem, say)).join('; '),
  }))
  const theirs = outcomes.flatMap(({ checked, refusal }) =>
    refusal ? [{ row: checked.row, reason: reasonOf(refusal, say) }] : [],
  )
  return [...own, ...theirs].sort((one, other) => one.row.number - other.row.number)
}

function reasonOf(refusal: NonNullable<Outcome['refusal']>, say: Say): string {
  if (refusal === 'stopped') return say('importStopped')
  return refusal === 'lost' ? say('importLost') : itemProblem(refusal, say)
}

/** The original rows with the reason in an additional column, which replaces that of an earlier import. */
export function tableOfRefused(headers: readonly string[], refused: readonly Refused[], say: Say): Table {
  const title = say('refusedHeader')
  const old = headers.indexOf(title)
  const without = <Value>(cells: readonly Value[]) => cells.filter((_, column) => column !== old)
  const rows = refused.map(({ row, reason }) => [
    ...without(headers.map((_, column) => row.cells[column] ?? '')),
    reason,
  ])
  return { headers: [...without(headers), title], rows }
}
