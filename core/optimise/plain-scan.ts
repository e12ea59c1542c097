import type { Routes } from './route-numbers.ts'
import type { Found } from './scan.ts'

/**
 * The scan of `scan.ts` for most routes, where no stop is late, nothing is unloaded, and no lunch and no tie matter. A
 * step then needs few numbers, and all routes that changed in this attempt are scanned in one go: fetching the arrays
 * took as long as scanning a short route. The bound of skipped places is written to `passedOverBy`, by vehicle.
 */
export function scanPlainRoutes(
  routes: Routes,
  vehicles: Int32Array,
  count: number,
  stop: number,
  found: Found,
  passedOverBy: Float64Array,
  avoided: number,
) {
  const { instance, next, at, leg, leave, limit, limitBy } = routes
  const { travel, travelBack, placeCount, firstEnd, head } = instance
  const opens = instance.earliest[stop]!
  const closes = instance.latest[stop]!
  const service = instance.service[stop]!
  const weight = instance.weight[stop]!
  const row = at[stop]! * placeCount
  const ready = opens + service
  let best = found.cost[0]!
  let after = found.after[0]!
  let least = found.passedOver[0]!
  let likely = found.likely[0]!
  for (let index = 0; index < count; index += 1) {
    const vehicle = vehicles[index]!
    const last = firstEnd + vehicle
    let passedOver = Number.POSITIVE_INFINITY
    let passedAfter = -1
    let node = head[vehicle]!
    let behind = next[node]!
    // Limits never fall along a route: as long as even the earliest service is too late for the stops behind, go on.
    while (limit[behind]! < ready && behind !== last) {
      const cost = limitBy[behind]! * (ready - limit[behind]!)
      if (cost < passedOver) {
        passedOver = cost
        passedAfter = node
      }
      node = behind
      behind = next[node]!
    }
    let wayTo = travelBack[row + at[node]!]!
    for (;;) {
      const free = leave[node]!
      if (free > closes && weight * (free - closes) >= best) break
      const target = row + at[behind]!
      const wayOn = travel[target]!
      const detour = wayTo + wayOn - leg[behind]!
      if (detour < best && node !== avoided) {
        const begin = Math.max(opens, free + wayTo)
        const beyond = begin + service + wayOn - limit[behind]!
        if (begin <= closes && beyond <= 0) {
          best = detour
          after = node
        } else {
          const cost = detour + weight * Math.max(0, begin - closes) + limitBy[behind]! * Math.max(0, beyond)
          if (cost < passedOver) {
            passedOver = cost
            passedAfter = node
          }
        }
      }
      if (behind === last) break
      node = behind
      behind = next[node]!
      wayTo = travelBack[target]!
    }
    passedOverBy[vehicle] = passedOver
    if (passedOver >= least) continue
    least = passedOver
    likely = passedAfter
  }
  found.cost[0] = best
  found.after[0] = after
  found.passedOver[0] = least
  found.likely[0] = likely
}
