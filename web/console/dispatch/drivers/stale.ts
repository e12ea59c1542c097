import type { Driver } from '../../../api/data.ts'

const staleMs = 2 * 60_000

/** Since when the position of a driver on duty is unknown. A driver who never sent one has none to be stale. */
export function staleSince(driver: Driver, now: number): string | undefined {
  const { position, inShift } = driver
  if (!inShift || !position) return undefined
  return now - Date.parse(position.occurredAt) > staleMs ? position.occurredAt : undefined
}
