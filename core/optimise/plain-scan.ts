import type { Routes } from './routes.ts'

/*
 * The scan of `scan.ts` for most routes of most teams: nobody is late, nobody unloads, no lunch and no tie. A step needs
 * few numbers then, and what was found goes straight into the record that remembers it.
 */

/** A record: all that a look-up needs lies together in memory. */
export const versionField = 0
export const costField = 1
/** -1 if there is no place that costs less than `costField`. */
export const afterField = 2
export const passedOverField = 3
export const likelyField = 4
export const recordSize = 5

export function scanPlainRoute(
  routes: Routes,
  vehicle: number,
  stop: number,
  most: number,
  records: Float64Array,
  record: number,
) {
  const { instance, next, at, leg, leave, limit, limitBy } = routes
  const { travel, placeCount } = instance
  const opens = instance.earliest[stop]!
  const closes = instance.latest[stop]!
  const service = instance.service[stop]!
  const weight = instance.weight[stop]!
  const there = at[stop]!
  const rowThere = there * placeCount
  const last = instance.firstEnd + vehicle
  let best = most
  let passedOver = Number.POSITIVE_INFINITY
  let after = -1
  let likely = -1
  let node = instance.head[vehicle]!
  let behind = next[node]!

  // Limits never fall along a route: as long as even the earliest service is too late for those behind, go on.
  const ready = opens + service
  while (limit[behind]! < ready && behind !== last) {
    const least = limitBy[behind]! * (ready - limit[behind]!)
    if (least < passedOver) {
      passedOver = least
      likely = node
    }
    node = behind
    behind = next[node]!
  }
  let wayTo = travel[at[node]! * placeCount + there]!
  for (;;) {
    const free = leave[node]!
    if (free > closes && weight * (free - closes) >= best) break
    const target = at[behind]!
    const wayOn = travel[rowThere + target]!
    const detour = wayTo + wayOn - leg[behind]!
    if (detour < best) {
      const begin = Math.max(opens, free + wayTo)
      const beyond = begin + service + wayOn - limit[behind]!
      if (begin <= closes && beyond <= 0) {
        best = detour
        after = node
      } else {
        const cost = detour + weight * Math.max(0, begin - closes) + limitBy[behind]! * Math.max(0, beyond)
        if (cost < best && cost < passedOver) {
          passedOver = cost
          likely = node
        }
      }
    }
    if (behind === last) break
    node = behind
    behind = next[node]!
    wayTo = travel[target * placeCount + there]!
  }
  records[record + versionField] = routes.version[vehicle]!
  records[record + costField] = best
  records[record + afterField] = after
  records[record + passedOverField] = passedOver
  records[record + likelyField] = likely
}
