/** Why a list that shows a part of the day's tasks is empty. */
export type WhyEmpty =
  /** The day has no tasks at all. */
  | { why: 'noTasks' }
  /** None of its tasks belongs into the list. */
  | { why: 'none' }
  /** Some do, but the filters hide them. */
  | { why: 'hidden'; count: number }

/** Asks all tasks of the day, not those that pass the filters: what the list says must be true of the day. */
export function whyEmpty<Task>(all: readonly Task[], belongs: (task: Task) => boolean): WhyEmpty {
  const count = all.filter(belongs).length
  if (count > 0) return { why: 'hidden', count }
  return { why: all.length === 0 ? 'noTasks' : 'none' }
}
