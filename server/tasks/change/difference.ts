import { isDeepStrictEqual } from 'node:util'

/** Never in `previous`: what always changes, what never does, and what follows from time and the driver's position. */
const untold = new Set([
  ...['updatedAt', 'timelines', 'owner', 'fulfiller'],
  ...['eta', 'etaText', 'etaAt', 'lastLocationLat', 'lastLocationLng'],
])

/** Related records change on their own; for this task only a different record counts as a change. */
const identities: Record<string, (value: never) => unknown> = {
  user: (user: { id: number } | null) => user?.id,
  team: (team: { id: number } | null) => team?.id,
  dependencies: (list: { taskId: number }[]) => list.map(({ taskId }) => taskId),
}

function isDifferent(key: string, was: unknown, is: unknown): boolean {
  if (was === is) return false
  if (typeof was !== 'object' || typeof is !== 'object') return true
  const identity = identities[key] ?? ((value) => value)
  return !isDeepStrictEqual(identity(was as never), identity(is as never))
}

/** The fields that differ, with their old values; of the address and the customer only the parts that differ. */
export function differenceOf(was: object, is: object): Record<string, unknown> | null {
  const now = is as Record<string, unknown>
  const changed = Object.entries(was).filter(([key, value]) => !untold.has(key) && isDifferent(key, value, now[key]))
  if (changed.length === 0) return null
  return Object.fromEntries(
    changed.map(([key, value]) => {
      const isPart = (key === 'address' || key === 'customer') && value && now[key]
      return [key, isPart ? differenceOf(value as object, now[key] as object) : value]
    }),
  )
}
