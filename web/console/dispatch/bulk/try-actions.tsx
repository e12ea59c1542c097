import { PackageX, RotateCcw } from 'lucide-react'
import { lazy, useState } from 'react'
import { type Task, useSetting } from '../../../api/data.ts'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { Later } from '../../../ui/later.tsx'
import { useLaterSay } from '../../../words/later.ts'
import { useDispatch } from '../../day/dispatch.tsx'
import { canBringBack, canTryAgain } from '../../tasks/tries/tried.ts'
import { BarAction } from './bar-action.tsx'

const TryDialog = lazy(() => import('../../tasks/tries/try-dialog.tsx'))

/** What of the selection can be tried again, or brought back. */
export default function TryActions() {
  const say = useLaterSay('tries')
  const { selection } = useDispatch()
  const mostAttempts = useSetting('mostAttempts') ?? 0
  const [open, setOpen] = useState<{ what: 'again' | 'back'; tasks: Task[] }>()
  const close = () => setOpen(undefined)
  const { tasks } = selection
  return (
    <>
      {tasks.some((task) => canTryAgain(task, { mostAttempts })) && (
        <BarAction label={say('tryAgain')} onClick={() => setOpen({ what: 'again', tasks })}>
          <RotateCcw aria-hidden />
        </BarAction>
      )}
      {tasks.some(canBringBack) && (
        <BarAction label={say('bringBack')} onClick={() => setOpen({ what: 'back', tasks })}>
          <PackageX aria-hidden />
        </BarAction>
      )}
      {open && (
        <ErrorBoundary isDialog onClose={close}>
          <Later>
            <TryDialog {...open} onDone={(stayed) => selection.set(stayed.map(({ id }) => id))} onClose={close} />
          </Later>
        </ErrorBoundary>
      )}
    </>
  )
}
