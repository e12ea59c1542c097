import {
  type ColumnDef,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createSortedRowModel,
  functionalUpdate,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { Task } from '../../../api/data.ts'
import { columns } from './columns.tsx'
import type { Layout } from './layout.ts'
import { useLayout } from './use-layout.ts'

const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  columnSizingFeature,
  columnResizingFeature,
  sortedRowModel: createSortedRowModel(),
})

/** Values are folded text or numbers, so a plain comparison is correct, and several times as fast as a collator. */
const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0)

const definitions: ColumnDef<typeof features, Task>[] = columns.map(({ id, value, width }) => ({
  id,
  accessorFn: value,
  size: width,
  minSize: 48,
  maxSize: 600,
  sortUndefined: 'last',
  sortFn: (one, other) => compare(one.getValue<string | number>(id), other.getValue<string | number>(id)),
}))

/** The table with its columns, widths and sort order. */
export function useTaskTable(tasks: Task[]) {
  const arrangement = useLayout()
  const { layout, arrange } = arrangement
  const put =
    <Part extends keyof Layout>(part: Part) =>
    (change: Layout[Part] | ((before: Layout[Part]) => Layout[Part])) =>
      arrange((before) => ({ ...before, [part]: functionalUpdate(change, before[part]) }))
  const table = useTable({
    features,
    columns: definitions,
    data: tasks,
    getRowId: ({ id }) => String(id),
    columnResizeMode: 'onChange',
    enableMultiSort: false,
    sortDescFirst: false,
    state: { columnVisibility: layout.visibility, columnSizing: layout.sizing, sorting: layout.sorting },
    onColumnVisibilityChange: put('visibility'),
    onColumnSizingChange: put('sizing'),
    onSortingChange: put('sorting'),
  })
  const { rows } = table.getRowModel()
  const sorted = useMemo(() => rows.map(({ original }) => original), [rows])
  return { table, sorted, arrangement }
}
export type TaskTable = ReturnType<typeof useTaskTable>['table']
