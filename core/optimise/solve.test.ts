import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amountsOf, seedOr, tellNumbers } from '../../server/test/proofs.ts'
import { findFaults } from './check.ts'
import { type DayShape, makeDay } from './days.ts'
import type { Problem, Solution, Vehicle } from './problem.ts'
import { drawBelow, drawUnit, makeRandom } from './random.ts'
import { solve } from './solve.ts'

const amounts = amountsOf('plans')
const seedOfSearch = seedOr(6)

const orderOf = (solution: Solution) => solution.routes.map(({ visits }) => visits.map(({ stop }) => stop))

const anyShape: fc.Arbitrary<DayShape> = fc.record({
  stops: fc.integer({ min: 0, max: 30 }),
  drivers: fc.integer({ min: 1, max: 4 }),
  windowShare: fc.double({ min: 0, max: 1, noNaN: true }),
  precedenceShare: fc.constantFrom(0, 0.2, 0.6),
  doorShare: fc.constantFrom(0, 0, 0.5),
  hasLunch: fc.boolean(),
  isClosed: fc.boolean(),
  roominess: fc.double({ min: 0, max: 1.5, noNaN: true }),
})
const anySeed = fc.integer({ min: 1, max: 1_000_000 })

/** A day with loads, drivers who may not serve every stop, pins, and tasks that may be left out. */
function makeComplicated(seed: number, shape: DayShape): Problem {
  const day = makeDay(seed, shape)
  const random = makeRandom(seed + 1)
  const tied = new Set(day.precedences!.flat())
  for (const vehicle of day.vehicles) if (drawUnit(random) < 0.5) vehicle.capacity = 10
  for (const [index, stop] of day.stops.entries()) {
    stop.demand = drawBelow(random, 4)
    if (drawUnit(random) < 0.3) stop.unservedPenalty = 5000
    if (!tied.has(index) && drawUnit(random) < 0.2) stop.vehicles = [drawBelow(random, day.vehicles.length)]
  }
  const free = [...day.stops.keys()].filter((stop) => !tied.has(stop) && !day.stops[stop]!.vehicles)
  for (const vehicle of day.vehicles) if (drawUnit(random) < 0.3 && free.length > 0) vehicle.pinnedFirst = free.pop()!
  return day
}

/** With a current order that keeps the rules: the result of a short search, which a longer one must not worsen. */
function withPresentOrder(problem: Problem, seed: number): { problem: Problem; before: Solution } {
  const before = solve(problem, { seed, iterations: 3 })
  const order = orderOf(before)
  const vehicles = problem.vehicles.map((vehicle, index): Vehicle => ({ ...vehicle, order: order[index]! }))
  return { problem: { ...problem, vehicles }, before }
}

test('every solution serves each task once, keeps the rules and costs what it says', (t) => {
  fc.assert(
    fc.property(anyShape, anySeed, (shape, seed) => {
      const day = makeComplicated(seed, shape)
      assert.deepEqual(findFaults(day, solve(day, { seed, iterations: 60 })), [])
    }),
    { numRuns: amounts.plans, seed: seedOfSearch },
  )
  tellNumbers(t, 'plans', { plans: amounts.plans })
})

test('the order is never worse than the current one', (t) => {
  fc.assert(
    fc.property(anyShape, anySeed, (shape, seed) => {
      const { problem, before } = withPresentOrder(makeComplicated(seed, shape), seed)
      const after = solve(problem, { seed: seed + 1, iterations: 20 })
      assert.deepEqual(findFaults(problem, after), [])
      assert.ok(after.cost.total <= before.cost.total, `${after.cost.total} after ${before.cost.total}`)
    }),
    { numRuns: amounts.plans, seed: seedOfSearch },
  )
  tellNumbers(t, 'plans', { plans: amounts.plans })
})

test('one driver keeps every task of an overfull day, and the late ones are named', () => {
  const day = makeDay(1, { stops: 40, roominess: 0.1, windowShare: 1 })
  const { routes, unserved } = solve(day, { seed: 1, iterations: 500 })
  assert.deepEqual(unserved, [])
  assert.equal(routes[0]!.visits.length, 40)
  assert.ok(routes[0]!.visits.some(({ lateSeconds }) => lateSeconds > 0))
})

test('the same problem and seed get the same solution', () => {
  const day = makeDay(2, { stops: 30 })
  const answers = [1, 2].map(() => solve(day, { seed: 9, iterations: 300 }))
  assert.deepEqual(answers[0], answers[1])
})

test('a pair that contradicts another one or the pin is ignored', () => {
  const day = makeDay(3, { stops: 12, precedenceShare: 0 })
  day.precedences = [
    [0, 1],
    [1, 2],
    [2, 0],
    [3, 4],
  ]
  day.vehicles[0]!.pinnedFirst = 4
  const [order] = orderOf(solve(day, { seed: 1, iterations: 100 }))
  assert.equal(order![0], 4)
  assert.deepEqual(
    order!.filter((stop) => stop < 3),
    [0, 1, 2],
  )
})

test('a task that depends on the first stops of two drivers keeps only one dependency', () => {
  const day = makeDay(3, { stops: 12, drivers: 2, precedenceShare: 0 })
  day.precedences = [
    [0, 2],
    [1, 2],
  ]
  for (const [index, vehicle] of day.vehicles.entries()) vehicle.pinnedFirst = index
  const solution = solve(day, { seed: 1, iterations: 100 })
  assert.deepEqual(solution.unserved, [])
  assert.deepEqual(findFaults({ ...day, precedences: [[0, 2]] }, solution), [])
})

