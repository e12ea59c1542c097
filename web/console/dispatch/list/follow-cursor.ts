import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect } from 'react'
import type { Task } from '../../../api/data.ts'

/** Scrolls to the row of the cursor when the keyboard moves it. */
export function useFollowCursor(
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  rows: Task[],
  cursor: number | undefined,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a moved cursor scrolls; a changed list must stay where it is
  useEffect(() => {
    const at = cursor === undefined ? -1 : rows.findIndex(({ id }) => id === cursor)
    if (at >= 0) virtualizer.scrollToIndex(at, { align: 'auto' })
  }, [cursor])
}
