import { isDeepStrictEqual } from 'node:util'
import type { PlannedStop } from '../../../contract/task.ts'
import type { StatusId } from '../../../core/task-status.ts'
import type { TaskRow } from '../tables.ts'

/** What an undo gives back: whose a task is, where in the route, and when the driver comes. As JSON keeps it. */
export interface TaskPlan {
  userId: number | null
  statusId: StatusId
  position: number | null
  route: PlannedStop | null
  etaAt: string | null
  acceptedAt: string | null
  /** Not in what was kept by the previous version. */
  loadedAt?: string | null
}

export type PlanRow = Pick<
  TaskRow,
  'user_id' | 'status_id' | 'route_position' | 'route' | 'eta_at' | 'accepted_at' | 'loaded_at'
>

export const planOf = (row: PlanRow): TaskPlan => ({
  userId: row.user_id,
  statusId: row.status_id,
  position: row.route_position,
  route: row.route,
  etaAt: row.eta_at?.toISOString() ?? null,
  acceptedAt: row.accepted_at?.toISOString() ?? null,
  loadedAt: row.loaded_at?.toISOString() ?? null,
})

/**
 * Whether both say the same about whose the task is and where in the route. The arrival does not count: it follows the
 * driver by itself. Nor does a start or an acceptance: what drivers do is no change of the plan.
 */
export const isSamePlan = (one: TaskPlan, other: TaskPlan) =>
  one.userId === other.userId && one.position === other.position && isDeepStrictEqual(one.route, other.route)
