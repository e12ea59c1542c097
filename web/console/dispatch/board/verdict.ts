import { shownStatus } from '../../../../core/delegation.ts'
import { Assigned, Failed, InTransit, type StatusId, Succeeded, Unassigned } from '../../../../core/task-status.ts'
import type { Task } from '../../../api/data.ts'
import { whyNot } from '../../../tasks/moves.ts'
import type { Word } from '../../../words/console.ts'

export type Verdict = { may: true; word: Word } | { may: false; word: Word }

/**
 * What dropping tasks on the column of a state would do. Drivers move tasks from state to state; by dragging, a
 * dispatcher can only assign them, and unassign them unless a setting forbids it. Undefined if the tasks are already in this column.
 */
export function judgeDrop(tasks: Task[], column: StatusId, mayUnassign = true): Verdict | undefined {
  if (tasks.every((task) => shownStatus(task) === column)) return undefined
  switch (column) {
    case Unassigned: {
      if (!mayUnassign) return { may: false, word: 'FORBIDDEN_BY_SETTING' }
      const reasons = tasks.map((task) => whyNot(task, 'unassign'))
      return reasons.includes(undefined)
        ? { may: true, word: 'dropToUnassign' }
        : { may: false, word: reasons[0] ?? 'alreadyUnassigned' }
    }
    case Assigned:
      return { may: false, word: 'dropOnDriver' }
    case InTransit:
      return { may: false, word: 'driversStart' }
    case Succeeded:
    case Failed:
      return { may: false, word: 'driversEnd' }
  }
}
