import { lazy, Suspense } from 'react'
import { join } from '../../../ui/class-names.ts'
import { useDragging } from '../../../ui/drag.ts'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { LoadingState } from '../../../ui/state.tsx'
import { useSay } from '../../../words/console.ts'

/** Like the views, loaded once the screen is there. */
const DriverPane = lazy(() => import('./driver-pane.tsx'))

interface Props {
  open: boolean
  /** Whether the right side is free. */
  hasPlace: boolean
  onClose: () => void
}

const over = 'absolute inset-y-0 right-0 z-30 shadow-raised'
const overIfNarrow = 'max-xl:absolute max-xl:inset-y-0 max-xl:right-0 max-xl:z-30 max-xl:shadow-raised'

/**
 * The pane has its own place on a wide screen, unless a task is shown there. Otherwise it slides over the view on
 * request, and automatically while tasks are dragged, so that they can always be dropped on a driver.
 */
export function DriverSide({ open, hasPlace, onClose }: Props) {
  const say = useSay()
  const dragging = useDragging('tasks')
  const shown = open || dragging
  return (
    <aside
      aria-label={say('drivers')}
      data-driver-side
      className={join(
        'flex w-72 shrink-0 flex-col border-line border-l bg-surface',
        hasPlace ? overIfNarrow : over,
        !shown && (hasPlace ? 'max-xl:hidden' : 'hidden'),
      )}
    >
      <ErrorBoundary>
        <Suspense fallback={<LoadingState rows={8} />}>
          <DriverPane onClose={onClose} canClose={!hasPlace} />
        </Suspense>
      </ErrorBoundary>
    </aside>
  )
}
