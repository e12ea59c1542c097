import { Link } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import { useMemo } from 'react'
import { buttonLook } from '../../ui/button.tsx'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/console.ts'
import { useTasksInConflict } from './open-conflicts.ts'

/** How many decisions wait: what one driver did at one task is one. */
function useConflictCount() {
  const marks = useTasksInConflict()
  return useMemo(
    () => [...marks.values()].reduce((sum, open) => sum + new Set(open.map(({ user }) => user.id)).size, 0),
    [marks],
  )
}

/** In the top bar of the day, as long as there is something to decide. */
export function ConflictLink() {
  const say = useSay()
  const count = useConflictCount()
  if (count === 0) return null
  return (
    <Link
      to="/conflicts"
      aria-label={say('openConflicts', { n: count })}
      title={say('openConflicts', { n: count })}
      className={join(buttonLook(), '!border-waiting !text-waiting shrink-0')}
    >
      <GitCompareArrows aria-hidden />
      <span className="numbers">{count}</span>
    </Link>
  )
}

/** On the icon of the page. */
export function ConflictBadge() {
  const count = useConflictCount()
  if (count === 0) return null
  return (
    <span
      data-conflicts={count}
      className="numbers absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-waiting px-1 text-center font-semibold text-[0.65rem] text-surface leading-4"
    >
      {count}
    </span>
  )
}
