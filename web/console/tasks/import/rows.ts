import { useCallback, useMemo, useRef, useState } from 'react'
import { type CheckedRow, recheckRow, type Surroundings } from './check.ts'
import { fateOf, isToAsk } from './existing.ts'
import { type KeptImport, keepRow } from './kept.ts'
import { useExisting } from './look-up.ts'

/** What the dialog works on: a file with its columns, and under which name the browser keeps it. */
export interface Work extends Pick<KeptImport, 'id' | 'fileName' | 'headers' | 'mapping' | 'day'> {
  /** Whether the browser keeps it, so that it can be continued. */
  isKept: boolean
}

const none: readonly CheckedRow[] = []

/** The rows of an import: as they were checked, as they are corrected, and what would become of them. */
export function useRows(work: Work | undefined, around: Surroundings, isShown: boolean) {
  const [checked, setChecked] = useState(none)
  const [edited, setEdited] = useState<ReadonlySet<number>>(new Set())
  const [updates, setUpdates] = useState(false)
  const { known, hasFailed, askAgain } = useExisting(isShown ? checked : none)
  const [creates, changing] = useMemo(() => {
    const fates = checked.map((one) => fateOf(one, known, updates))
    return [checked.filter((_, at) => fates[at] === 'create'), checked.filter((_, at) => fates[at] === 'update')]
  }, [checked, known, updates])
  const isAsking = useMemo(() => !hasFailed && checked.some((one) => isToAsk(one, known)), [checked, known, hasFailed])

  const show = (rows: readonly CheckedRow[]) => {
    setChecked(rows)
    setEdited(new Set())
  }
  const latest = useRef({ checked, work, around })
  latest.current = { checked, work, around }
  const edit = useCallback((at: number, column: number, cell: string) => {
    const { checked, work, around } = latest.current
    const one = checked[at]
    if (!work || !one) return
    const cells = Array.from({ length: Math.max(one.row.cells.length, column + 1) }, (_, n) => one.row.cells[n] ?? '')
    cells[column] = cell
    const after = recheckRow(checked, at, cells, work.headers, work.mapping, around)
    latest.current.checked = after
    setChecked(after)
    setEdited((before) => (before.has(one.row.number) ? before : new Set([...before, one.row.number])))
    void keepRow(
      work.id,
      at,
      after.map(({ row }) => row),
    )
  }, [])
  return { checked, edited, updates, known, hasFailed, askAgain, creates, changing, isAsking, show, edit, setUpdates }
}
