import { dayOf } from './task-day.ts'
import { Assigned, InTransit, type StatusId } from './task-status.ts'

interface Startable {
  statusId: StatusId
  completeAfter: Date | null
  completeBefore: Date | null
}

/**
 * The task of a route, in its order, that starts by itself now: the first one, at the time the organisation chose, and
 * only on the day of that time. A task of an earlier day that was never started is for people to decide.
 */
export function startingByItself<Task extends Startable>(
  route: readonly Task[],
  field: 'completeAfter' | 'completeBefore',
  now: Date,
  timeZone: string,
): Task | undefined {
  const [first] = route
  const at = first?.[field]
  if (!first || !at || route.some(({ statusId }) => statusId === InTransit)) return undefined
  return first.statusId === Assigned && at <= now && dayOf(at, timeZone) === dayOf(now, timeZone) ? first : undefined
}
