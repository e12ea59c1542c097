/** What a webhook can listen for. The API defines numbers and names. */
export const triggers = {
  TASK_START: { id: 1, meaning: 'The driver started the task' },
  TASK_COMPLETE: { id: 2, meaning: 'The task was completed' },
  TASK_FAILED: { id: 3, meaning: 'The task failed' },
  TASK_CREATED: { id: 4, meaning: 'A task was created' },
  TASK_UPDATED: { id: 5, meaning: 'A task changed: its fields, its driver, a note, a photo, a signature, feedback' },
  TASK_DELETED: { id: 6, meaning: 'A task was deleted' },
  TASK_ASSIGNED: { id: 7, meaning: 'A task was assigned to a driver' },
  TASK_UNASSIGNED: { id: 8, meaning: 'A task was unassigned from a driver' },
  TASK_GEOCODED: { id: 9, meaning: 'The coordinates of the task were found' },
} as const satisfies Record<string, { id: number; meaning: string }>

export type TriggerName = keyof typeof triggers

const names = new Map<number, TriggerName>(Object.entries(triggers).map(([name, { id }]) => [id, name as TriggerName]))

export function triggerName(id: number): TriggerName {
  const name = names.get(id)
  if (!name) throw new Error(`There is no trigger ${id}`)
  return name
}
