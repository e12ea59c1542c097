import { ArrowDown, ArrowUp } from 'lucide-react'
import { useRef } from 'react'
import { join } from '../../../ui/class-names.ts'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { GridGroup, GridHead, GridRow } from '../list/grid.tsx'
import { columnById } from './columns.tsx'
import { cellLook } from './table-row.tsx'
import type { TaskTable } from './use-task-table.ts'

/** The fixed head of the table: sorts, resizes, and selects all shown tasks. */
export function TableHead({ table }: { table: TaskTable }) {
  return (
    <GridGroup className="sticky top-0 z-10 w-full">
      <GridRow
        aria-rowindex={1}
        className="!contain-none grid h-8 grid-cols-(--columns) border-line border-b bg-sunken font-medium text-ink-soft text-xs"
      >
        <SelectAll />
        {table.getFlatHeaders().map((header) => (
          <HeadCell key={header.id} header={header} />
        ))}
      </GridRow>
    </GridGroup>
  )
}

type Header = ReturnType<TaskTable['getFlatHeaders']>[number]

function HeadCell({ header }: { header: Header }) {
  const say = useSay()
  const column = columnById.get(header.column.id)
  if (!column) return null
  const sorted = header.column.getIsSorted()
  const Arrow = sorted === 'desc' ? ArrowDown : ArrowUp
  const name = say(column.word)
  return (
    <GridHead
      aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none'}
      className="group relative flex min-w-0"
    >
      <button
        type="button"
        onClick={header.column.getToggleSortingHandler()}
        className={join(cellLook, 'w-full gap-1 -outline-offset-2 hover:text-ink', column.end && 'justify-end')}
      >
        <span className="truncate">{name}</span>
        {sorted && <Arrow aria-hidden className="size-3 shrink-0" />}
      </button>
      {/* Only for the mouse: without it nothing is hidden, columns just keep their width. */}
      <span
        aria-hidden
        title={say('resizeColumn', { column: name })}
        onMouseDown={header.getResizeHandler()}
        onTouchStart={header.getResizeHandler()}
        onDoubleClick={() => header.column.resetSize()}
        className="absolute top-1 -right-1 bottom-1 z-10 w-2 cursor-col-resize border-transparent border-l-2 hover:border-accent group-hover:border-line-strong"
      />
    </GridHead>
  )
}

function SelectAll() {
  const say = useSay()
  const { tasks, selection } = useDispatch()
  const chosen = tasks.reduce((sum, { id }) => sum + (selection.ids.has(id) ? 1 : 0), 0)
  const every = chosen > 0 && chosen === tasks.length
  const box = useRef<HTMLInputElement>(null)
  if (box.current) box.current.indeterminate = chosen > 0 && !every
  return (
    <GridHead className={join(cellLook, 'justify-center')}>
      <input
        ref={box}
        type="checkbox"
        aria-label={say('selectAll')}
        checked={every}
        onChange={() => (every ? selection.clear() : selection.set(tasks.map(({ id }) => id)))}
        className="size-4 accent-(--brand)"
      />
    </GridHead>
  )
}
