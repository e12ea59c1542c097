import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useRef } from 'react'
import { useFormats } from '../../api/time.ts'
import { LoadingState } from '../../ui/state.tsx'
import { useSay } from '../../words/words.ts'
import { useDispatch } from '../dispatch.tsx'
import { useCarry } from '../drag.ts'
import { riskOf } from '../risk.ts'
import { FilterChips } from './filter-chips.tsx'
import { FilterPopover } from './filter-popover.tsx'
import { useFollowCursor } from './follow-cursor.ts'
import { Grid, GridGroup } from './grid.tsx'
import { NothingToShow } from './nothing-to-show.tsx'
import { SearchField } from './search-field.tsx'
import { StatusTabs } from './status-tabs.tsx'
import { rowHeight, rowId, TaskRow } from './task-row.tsx'

/** The tasks beside the map. */
export function TaskList() {
  const { tasks, loading, error } = useDispatch()
  return (
    <>
      <StatusTabs tall />
      <div className="flex shrink-0 flex-wrap gap-2 border-line border-b p-2">
        <SearchField className="min-w-0 flex-1" />
        <FilterPopover />
        <div className="flex w-full flex-wrap gap-1 empty:hidden">
          <FilterChips />
        </div>
      </div>
      {loading ? <LoadingState rows={10} /> : tasks.length > 0 ? <Rows /> : !error && <NothingToShow />}
    </>
  )
}

function Rows() {
  const say = useSay()
  const { tasks, selection, now, change } = useDispatch()
  const { cursor, click } = selection
  const formats = useFormats()
  const carry = useCarry()
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    paddingEnd: 64,
    useFlushSync: false,
  })
  useFollowCursor(virtualizer, tasks, cursor)
  // The router makes a new `change` with every render; rows need one that lasts.
  const latest = useRef(change)
  latest.current = change
  const open = useCallback((task: number) => latest.current({ task }, false), [])
  const shown = virtualizer.getVirtualItems()
  const atCursor = shown.map(({ index }) => tasks[index]).find((task) => task?.id === cursor)
  return (
    <Grid
      ref={scroller}
      aria-label={say('taskList')}
      aria-rowcount={tasks.length}
      aria-activedescendant={atCursor && rowId(atCursor)}
      className="overflow-y-auto"
    >
      <GridGroup className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const task = tasks[index]
          return (
            task && (
              <TaskRow
                key={task.id}
                task={task}
                place={index + 1}
                top={start}
                chosen={selection.ids.has(task.id)}
                atCursor={task.id === cursor}
                risk={riskOf(task, now)}
                formats={formats}
                carry={carry}
                onClick={click}
                onOpen={open}
              />
            )
          )
        })}
      </GridGroup>
    </Grid>
  )
}
