import type { OpInput } from '../contract/op.ts'

/** The task it was done to; duty is of none. */
export const taskOf = (op: OpInput): number | undefined => ('taskId' in op ? op.taskId : undefined)

/** The picture it names. */
export const fileOf = (op: OpInput): string | undefined => ('fileId' in op ? op.fileId : undefined)
