import { doneWith, secondsOfFurtherParcel } from '../stop.ts'
import { joins, type Plan } from './evaluate.ts'
import type { Instance } from './instance.ts'

/*
 * The best order of one driver's few stops, by trying all that could be best: depth first, nearest stop next. A branch
 * is skipped if (1) its cost so far and a lower bound for the rest are not below the best known, (2) the same stops in
 * another order led to the same place, no later and at no higher cost (being earlier never hurts, since waiting is
 * free), or (3) it breaks a precedence. Lateness, waiting and lunch make the cost depend on the time as well, so one
 * label per set and place is not enough: all labels that are not dominated are kept. At a door that several stops share, the
 * cost also depends on which of them came just before, so (2) is not used there.
 */

/** Lunch counts as one more. Takes a few milliseconds at most. */
export const mostStops = 8

interface Label {
  time: number
  cost: number
}

/** The stops that are served together where the driver is: which, since when, and the longest service among them. */
interface Door {
  stops: number
  arrival: number
  longest: number
}
const nowhere: Door = { stops: 0, arrival: 0, longest: 0 }

/** The best plan if it costs less than `bound`; undefined if none does. */
export function searchExhaustively(instance: Instance, bound: number): Plan | undefined {
  const { stopCount, firstLunch, firstStart, firstEnd, place, earliest, latest, service, weight, head } = instance
  const { travel, placeCount, precedence } = instance
  const way = (from: number, to: number) => travel[place[from]! * placeCount + place[to]!]!
  const [lunch, start, end] = [firstLunch, firstStart, firstEnd]
  const sharing = listSharing(instance)
  const nearest = nearestWays(instance, sharing)
  const before = precedence.before.slice(0, stopCount).map((stops) => stops.reduce((set, stop) => set | (1 << stop), 0))
  const lunchBit = instance.hasLunch[0] ? 1 << stopCount : 0
  const all = ((1 << stopCount) - 1) | lunchBit
  const labels = new Map<number, Label[]>()
  const path: number[] = []
  let best = bound
  let bestPath: number[] | undefined

  /** A lower bound for what is left: the shortest trips, and stops that are late even if they came first. */
  function leastRest(done: number, time: number, door: Door): number {
    let travelling = nearest[end]!
    let working = nearest[end]!
    let lateness = 0
    for (let stop = 0; stop < stopCount; stop += 1) {
      if (done & (1 << stop)) continue
      travelling += nearest[stop]!
      const adds = sharing[stop] === 0 ? service[stop]! : Math.min(service[stop]!, secondsOfFurtherParcel)
      working += nearest[stop]! + adds
      const begin = Math.max(earliest[stop]!, isHere(stop, door) ? door.arrival : time + nearest[stop]!)
      lateness += weight[stop]! * Math.max(0, begin - latest[stop]!)
    }
    if (lunchBit & ~done) {
      working += service[lunch]!
      lateness += weight[lunch]! * Math.max(0, Math.max(earliest[lunch]!, time) - latest[lunch]!)
    }
    return travelling + lateness + weight[end]! * Math.max(0, time + working - latest[end]!)
  }

  const isHere = (stop: number, { stops }: Door) => stops !== 0 && (sharing[stop]! & stops) === stops

  function isDominated(done: number, last: number, time: number, cost: number): boolean {
    const key = done * instance.nodeCount + last
    const known = labels.get(key)
    if (known?.some((label) => label.time <= time && label.cost <= cost)) return true
    const kept = known?.filter((label) => label.time < time || label.cost < cost) ?? []
    kept.push({ time, cost })
    labels.set(key, kept)
    return false
  }

  function finish(last: number, time: number, early: number, cost: number) {
    const home = way(last, end)
    const done = time + Math.max(0, home - early)
    const total = cost + home + weight[end]! * Math.max(0, done - latest[end]!)
    if (total >= best) return
    best = total
    bestPath = [...path]
  }

  /**
   * `last` is where the driver is, `early` how much of the next trip was already driven
   * before lunch.
   */
  function extend(
    done: number,
    last: number,
    time: number,
    early: number,
    cost: number,
    door: Door,
    isAfterLunch = false,
  ) {
    if (done === all) return finish(last, time, early, cost)
    // How much is driven before lunch depends on the trip that follows, so right after lunch its start is used for
    // bounds.
    if (cost + leastRest(done, time - early, door) >= best) return
    if (lunchBit & ~done) {
      const begin = Math.max(earliest[lunch]!, time)
      const late = weight[lunch]! * Math.max(0, begin - latest[lunch]!)
      path.push(lunch)
      extend(done | lunchBit, last, begin + service[lunch]!, begin - time, cost + late, door, true)
      path.pop()
    }
    for (const stop of order[last]!) {
      const bit = 1 << stop
      if (done & bit || (before[stop]! & done) !== before[stop]!) continue
      if (isHere(stop, door)) {
        // Lunch is not taken between two of them.
        if (!isAfterLunch) serveToo(stop, done, time, cost, door)
        continue
      }
      const leg = way(last, stop)
      const arrival = time + Math.max(0, leg - early)
      const begin = Math.max(earliest[stop]!, arrival)
      const after = cost + leg + weight[stop]! * Math.max(0, begin - latest[stop]!)
      if (after >= best || (sharing[stop] === 0 && isDominated(done | bit, stop, begin, after))) continue
      path.push(stop)
      extend(done | bit, stop, begin + service[stop]!, 0, after, comeTo(stop, arrival))
      path.pop()
    }
  }

  const comeTo = (stop: number, arrival: number): Door =>
    sharing[stop] === 0 ? nowhere : { stops: 1 << stop, arrival, longest: service[stop]! }

  /** One more at the door where the driver is. */
  function serveToo(stop: number, done: number, time: number, cost: number, door: Door) {
    const begin = Math.max(earliest[stop]!, door.arrival)
    const after = cost + weight[stop]! * Math.max(0, begin - latest[stop]!)
    if (after >= best) return
    const leave = doneWith(time, door.longest, begin, service[stop]!)
    const longest = Math.max(door.longest, service[stop]!)
    path.push(stop)
    extend(done | (1 << stop), stop, leave, 0, after, { ...door, stops: door.stops | (1 << stop), longest })
    path.pop()
  }

  const order = orderByWay(instance, way)
  const pinned = head[0] !== start ? head[0]! : undefined
  if (pinned === undefined) extend(0, start, earliest[start]!, 0, 0, nowhere)
  else {
    const leg = way(start, pinned)
    const arrival = earliest[start]! + leg
    const begin = Math.max(earliest[pinned]!, arrival)
    path.push(pinned)
    const late = weight[pinned]! * Math.max(0, begin - latest[pinned]!)
    extend(1 << pinned, pinned, begin + service[pinned]!, 0, leg + late, comeTo(pinned, arrival))
  }
  return bestPath && readPath(bestPath, lunch)
}

