import type { Driver } from '../../../api/data.ts'

const staleMs = 2 * 60_000

/** Since when the position of a driver on duty is out of date. Undefined if they never sent one. */
export function staleSince(driver: Driver, now: number): string | undefined {
  const { position, inShift } = driver
  if (!inShift || !position) return undefined
  return now - Date.parse(position.occurredAt) > staleMs ? position.occurredAt : undefined
}
