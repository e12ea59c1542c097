import type { Task } from '../../contract/task.ts'
import { Assigned, Failed, InTransit, isOpen, type StatusId, Succeeded, Unassigned } from '../../core/task-status.ts'

export interface Counts {
  done: number
  failed: number
  onTheWay: number
  assigned: number
  waiting: number
  late: number
}

export type Ledger = ReturnType<typeof openLedger>

/** What the demo knows about its tasks from the server's answers. */
export function openLedger() {
  const tasks = new Map<string, { statusId: StatusId; dueMs: number }>()
  return {
    write({ awb, statusId, completeBefore }: Pick<Task, 'awb' | 'statusId' | 'completeBefore'>) {
      const dueMs = completeBefore ? Date.parse(completeBefore) : Number.POSITIVE_INFINITY
      tasks.set(awb, { statusId, dueMs })
    },
    assigned(awb: string) {
      const known = tasks.get(awb)
      if (known?.statusId === Unassigned) known.statusId = Assigned
    },
    counts(nowMs = Date.now()): Counts {
      const all = [...tasks.values()]
      const number = (...wanted: StatusId[]) => all.filter(({ statusId }) => wanted.includes(statusId)).length
      return {
        done: number(Succeeded),
        failed: number(Failed),
        onTheWay: number(InTransit),
        assigned: number(Assigned),
        waiting: number(Unassigned),
        late: all.filter((task) => isOpen(task) && task.dueMs < nowMs).length,
      }
    },
  }
}
