import { useMemo, useState } from 'react'
import { readColumns } from '../../../../core/table-columns.ts'
import { useCompany } from '../../../api/data.ts'
import { columns } from './columns.tsx'
import { hasOwnColumns, type Layout, ownOf, readLayout, usualOf } from './layout.ts'

const name = 'waybill.table'

const stored = () => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** If the browser cannot store it, it applies until the page is closed. */
function store(layout: string | null) {
  try {
    if (layout === null) localStorage.removeItem(name)
    else localStorage.setItem(name, layout)
  } catch {}
}

/** How the person has arranged the table, beginning with the columns the organisation has chosen. */
export function useLayout() {
  const { data: company } = useCompany()
  const defined = company?.settings.customizeColumnDefines
  const chosen = useMemo(() => readColumns(defined), [defined])
  const [own, setOwn] = useState(stored)
  const layout = useMemo(() => readLayout(own, columns, chosen), [own, chosen])
  const usual = useMemo(() => usualOf(columns, chosen), [chosen])
  const put = (next: (before: string | null) => string | null) =>
    setOwn((before) => {
      const after = next(before)
      store(after)
      return after
    })
  return {
    layout,
    /** Whether the organisation has chosen columns, and whether the person has others. */
    isChosen: chosen !== undefined,
    isOwn: hasOwnColumns(layout, usual),
    arrange: (change: (before: Layout) => Layout) =>
      put((before) => JSON.stringify(ownOf(change(readLayout(before, columns, chosen)), usual))),
    reset: () => put(() => null),
  }
}

export type Arrangement = ReturnType<typeof useLayout>
