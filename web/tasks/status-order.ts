import { Assigned, Failed, InTransit, type StatusId, Succeeded, Unassigned } from '../../core/task-status.ts'

/** The states in the order a task goes through them, which every view uses. */
export const statusOrder: readonly StatusId[] = [Unassigned, Assigned, InTransit, Succeeded, Failed]
