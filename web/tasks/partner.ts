import type { Task } from '../api/data.ts'

/** Who else has a part in a task: whom it came from, and who does it. In the middle of a chain there are both. */
export const partnersOf = (
  task: Pick<Task, 'side' | 'owner' | 'ownerId' | 'fulfiller'>,
  ownId: number | undefined,
) => ({
  from: task.side === 'fulfiller' || (task.side && task.ownerId !== ownId) ? task.owner : undefined,
  to: task.side === 'owner' ? task.fulfiller : undefined,
})