test('parcels for one door are handed over together, and the time that saves is used', () => {
  const day = makeDay(8, { stops: 40, doorShare: 0.7, windowShare: 0, precedenceShare: 0, roominess: 0.4 })
  const solution = solve(day, { seed: 1, iterations: 300 })
  assert.deepEqual(findFaults(day, solution), [])
  const doors = new Set(day.stops.map(({ place }) => place)).size
  assert.equal(solution.routes[0]!.visits.filter(({ isTogether }) => !isTogether).length, doors)
  const alone = solve({ ...day, stops: day.stops.map(({ door: _, ...stop }) => stop) }, { seed: 1, iterations: 300 })
  assert.ok(solution.routes[0]!.finish < alone.routes[0]!.finish)
})

test('cancelling returns the best order so far', () => {
  const day = makeDay(4, { stops: 60 })
  let asked = 0
  const isCancelled = () => {
    asked += 1
    return asked > 5
  }
  const { iterations, ...solution } = solve(day, { seed: 1, iterations: 1_000_000, isCancelled })
  assert.ok(iterations < 100)
  assert.deepEqual(findFaults(day, { iterations, ...solution }), [])
})

test('the search ends when its time is over', () => {
  const day = makeDay(5, { stops: 60 })
  let milliseconds = 0
  const now = () => {
    milliseconds += 1
    return milliseconds
  }
  const { iterations } = solve(day, { seed: 1, milliseconds: 50, now })
  assert.ok(iterations > 0 && iterations < 1000)
})

test('a thousand tasks of fifty drivers only get better, and the rules are kept', () => {
  const day = makeDay(6, { stops: 1000, drivers: 50, precedenceShare: 0.05 })
  for (const stop of day.stops) stop.unservedPenalty = 3600
  const costs: number[] = []
  const solution = solve(day, {
    seed: 1,
    iterations: amounts['iterations for a fleet'],
    onBetter: (cost) => costs.push(cost),
  })
  assert.deepEqual(findFaults(day, solution), [])
  assert.ok(costs.length > 50)
  assert.ok(costs.every((cost, index) => index === 0 || cost < costs[index - 1]!))
  assert.ok(solution.cost.total <= costs.at(-1)! + 1e-3)
})

test('two thousand tasks of one driver are put in order', () => {
  const day = makeDay(7, { stops: 2000, precedenceShare: 0.01, windowShare: 0.2 })
  assert.deepEqual(findFaults(day, solve(day, { seed: 1, iterations: 5 })), [])
})

/** With pickups and deliveries. */
test('a driver delivers what they picked up before, and never carries more than fits', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const day = makeDay(seed, { stops: 24, drivers: 3, precedenceShare: 0 })
    day.precedences = Array.from({ length: 12 }, (_, pair) => [2 * pair, 2 * pair + 1])
    for (const [index, stop] of day.stops.entries()) stop.demand = index % 2 === 0 ? 2 : -2
    for (const vehicle of day.vehicles) vehicle.capacity = 4
    const solution = solve(day, { seed, iterations: 100 })
    assert.deepEqual(solution.unserved, [])
    assert.deepEqual(findFaults(day, solution), [])
  }
})

const strange: Record<string, (day: Problem) => void> = {
  'all stops at one place': (day) => void day.travelSeconds.fill(0),
  'a lunch longer than the shift': ({ vehicles }) => {
    vehicles[0]!.lunch = { ...vehicles[0]!.lunch!, seconds: 100_000 }
  },
  'a shift that ended': ({ vehicles }) => {
    vehicles[0]!.shiftEnd = vehicles[0]!.shiftStart - 10_000
  },
  'windows in the past': ({ stops }) => {
    for (const stop of stops) [stop.earliest, stop.latest] = [-90_000, -80_000]
  },
  'a window that closes before it opens': ({ stops }) => {
    stops[0]!.latest = stops[0]!.earliest - 3600
  },
  'the longest possible travel times': (day) => void day.travelSeconds.fill(100_000_000),
  'no cost for being late': ({ stops }) => {
    for (const stop of stops) stop.lateWeight = 0
  },
}

for (const [what, spoil] of Object.entries(strange))
  for (const stops of [1, 5, 20])
    test(`${what}, ${stops} stops: the order is usable and no stop is lost`, () => {
      const day = makeDay(stops, { stops })
      spoil(day)
      const solution = solve(day, { seed: 1, iterations: 100 })
      assert.deepEqual(findFaults(day, solution), [])
      assert.deepEqual(solution.unserved, [])
    })

test('a day without stops costs nothing', () => {
  const { routes, cost } = solve(makeDay(1, { stops: 0 }), { seed: 1, iterations: 10 })
  assert.deepEqual(routes[0]!.visits, [])
  assert.equal(cost.total, 0)
})

test('an invalid problem is refused with the reason', () => {
  const day = makeDay(1, { stops: 3 })
  const refused = (problem: Problem, reason: RegExp) =>
    assert.throws(() => solve(problem, { seed: 1, iterations: 1 }), reason)
  refused({ ...day, vehicles: [] }, /no vehicle/)
  refused({ ...day, placeCount: 2 }, /cells/)
  refused({ ...day, stops: [{ ...day.stops[0]!, place: 99 }] }, /stop 0 is at no place/)
  refused({ ...day, stops: [{ ...day.stops[0]!, latest: Number.NaN }] }, /a time of stop 0/)
  refused({ ...day, vehicles: [{ ...day.vehicles[0]!, order: [0, 0] }] }, /stop 0 in the order/)
  assert.throws(() => solve(day, { seed: 1 }), /iterations, or milliseconds/)
  assert.throws(() => solve(day, { seed: 1, milliseconds: 5 }), /a clock/)
})
