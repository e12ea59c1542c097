import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeDay } from './optimise/days.ts'
import { evaluateRoute } from './optimise/evaluate.ts'
import type { Problem } from './optimise/problem.ts'
import { assign, type Quote, quoteOrders, quoteStop } from './quote.ts'

/** Two drivers; every stop may be left out, so every stop is quoted. */
function aTeamDay(seed: number, change: (problem: Problem) => Partial<Problem> = () => ({})): Problem {
  const day = makeDay(seed, { stops: 12, drivers: 2, precedenceShare: 0 })
  const stops = day.stops.map((stop) => ({ ...stop, unservedPenalty: 1e6, demand: 1 }))
  return { ...day, stops, ...change({ ...day, stops }) }
}

const budget = { seed: 1, iterations: 300 }
const isQuote = (quote: object): quote is Quote => 'cost' in quote

test('a quote is exactly the additional cost of the route', () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const problem = aTeamDay(seed)
    const { routes } = assign(problem, budget)
    const plans = routes.map(({ visits, lunch }) => ({
      stops: visits.map(({ stop }) => stop),
      lunchPosition: lunch?.position ?? 0,
    }))
    for (const stop of problem.stops.keys())
      for (const quote of quoteStop(problem, plans, stop).filter(isQuote)) {
        const rest = (plans[quote.vehicle]?.stops ?? []).filter((other) => other !== stop)
        const longer = rest.toSpliced(quote.position, 0, stop)
        const costs = (stops: number[]) =>
          [...stops.keys(), stops.length].map(
            (lunchPosition) => evaluateRoute(problem, quote.vehicle, { stops, lunchPosition }).cost.total,
          )
        const least = Math.min(...costs(longer))
        const bases = costs(rest)
        assert.ok(
          bases.some((base) => quote.cost >= least - base - 1e-6),
          `seed ${seed}, stop ${stop}`,
        )
        assert.ok(costs(longer).some((total) => bases.some((base) => Math.abs(total - base - quote.cost) < 1e-6)))
      }
  }
})

test('the vehicle that has a stop is quoted as if it did not have it', () => {
  const problem = aTeamDay(4)
  const { routes, quotes } = assign(problem, budget)
  for (const [vehicle, { visits }] of routes.entries())
    for (const { stop } of visits) assert.ok(isQuote(quotes.get(stop)?.[vehicle] as object))
})

test('a vehicle that is full, is not allowed or does not serve the related stop has no quote', () => {
  const full = aTeamDay(2, ({ vehicles }) => ({ vehicles: vehicles.map((vehicle) => ({ ...vehicle, capacity: 0 })) }))
  assert.deepEqual(quoteOrders(full).get(0), [
    { vehicle: 0, refusal: 'capacity' },
    { vehicle: 1, refusal: 'capacity' },
  ])
  const tied = aTeamDay(2, ({ stops, vehicles }) => ({
    stops: stops.map((stop, index) => (index === 1 ? { ...stop, vehicles: [0] } : stop)),
    vehicles: vehicles.map((vehicle, index) => ({ ...vehicle, order: index === 1 ? [2] : [] })),
    precedences: [[2, 0]],
  }))
  const quotes = quoteOrders(tied)
  assert.deepEqual(quotes.get(0)?.[0], { vehicle: 0, refusal: 'dependency' })
  assert.equal((quotes.get(0)?.[1] as Quote | undefined)?.position, 1)
  assert.deepEqual(quotes.get(1)?.[1], { vehicle: 1, refusal: 'not allowed' })
})