/** For each stop, which others are at its door. */
const listSharing = ({ problem: { stops } }: Instance): number[] =>
  stops.map((stop, index) =>
    stops.reduce((set, other, at) => (at !== index && joins(stop, [other]) ? set | (1 << at) : set), 0),
  )

/** For each node, the shortest trip to it from any place of the problem. */
function nearestWays(
  { stopCount, firstStart, firstEnd, place, travel, placeCount }: Instance,
  sharing: readonly number[],
): Float64Array {
  const origins = [...Array(stopCount).keys(), firstStart]
  const nearest = new Float64Array(firstEnd + 1)
  for (const node of [...Array(stopCount).keys(), firstEnd]) {
    const ways = origins.flatMap((from) => (from === node ? [] : [travel[place[from]! * placeCount + place[node]!]!]))
    nearest[node] = sharing[node] ? 0 : Math.min(...ways)
  }
  return nearest
}

function orderByWay({ stopCount, firstStart, nodeCount }: Instance, way: (from: number, to: number) => number) {
  const stops = [...Array(stopCount).keys()]
  const order: number[][] = new Array(nodeCount).fill([])
  for (const from of [...stops, firstStart])
    order[from] = stops.filter((stop) => stop !== from).sort((a, b) => way(from, a) - way(from, b))
  return order
}

function readPath(path: number[], lunch: number): Plan {
  const lunchAt = path.indexOf(lunch)
  return { stops: path.filter((node) => node !== lunch), lunchPosition: Math.max(0, lunchAt) }
}
