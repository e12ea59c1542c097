import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFaults } from './check.ts'
import { makeDay } from './days.ts'
import type { Problem } from './problem.ts'
import { drawBelow, drawUnit, makeRandom } from './random.ts'
import { solve } from './solve.ts'

/* The exhaustive search skips orders that cannot be best; this one tries them all, and is simple enough to trust. */

/** Calls `use` with every order of the items, one after the other in the same array. */
function tryOrders(items: number[], use: (order: number[]) => void, from = 0) {
  if (from === items.length) return use(items)
  const exchange = (other: number) => ([items[from], items[other]] = [items[other]!, items[from]!])
  for (let other = from; other < items.length; other += 1) {
    exchange(other)
    tryOrders(items, use, from + 1)
    exchange(other)
  }
}

const lunch = -1

function costOf({ stops, vehicles, travelSeconds, placeCount }: Problem, order: number[]): number {
  const vehicle = vehicles[0]!
  let [cost, time, place, drivenBefore] = [0, vehicle.shiftStart, vehicle.startPlace, 0]
  let [here, arrival]: [number[], number] = [[], 0]
  const drive = (to: number) => {
    const seconds = travelSeconds[place * placeCount + to]!
    cost += seconds
    time += Math.max(0, seconds - drivenBefore)
    ;[place, drivenBefore] = [to, 0]
  }
  for (const item of order) {
    const work = item === lunch ? vehicle.lunch! : stops[item]!
    const isTogether =
      item !== lunch && here.length > 0 && stops[item]!.door?.point?.lat === stops[here[0]!]!.door?.point?.lat
    if (item !== lunch && !isTogether) drive(stops[item]!.place)
    if (!isTogether) [here, arrival] = [[], time]
    const begin = Math.max(arrival, work.earliest)
    cost += work.lateWeight * Math.max(0, begin - work.latest)
    if (item === lunch) drivenBefore = begin - time
    const seconds = 'seconds' in work ? work.seconds : work.serviceSeconds
    const longest = Math.max(0, ...here.map((stop) => stops[stop]!.serviceSeconds))
    time = Math.max(begin + seconds, isTogether ? time + 60 + Math.max(0, seconds - longest) : 0)
    if (item !== lunch && stops[item]!.door) here.push(item)
  }
  if (vehicle.endPlace !== null) drive(vehicle.endPlace)
  return cost + vehicle.overtimeWeight * Math.max(0, time - vehicle.shiftEnd)
}

function cheapest(problem: Problem): number {
  const { stops, vehicles, precedences = [] } = problem
  const items = [...stops.keys(), ...(vehicles[0]!.lunch ? [lunch] : [])]
  const pinned = vehicles[0]!.pinnedFirst
  let best = Number.POSITIVE_INFINITY
  tryOrders(items, (order) => {
    if (pinned !== undefined && order[0] !== pinned) return
    if (precedences.some(([before, after]) => order.indexOf(before) > order.indexOf(after))) return
    const door = (item: number | undefined) => (item === undefined ? undefined : stops[item]?.door?.point?.lat)
    const lunchAt = order.indexOf(lunch)
    const [before, after] = [door(order[lunchAt - 1]), door(order[lunchAt + 1])]
    // Nobody leaves for lunch between two parcels of one stop.
    if (lunchAt > 0 && before !== undefined && before === after) return
    best = Math.min(best, costOf(problem, order))
  })
  return best
}

/** Small days of all kinds: with time to spare and overfull, with and without lunch, pins, open ends, past windows. */
function makeSmallDay(seed: number, most: number, doorShare = 0): Problem {
  const random = makeRandom(seed)
  const day = makeDay(seed, {
    stops: 1 + drawBelow(random, most),
    windowShare: drawUnit(random),
    precedenceShare: drawUnit(random) < 0.5 ? 0 : 0.4,
    hasLunch: drawUnit(random) < 0.7,
    isClosed: drawUnit(random) < 0.5,
    roominess: drawUnit(random),
    doorShare,
  })
  const vehicle = day.vehicles[0]!
  if (drawUnit(random) < 0.3) vehicle.shiftStart += drawBelow(random, 8 * 3600)
  if (drawUnit(random) < 0.2) vehicle.shiftEnd = vehicle.shiftStart - 600
  if (drawUnit(random) < 0.3) vehicle.pinnedFirst = 0
  // A trip that is longer than a detour, as in real matrices.
  if (drawUnit(random) < 0.3) day.travelSeconds[drawBelow(random, day.travelSeconds.length)] = 20_000
  return day
}

test('300 days of up to six stops all get the best possible order', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const day = makeSmallDay(seed, 6)
    const solution = solve(day, { seed: 1, iterations: 0 })
    assert.deepEqual(findFaults(day, solution), [], `day ${seed}`)
    assert.equal(solution.cost.total, cheapest(day), `day ${seed}`)
    assert.ok(solution.isOptimal)
  }
})

test('200 days with several parcels for one door all get the best possible order', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const day = makeSmallDay(seed, 6, 0.6)
    const solution = solve(day, { seed: 1, iterations: 0 })
    assert.deepEqual(findFaults(day, solution), [], `day ${seed}`)
    assert.equal(solution.cost.total, cheapest(day), `day ${seed}`)
    assert.ok(solution.isOptimal)
  }
})

test('days of eight stops with a lunch get the best possible order', () => {
  for (let seed = 1; seed <= 2; seed += 1) {
    const day = makeDay(seed, { stops: 8, roominess: 0.4, precedenceShare: 0.2 })
    assert.equal(solve(day, { seed: 1, iterations: 0 }).cost.total, cheapest(day), `day ${seed}`)
  }
})

test('the order stays as it is when no other is better', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const day = makeSmallDay(seed, 8)
    const best = solve(day, { seed: 1, iterations: 0 })
    const order = best.routes[0]!.visits.map((visit) => visit.stop)
    const again = { ...day, vehicles: [{ ...day.vehicles[0]!, order }] }
    const visits = solve(again, { seed: 1, iterations: 0 }).routes[0]!.visits
    assert.deepEqual(visits, best.routes[0]!.visits, `day ${seed}`)
  }
})
