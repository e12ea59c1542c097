import { lazy, type ReactNode } from 'react'
import { Later } from '../../ui/later.tsx'
import { useDispatch } from '../day/dispatch.tsx'
import { FilterChips } from './list/filter-chips.tsx'
import { FilterPopover } from './list/filter-popover.tsx'
import { SearchField } from './list/search-field.tsx'
import { SortMenu } from './list/sort-menu.tsx'
import { StatusTabs } from './list/status-tabs.tsx'

const OtherDays = lazy(() => import('./list/other-days.tsx'))

/**
 * The filters above the views without a list: on one line, or on two if a panel leaves little room. Active filters are
 * shown on a separate line.
 */
export function FilterBar({ children }: { children?: ReactNode }) {
  const { filters } = useDispatch()
  return (
    <div className="grid shrink-0 gap-1.5 border-line border-b bg-surface px-3 py-1.5">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 short:max-lg:flex-nowrap">
        <StatusTabs />
        <div className="flex min-w-60 short:min-w-44 flex-1 items-center gap-2">
          {/* Before the empty space beside it. */}
          <SearchField className="min-w-0 flex-[99] md:max-w-72" />
          {filters.view === 'board' && <SortMenu />}
          <FilterPopover />
          <div className="grow max-md:hidden" />
          {children}
        </div>
      </div>
      <div className="flex flex-wrap gap-1 empty:hidden">
        <FilterChips />
      </div>
      {filters.q && (
        <Later>
          <OtherDays className="max-h-48 rounded-lg border" />
        </Later>
      )}
    </div>
  )
}
