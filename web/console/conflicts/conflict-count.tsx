import { Link } from '@tanstack/react-router'
import { GitCompareArrows } from 'lucide-react'
import { useMay } from '../../api/session.ts'
import { buttonLook } from '../../ui/button.tsx'
import { join } from '../../ui/class-names.ts'
import { useSay } from '../../words/console.ts'
import { useOpenConflicts } from './open-conflicts.ts'

/** How many decisions wait; with a plus if only the first ones were counted. */
function useConflictCount() {
  const { groups, query } = useOpenConflicts(useMay()('tasks:read'))
  return { count: groups.length, text: `${groups.length}${query.hasNextPage ? '+' : ''}` }
}

/** In the top bar of the day, as long as there is something to decide. */
export function ConflictLink() {
  const say = useSay()
  const { count, text } = useConflictCount()
  if (count === 0) return null
  return (
    <Link
      to="/conflicts"
      aria-label={say('openConflicts', { n: count })}
      title={say('openConflicts', { n: count })}
      className={join(buttonLook(), '!border-waiting !text-waiting shrink-0')}
    >
      <GitCompareArrows aria-hidden />
      <span className="numbers">{text}</span>
    </Link>
  )
}

/** On the icon of the page. */
export function ConflictBadge() {
  const { count, text } = useConflictCount()
  if (count === 0) return null
  return (
    <span
      data-conflicts={count}
      className="numbers absolute -top-0.5 -right-0.5 min-w-4 rounded-full bg-waiting px-1 text-center font-semibold text-[0.65rem] text-surface leading-4"
    >
      {text}
    </span>
  )
}
