import { isDeepStrictEqual } from 'node:util'

/** Never in `previous`: what always changes, what never does, and what follows from time and the driver's position. */
const untold = new Set([
  'updatedAt',
  'timelines',
  'owner',
  'fulfiller',
  'eta',
  'etaText',
  'etaAt',
  'lastLocationLat',
  'lastLocationLng',
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

/** Shown in parts: of these only what differs is told. Their own fields are whole values, also one named `address`. */
const inParts = new Set(['address', 'customer'])

/** The fields of a task that differ, with their old values; of the address and the customer only the parts that differ. */
export const differenceOf = (was: object, is: object): Record<string, unknown> | null =>
  oldValues(was, is, (key, value, now) => (inParts.has(key) && value && now ? oldValues(value, now) : value))

/** Told by their ids, or by what they are part of. */
const records = new Set([
  'user',
  'team',
  'status',
  'paymentType',
  'customerId',
  'customer.id',
  'customer.companyId',
  'customer.createdAt',
  'customer.updatedAt',
])

/** The same as a list of single values with both sides; a customer who comes or goes is told in parts, too. */
export function changesOf(
  previous: Record<string, unknown>,
  is: object,
): { field: string; from: unknown; to: unknown }[] {
  const now = is as Record<string, unknown>
  const partsIn = (value: unknown) => (value ?? {}) as Record<string, unknown>
  return Object.entries(previous)
    .flatMap(([field, from]) => {
      if (!inParts.has(field)) return [{ field, from, to: now[field] }]
      const [was, to] = [partsIn(from), partsIn(now[field])]
      const names = from === null ? Object.keys(to) : Object.keys(was)
      return names.map((part) => ({ field: `${field}.${part}`, from: was[part] ?? null, to: to[part] ?? null }))
    })
    .filter(({ field, from, to }) => !records.has(field) && !isDeepStrictEqual(from, to))
}

/** `told` says what to tell of a field that differs. A record of which nothing may be told has not changed. */
function oldValues(
  was: object,
  is: object,
  told: (key: string, value: object, now: object) => unknown = (_, value) => value,
): Record<string, unknown> | null {
  const now = is as Record<string, never>
  const old: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(was)) {
    if (untold.has(key) || !isDifferent(key, value, now[key])) continue
    const part = told(key, value, now[key] as never)
    if (part !== null || value === null) old[key] = part
  }
  return Object.keys(old).length > 0 ? old : null
}
