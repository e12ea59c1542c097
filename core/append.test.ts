import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterOrders } from './append.ts'
import { makeDay } from './optimise/days.ts'
import { evaluateRoute } from './optimise/evaluate.ts'
import type { Problem } from './optimise/problem.ts'
import { solve } from './optimise/solve.ts'

const drivers = 2
const firstFree = 7

/** Two drivers with a route each, and stops that may be left out. */
function aDayUnderway(seed: number, hasLunch: boolean): Problem {
  const day = makeDay(seed, { stops: 12, drivers, precedenceShare: 0.3, hasLunch })
  const stops = day.stops.map((stop, index) => ({
    ...stop,
    demand: 1,
    ...(index >= firstFree ? { unservedPenalty: 1e6 } : { vehicles: [index < 4 ? 0 : 1] }),
  }))
  const orders = [
    [0, 1, 2, 3],
    [4, 5, 6],
  ]
  const vehicles = day.vehicles.map((vehicle, index) => ({ ...vehicle, capacity: 6, order: orders[index] ?? [] }))
  // Only what the routes do not contradict already.
  const precedences = (day.precedences ?? []).filter(([before, after]) => after >= firstFree || before >= firstFree)
  return { ...day, stops, vehicles, precedences }
}

test('what is appended is reached no later than promised, and without a lunch exactly then', () => {
  let appended = 0
  for (let seed = 1; seed <= 40; seed += 1) {
    const hasLunch = seed % 2 === 0
    const problem = aDayUnderway(seed, hasLunch)
    const { problem: after, breaksDependency } = afterOrders(problem, firstFree)
    const { routes, unserved } = solve(after, { seed, iterations: 100 })
    assert.equal(unserved.length + routes.reduce((sum, { visits }) => sum + visits.length, 0), 12 - firstFree)
    for (const [vehicle, { visits }] of routes.entries()) {
      if (visits.length === 0) continue
      appended += visits.length
      const order = problem.vehicles[vehicle]?.order ?? []
      assert.ok(visits.length + order.length <= 6)
      for (const { stop } of visits) assert.equal(breaksDependency(stop, vehicle), false)
      const evaluate = (stops: number[]) =>
        [...stops.keys(), stops.length].map((lunchPosition) =>
          evaluateRoute(problem, vehicle, { stops, lunchPosition }),
        )
      const isKept = (promised: number, real = 0) => (hasLunch ? real <= promised : real === promised)
      const kept = evaluate([...order, ...visits.map(({ stop }) => stop + firstFree)]).some((route) =>
        visits.every(({ arrival }, at) => isKept(arrival, route.visits[order.length + at]?.arrival)),
      )
      assert.ok(kept, `seed ${seed}, vehicle ${vehicle}`)
    }
  }
  assert.ok(appended > 80, `${appended}`)
})

const trip = (placeCount: number) => new Int32Array(placeCount * placeCount).fill(600)
const stop = (place: number, more: object = {}) => ({
  place,
  serviceSeconds: 0,
  earliest: 0,
  latest: 1e6,
  lateWeight: 0,
  demand: 1,
  ...more,
})
const vehicle = { startPlace: 0, endPlace: null, shiftStart: 0, shiftEnd: 1e6, overtimeWeight: 0 }

test('a vehicle begins where and when its route ends, and has the room that is left', () => {
  const problem = {
    placeCount: 3,
    travelSeconds: trip(3),
    stops: [stop(1, { serviceSeconds: 300 }), stop(2)],
    vehicles: [{ ...vehicle, capacity: 3, order: [0], pinnedFirst: 0 }, vehicle],
  }
  const { problem: after } = afterOrders(problem, 1)
  assert.deepEqual(after.vehicles, [{ ...vehicle, startPlace: 1, shiftStart: 900, capacity: 2 }, vehicle])
  assert.deepEqual(after.stops, [stop(2)])
})

test('lunch can come after the route, unless it would be late then', () => {
  const lunch = { seconds: 1_800, earliest: 2_000, latest: 4_000, lateWeight: 2 }
  const day = (serviceSeconds: number) => ({
    placeCount: 2,
    travelSeconds: trip(2),
    stops: [stop(1, { serviceSeconds })],
    vehicles: [{ ...vehicle, lunch, order: [0] }],
  })
  assert.deepEqual(afterOrders(day(300), 1).problem.vehicles, [{ ...vehicle, startPlace: 1, shiftStart: 900, lunch }])
  // Before the stop: from 2,000, with the drive before it.
  assert.deepEqual(afterOrders(day(5_000), 1).problem.vehicles, [{ ...vehicle, startPlace: 1, shiftStart: 8_800 }])
})

test('who must come before a stop of a route cannot be appended, who comes after one only there', () => {
  const problem = {
    placeCount: 2,
    travelSeconds: trip(2),
    stops: [stop(1), stop(1), stop(1), stop(1)],
    vehicles: [{ ...vehicle, order: [0] }, vehicle],
    precedences: [
      [1, 0],
      [0, 2],
      [2, 3],
    ] as [number, number][],
  }
  const { problem: after } = afterOrders(problem, 1)
  assert.deepEqual(
    after.stops.map(({ vehicles }) => vehicles),
    [[], [0], [0, 1]],
  )
  assert.deepEqual(after.precedences, [[1, 2]])
})
