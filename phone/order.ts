/**
 * Whether the office changed the order of the stops: those that stay are in another one, or a new stop comes before all of
 * them. A new stop further back has its own mark, and one that is done leaves the others as they were.
 */
export function isReordered(before: readonly number[], after: readonly number[]): boolean {
  const stayed = before.filter((id) => after.includes(id))
  const now = after.filter((id) => before.includes(id))
  return stayed.some((id, at) => id !== now[at]) || (stayed.length > 0 && after[0] !== now[0])
}
