import { Assigned, Failed, InTransit, type StatusId, Succeeded, Unassigned } from '../../core/task-status.ts'

/** The states in the order in which a task goes through them, and in which every view shows them. */
export const statusOrder: readonly StatusId[] = [Unassigned, Assigned, InTransit, Succeeded, Failed]
