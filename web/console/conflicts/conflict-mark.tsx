import { Link } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import { buttonLook } from '../../ui/button.tsx'
import { useSay } from '../../words/console.ts'
import { useTasksInConflict } from './open-conflicts.ts'

/** On a task in a list: somebody has to decide before anything else is done with it. */
export function ConflictMark({ taskId }: { taskId: number }) {
  const say = useSay()
  if (!useTasksInConflict().has(taskId)) return null
  return (
    <span title={say('taskHasConflict')} className="shrink-0 text-waiting">
      <GitCompareArrows role="img" aria-label={say('taskHasConflict')} className="size-3.5" />
    </span>
  )
}

/** On an opened task: who reported what, and where to decide. */
export function ConflictNotice({ taskId }: { taskId: number }) {
  const say = useSay()
  const conflicts = useTasksInConflict().get(taskId)
  if (!conflicts) return null
  const drivers = [...new Set(conflicts.map(({ user }) => user.name))].join(', ')
  return (
    <div role="status" className="m-4 mb-0 flex gap-2 rounded-md bg-waiting-soft px-2.5 py-2 text-waiting">
      <GitCompareArrows aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="grid min-w-0 grow justify-items-start gap-1.5">
        <p>
          <strong className="font-semibold">{say('taskHasConflict')}</strong>
          <span className="block">{say('taskConflictLead', { drivers })}</span>
        </p>
        <Link to="/conflicts" className={buttonLook()}>
          {say('settleConflict')}
        </Link>
      </div>
    </div>
  )
}
