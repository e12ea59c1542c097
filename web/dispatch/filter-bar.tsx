import type { ReactNode } from 'react'
import { FilterChips } from './list/filter-chips.tsx'
import { FilterPopover } from './list/filter-popover.tsx'
import { SearchField } from './list/search-field.tsx'
import { StatusTabs } from './list/status-tabs.tsx'

/** The filters above the views that have no list beside them. */
export function FilterBar({ children }: { children?: ReactNode }) {
  return (
    <div className="flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b bg-surface px-3 py-1.5">
      <StatusTabs />
      <SearchField className="w-72" />
      <FilterPopover />
      <FilterChips />
      <div className="grow" />
      {children}
    </div>
  )
}
