import { lazy, Suspense } from 'react'
import { TaskPanel } from '../tasks/task-panel.tsx'
import { ErrorState, LoadingState } from '../ui/state.tsx'
import { DispatchProvider, useDispatch } from './dispatch.tsx'
import { DriverPane } from './drivers/driver-pane.tsx'
import type { View } from './filters.ts'
import { TaskList } from './list/task-list.tsx'
import { TopBar } from './top-bar.tsx'

const viewsByName = {
  map: lazy(() => import('./map/map-view.tsx')),
  table: lazy(() => import('./table/table-view.tsx')),
  board: lazy(() => import('./board/board-view.tsx')),
  timeline: lazy(() => import('./timeline/timeline-view.tsx')),
} satisfies Record<View, unknown>

/** The screen a dispatcher spends the day with. */
export function DispatchScreen() {
  return (
    <DispatchProvider>
      <Screen />
    </DispatchProvider>
  )
}

function Screen() {
  const { filters, change, error, loading, reload } = useDispatch()
  const view = filters.view ?? 'map'
  const Chosen = viewsByName[view]
  return (
    <div className="flex h-full flex-col">
      <TopBar />
      <div className="flex min-h-0 grow">
        {view === 'map' && (
          <aside className="flex w-80 shrink-0 flex-col border-line border-r bg-surface">
            <TaskList />
          </aside>
        )}
        <div className="min-w-0 grow">
          {error ? (
            <ErrorState error={error} onRetry={reload} />
          ) : loading ? (
            <LoadingState rows={12} />
          ) : (
            <Suspense fallback={<LoadingState rows={12} />}>
              <Chosen />
            </Suspense>
          )}
        </div>
        <aside className="hidden w-72 shrink-0 flex-col border-line border-l bg-surface lg:flex">
          <DriverPane />
        </aside>
      </div>
      {filters.task && <TaskPanel taskId={filters.task} onClose={() => change({ task: undefined })} />}
    </div>
  )
}
