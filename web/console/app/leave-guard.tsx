import { useBlocker } from '@tanstack/react-router'
import { LeaveDialog } from '../../ui/dialog.tsx'
import { hasUnsaved } from '../../ui/unsaved.ts'

interface Place {
  pathname: string
  search: object
}

const taskIn = ({ search }: Place) => ('task' in search ? search.task : undefined)

/** Another page, or another task in the panel; filters and views change around what is typed. */
const isElsewhere = (one: Place, other: Place) => one.pathname !== other.pathname || taskIn(one) !== taskIn(other)

/** Asks once before a link, the back button or closing the tab loses something typed. */
export function LeaveGuard() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isElsewhere(current, next) && hasUnsaved(),
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  })
  return status === 'blocked' && <LeaveDialog onStay={reset} onLeave={proceed} />
}
