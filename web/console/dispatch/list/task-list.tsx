import { lazy } from 'react'
import { Later } from '../../../ui/later.tsx'
import { LoadingState } from '../../../ui/state.tsx'
import { useSay } from '../../../words/console.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { FilterChips } from './filter-chips.tsx'
import { FilterPopover } from './filter-popover.tsx'
import { NothingToShow } from './nothing-to-show.tsx'
import { SearchField } from './search-field.tsx'
import { SortMenu } from './sort-menu.tsx'
import { StatusTabs } from './status-tabs.tsx'
import { rowHeight, TaskRow } from './task-row.tsx'
import { VirtualTasks } from './virtual-tasks.tsx'

const OtherDays = lazy(() => import('./other-days.tsx'))

/** The tasks next to the map. */
export default function TaskList() {
  const say = useSay()
  const { tasks, isLoaded, query, filters } = useDispatch()
  return (
    <>
      <StatusTabs tall />
      <div className="flex shrink-0 flex-wrap gap-2 border-line border-b p-2">
        <SearchField className="min-w-0 flex-1" />
        <SortMenu />
        <FilterPopover />
        <div className="flex w-full flex-wrap gap-1 empty:hidden">
          <FilterChips />
        </div>
      </div>
      {!isLoaded && !query.error ? (
        <LoadingState rows={10} />
      ) : tasks.length > 0 ? (
        <VirtualTasks name={say('taskList')} tasks={tasks} height={rowHeight} Item={TaskRow} />
      ) : (
        isLoaded && <NothingToShow />
      )}
      {filters.q && (
        <Later>
          <OtherDays className="max-h-2/5 border-t" />
        </Later>
      )}
    </>
  )
}
