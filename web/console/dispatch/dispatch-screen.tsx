import { lazy, Suspense, useState } from 'react'
import { useCompany } from '../../api/data.ts'
import { useIsShop, useMay } from '../../api/session.ts'
import { canDraw } from '../../map/can-draw.ts'
import { join } from '../../ui/class-names.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Later } from '../../ui/later.tsx'
import { useIsPhone } from '../../ui/media.ts'
import { LoadingState, NotLoaded, OldNotice } from '../../ui/state.tsx'
import { useSay } from '../../words/console.ts'
import { DispatchProvider, useDispatch } from '../day/dispatch.tsx'
import type { View } from '../day/filters.ts'
import { mayBeUnfinished } from '../tasks/import/flag.ts'
import { BulkBar } from './bulk-bar.tsx'
import { DriverSide } from './drivers/driver-side.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useKeyboard } from './keyboard/use-keyboard.ts'
import { OpenedProvider, useOpened } from './opened.tsx'
import { OverTheScreen } from './over-the-screen.tsx'
import { TopBar } from './top-bar.tsx'

const viewsByName = {
  map: lazy(() => (canDraw() ? import('./map/map-view.tsx') : import('./map/no-map.tsx'))),
  table: lazy(() => import('./table/table-view.tsx')),
  board: lazy(() => import('./board/board-view.tsx')),
  timeline: lazy(() => import('./timeline/timeline-view.tsx')),
} satisfies Record<View, unknown>
const FirstSteps = lazy(() => import('./first-steps/first-steps.tsx'))
const ImportOffer = lazy(() => import('../tasks/import/offer.tsx'))
const TaskList = lazy(() => import('./list/task-list.tsx'))
const TaskPanel = lazy(() => import('../tasks/task-panel.tsx'))

/** The main screen, with the four views of a day. */
export function DispatchScreen() {
  return (
    <DispatchProvider>
      <OpenedProvider>
        <Screen />
      </OpenedProvider>
    </DispatchProvider>
  )
}

function Screen() {
  const say = useSay()
  const { filters, change, isLoaded, query } = useDispatch()
  const { opened, open } = useOpened()
  // Few visits find an unfinished import, so only those load what knows of it.
  const [mayOffer] = useState(mayBeUnfinished)
  const [driversOpen, setDriversOpen] = useState(false)
  const { data: company } = useCompany()
  // Its list is all it looks at, and the way to a first delivery is its partner's.
  const isShop = useIsShop()
  const hasFirstSteps = useMay()('company:write') && company?.firstSteps === 'open' && !isShop
  // A phone shows the list or the map, and a task instead of either.
  const isPhone = useIsPhone()
  const [listFirst, setListFirst] = useState(true)
  useKeyboard()
  const view = isShop ? 'table' : (filters.view ?? 'map')
  const hasList = isShop ? isPhone : view === 'map' && (!isPhone || listFirst)
  const hasView = isShop ? !isPhone : view !== 'map' || !isPhone || !listFirst
  const Chosen = viewsByName[view]
  return (
    <div className="flex h-full flex-col">
      <TopBar
        driversOpen={driversOpen}
        onDrivers={() => setDriversOpen(!driversOpen)}
        listFirst={listFirst}
        onListFirst={setListFirst}
      />
      {hasFirstSteps && (
        <ErrorBoundary>
          <Later>
            <FirstSteps />
          </Later>
        </ErrorBoundary>
      )}
      <OldNotice query={query} />
      {mayOffer && !opened && (
        <Later>
          <ImportOffer onGoOn={(goOn) => open({ what: 'import', goOn })} />
        </Later>
      )}
      <div className="relative flex min-h-0 grow">
        {/* The selection bar lies over the list and the view, next to everything else. */}
        <div
          className={join('@container relative flex min-w-0 grow', filters.task !== undefined && 'max-sm:invisible')}
        >
          {hasList && (
            <aside
              aria-label={say('taskList')}
              className={join(
                'flex flex-col border-line bg-surface max-sm:w-full sm:w-80 sm:shrink-0 sm:border-r md:w-88',
                filters.task !== undefined && 'sm:max-lg:hidden',
              )}
            >
              <ErrorBoundary>
                <Suspense fallback={<LoadingState rows={12} />}>
                  <TaskList />
                </Suspense>
              </ErrorBoundary>
            </aside>
          )}
          {hasView && (
            <div data-view={view} className="relative flex min-h-0 min-w-0 grow flex-col">
              {(view === 'board' || view === 'timeline') && <FilterBar />}
              <div className="min-h-0 grow overflow-y-auto">
                {!isLoaded ? (
                  <NotLoaded query={query} rows={12} />
                ) : (
                  <ErrorBoundary key={view}>
                    <Suspense fallback={<LoadingState rows={12} />}>
                      <Chosen />
                    </Suspense>
                  </ErrorBoundary>
                )}
              </div>
            </div>
          )}
          <BulkBar />
        </div>
        {filters.task && (
          <ErrorBoundary onClose={() => change({ task: undefined })}>
            <Later>
              <TaskPanel taskId={filters.task} onClose={() => change({ task: undefined })} />
            </Later>
          </ErrorBoundary>
        )}
        {!isShop && <DriverSide open={driversOpen} hasPlace={!filters.task} onClose={() => setDriversOpen(false)} />}
      </div>
      <OverTheScreen />
    </div>
  )
}
