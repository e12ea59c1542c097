import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/words.ts'
import { useDragging } from '../drag.ts'
import { DriverPane } from './driver-pane.tsx'

/**
 * The pane has its own place on a wide screen. On a narrow one it slides over the view when asked for, and by itself
 * while tasks are dragged, so that there is always somebody to drop them on.
 */
export function DriverSide({ open, onClose }: { open: boolean; onClose: () => void }) {
  const say = useSay()
  const dragging = useDragging()
  const shown = open || dragging
  return (
    <aside
      aria-label={say('drivers')}
      data-driver-side
      className={join(
        'flex w-72 shrink-0 flex-col border-line border-l bg-surface',
        'max-xl:absolute max-xl:inset-y-0 max-xl:right-0 max-xl:z-30 max-xl:shadow-raised',
        !shown && 'max-xl:hidden',
      )}
    >
      <DriverPane onClose={onClose} />
    </aside>
  )
}
