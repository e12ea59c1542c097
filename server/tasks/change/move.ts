import { Refusal } from '../../../contract/errors.ts'
import { refuseDelegated } from '../../../core/delegation.ts'
import { decideMove, type MoveName } from '../../../core/task-status.ts'
import type { TaskRow, TaskView } from '../tables.ts'
import type { TaskChange } from './change.ts'

/** The change a move makes to a task, or why it is refused. */
export function moveTask(
  task: TaskView,
  name: MoveName,
  set: Partial<TaskRow> = {},
  parts: Pick<TaskChange, 'joined' | 'rereads'> = { rereads: ['driver'] },
): TaskChange | Refusal {
  const refusal = refuseDelegated(name, { ownerId: task.owner_id, fulfillerId: task.fulfiller_id })
  if (refusal) return new Refusal(refusal)
  const move = decideMove(name, task.status_id)
  if (typeof move === 'string') return new Refusal(move)
  const status: Partial<TaskRow> = typeof move.to === 'number' ? { status_id: move.to } : {}
  return { before: task, set: { ...set, ...status }, fires: move.fires, ...parts }
}

/** The columns of a task that is unassigned and not started. */
export const withoutDriver = {
  user_id: null,
  route_position: null,
  route: null,
  eta_at: null,
  driver_arrived: false,
  arrival_taken_back: false,
  accepted_at: null,
  loaded_at: null,
  started_at: null,
  arrived_at: null,
} satisfies Partial<TaskRow>

/** The outcome for each requested task; undefined is success, even if nothing had to change. */
export type MoveResults<Reference> = Map<Reference, Refusal | undefined>

/** Decides for each requested task, in the given order, what changes; some need nothing, some are refused. */
export function decideEach<Reference>(
  references: readonly Reference[],
  found: Map<Reference, TaskView>,
  decide: (task: TaskView, changesBefore: number) => TaskChange | Refusal | undefined,
) {
  const results: MoveResults<Reference> = new Map()
  const changes: TaskChange[] = []
  for (const reference of new Set(references)) {
    const task = found.get(reference)
    const outcome = task ? decide(task, changes.length) : new Refusal('TASK_NOT_FOUND')
    if (outcome && !(outcome instanceof Refusal)) changes.push(outcome)
    results.set(reference, outcome instanceof Refusal ? outcome : undefined)
  }
  return { results, changes }
}
