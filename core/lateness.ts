/** Whether the window of a task ended before the task did: of an open one, before now. */
export const isDelayed = (task: { completeBefore: Date | null; completedAt: Date | null }, now: Date): boolean =>
  task.completeBefore !== null && (task.completedAt ?? now) > task.completeBefore
