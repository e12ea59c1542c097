import type { Driver } from '../../../api/data.ts'

const staleMs = 2 * 60_000

/** Since when nobody knows where a driver on duty is. Who has never sent a position has none to be stale. */
export function staleSince(driver: Driver, now: number): string | undefined {
  const { position, inShift } = driver
  if (!inShift || !position) return undefined
  return now - Date.parse(position.occurredAt) > staleMs ? position.occurredAt : undefined
}
