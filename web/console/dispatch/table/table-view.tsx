import { useVirtualizer } from '@tanstack/react-virtual'
import { Printer } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { useFormats } from '../../../api/time.ts'
import { IconButton } from '../../../ui/button.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { useLongTouch } from '../../day/long-touch.ts'
import { usePress } from '../../day/press.ts'
import { useCarry } from '../drag.ts'
import { FilterBar } from '../filter-bar.tsx'
import { useFollowCursor } from '../list/follow-cursor.ts'
import { Grid, GridGroup } from '../list/grid.tsx'
import { NothingToShow } from '../list/nothing-to-show.tsx'
import { heightOver, rowId } from '../list/virtual-tasks.tsx'
import { ColumnChooser } from './column-chooser.tsx'
import { type Column, columnById } from './columns.tsx'
import { PrintedTable } from './printed-table.tsx'
import { TableHead } from './table-head.tsx'
import { TableRow, tableRowHeight } from './table-row.tsx'
import { useTaskTable } from './use-task-table.ts'

const headHeight = 32

/** Every task of the day in one table. Only visible rows are drawn. */
export default function TableView() {
  const say = useSay()
  const { tasks } = useDispatch()
  const { table, sorted, arrangement } = useTaskTable(tasks)
  return (
    <div className="flex h-full flex-col">
      <FilterBar>
        <ColumnChooser {...arrangement} />
        <IconButton label={say('print')} look="plain" onClick={() => window.print()}>
          <Printer />
        </IconButton>
      </FilterBar>
      {tasks.length === 0 ? <NothingToShow /> : <TaskGrid table={table} sorted={sorted} />}
    </div>
  )
}

function TaskGrid({ table, sorted }: Pick<ReturnType<typeof useTaskTable>, 'table' | 'sorted'>) {
  const say = useSay()
  const formats = useFormats()
  const { selection, now } = useDispatch()
  const { cursor, toggle, follow } = selection
  const press = usePress()
  const longTouch = useLongTouch()
  const carry = useCarry()
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => tableRowHeight,
    overscan: 10,
    scrollPaddingStart: headHeight,
    scrollMargin: headHeight,
    useFlushSync: false,
  })
  useFollowCursor(virtualizer, sorted, cursor)
  useEffect(() => {
    follow(sorted)
    return () => follow(undefined)
  }, [follow, sorted])

  const context = useMemo(() => ({ say, formats, now }), [say, formats, now])
  const leaves = table.getVisibleLeafColumns()
  const ids = leaves.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the ids matter; a new width must not redraw the rows
  const shown = useMemo(() => leaves.map(({ id }) => columnById.get(id) as Column), [ids])
  const widths = leaves.map((column) =>
    column.id === 'address' ? `minmax(${column.getSize()}px, 1fr)` : `${column.getSize()}px`,
  )
  const items = virtualizer.getVirtualItems()
  const atCursor = items.map(({ index }) => sorted[index]).find((task) => task?.id === cursor)
  const style = {
    '--columns': ['36px', ...widths].join(' '),
    minWidth: 36 + leaves.reduce((sum, column) => sum + column.getSize(), 0),
  }
  return (
    <>
      <PrintedTable tasks={sorted} shown={shown} context={context} />
      <Grid
        ref={scroller}
        aria-label={say('taskList')}
        aria-rowcount={sorted.length + 1}
        aria-activedescendant={atCursor && rowId(atCursor)}
        {...longTouch}
        className="overflow-auto bg-surface"
      >
        <div style={style}>
          <TableHead table={table} />
          <GridGroup className="relative" style={{ height: heightOver(virtualizer.getTotalSize()) }}>
            {items.map(({ index, start }) => {
              const task = sorted[index]
              return (
                task && (
                  <TableRow
                    key={task.id}
                    task={task}
                    place={index + 2}
                    top={start - headHeight}
                    chosen={selection.ids.has(task.id)}
                    atCursor={task.id === cursor}
                    shown={shown}
                    context={context}
                    carry={carry}
                    onPress={press}
                    onToggle={toggle}
                  />
                )
              )
            })}
          </GridGroup>
        </div>
      </Grid>
    </>
  )
}
