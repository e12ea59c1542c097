import { itemProblem } from '../../../api/problem.ts'
import type { Row } from '../../files/read-file.ts'
import type { Table } from '../../files/save.ts'
import type { SendSet } from './sets.ts'
import type { Say } from './words.ts'

/** A row that did not become a task, and why, in one sentence. */
export interface Refused {
  row: Row
  reason: string
}

/** The rows we left out and those the server refused, in the order of the file. Rows not sent yet are neither. */
export function refusedRows(
  rows: readonly Row[],
  leftOut: readonly [row: number, reason: string][],
  sets: readonly SendSet[],
  say: Say,
): Refused[] {
  const reasons = new Map(leftOut)
  for (const { rows, outcomes = [] } of sets)
    for (const [index, { refusal }] of outcomes.entries())
      if (refusal)
        reasons.set(rows[index] as number, refusal === 'lost' ? say('importLost') : itemProblem(refusal, say))
  return rows.flatMap((row) => {
    const reason = reasons.get(row.number)
    return reason === undefined ? [] : [{ row, reason }]
  })
}

/** Nothing is wrong with a row that was left out because its task exists. */
export const isFixable = ({ reason }: Refused, say: Say) => reason !== say('rowLeftOut') && reason !== say('rowEnded')

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
