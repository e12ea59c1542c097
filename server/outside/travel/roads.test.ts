import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Point } from '../../../core/geo.ts'
import { estimateTravelTable } from '../../../core/travel.ts'
import { answer, startReceiver } from '../../test/receiver.ts'
import { enginePolicy } from '../addresses.ts'
import { createOutside } from '../fetch.ts'
import type { Roads } from './roads.ts'
import { createTravel, type TravelOptions, type TravelRequest } from './travel.ts'

/* An imported map that ends at a meridian: what lies east of it nobody knows. */

const border = 26.1
const inside = [26.05, 26.06, 26.08].map((lng) => ({ lat: 44.43, lng }))
const outsideOfIt = [26.2, 26.3].map((lng) => ({ lat: 44.43, lng }))
const request = { places: inside, traffic: 'none', transport: 'car' } as const satisfies TravelRequest

const secondsOf = (from: Point, to: Point) => Math.abs(from.lng - to.lng) * 20_000 + 0.25
const metresOf = (from: Point, to: Point) => Math.round(Math.abs(from.lng - to.lng) * 100_000)
const isKnown = ({ lng }: Point) => lng < border

function makeRoads(isHere = () => true) {
  const asked: number[] = []
  const roads: Roads = {
    async table(_, places) {
      if (!isHere()) return undefined
      asked.push(places.length)
      const pairs = places.flatMap((from) => places.map((to) => ({ from, to, ends: isKnown(from) && isKnown(to) })))
      return {
        seconds: pairs.map(({ from, to, ends }) => (ends ? secondsOf(from, to) : -1)),
        metres: pairs.map(({ from, to, ends }) => (ends ? metresOf(from, to) : -1)),
      }
    },
    async legs(_, places) {
      if (!isHere()) return undefined
      return places.slice(1).map((to, index) => {
        const from = places[index] as Point
        if (!isKnown(from) || !isKnown(to)) return undefined
        return { seconds: secondsOf(from, to), metres: metresOf(from, to), line: `${from.lng} ${to.lng}` }
      })
    },
  }
  return { roads, asked }
}

function open(t: TestContext, options: Partial<TravelOptions>) {
  const outside = createOutside(enginePolicy)
  t.after(outside.close)
  return createTravel(outside, { engine: 'roads', url: '', ...options })
}

/** An engine that knows every road, and what it was asked for. */
async function startOsrm(t: TestContext, status = 200) {
  const receiver = await startReceiver(t)
  const asked: [from: number, to: number][] = []
  receiver.always(({ url }, response) => {
    const query = new URL(url, 'http://osrm').searchParams
    const [from, to] = ['sources', 'destinations'].map((name) => query.get(name)?.split(';') ?? []) as [
      string[],
      string[],
    ]
    asked.push([from.length, to.length])
    if (status !== 200) return answer(status)({} as never, response)
    const table = from.map(() => to.map(() => 777))
    const on = (places: string[]) => places.map(() => ({ distance: 1 }))
    response.end(
      JSON.stringify({ code: 'Ok', durations: table, distances: table, sources: on(from), destinations: on(to) }),
    )
  })
  return { asked, engine: 'osrm' as const, url: `http://127.0.0.1:${receiver.port}` }
}

test('inside the imported map every trip is by its roads', async (t) => {
  const travel = open(t, { roads: makeRoads().roads })
  const times = await travel.times(request)
  assert.deepEqual([times.source, times.isEstimate, times.warnings], ['roads', false, []])
  assert.deepEqual([...times.seconds], [0, 200, 600, 200, 0, 400, 600, 400, 0])
  assert.equal(times.metres[2], 3_000)
})

test('traffic, and what was learned of an organisation, come on top of the roads', async (t) => {
  const travel = open(t, { roads: makeRoads().roads })
  const heavy = await travel.times({ ...request, traffic: 'pessimistic', learned: 1.2 })
  assert.equal(heavy.seconds[2], Math.round(600.25 * 1.7 * 1.2))
  const steps = await travel.steps({ ...request, traffic: 'pessimistic', learned: 1.2 })
  assert.equal(steps.seconds[0], Math.round(200.25 * 1.7 * 1.2))
})

test('what was learned changes no estimate', async (t) => {
  const travel = open(t, {})
  const [plain, learned] = [await travel.times(request), await travel.times({ ...request, learned: 1.5 })]
  assert.deepEqual(learned.seconds, plain.seconds)
})

test('a trip out of the imported map is estimated, and a sentence says how many are', async (t) => {
  const travel = open(t, { roads: makeRoads().roads })
  const places = [...inside, outsideOfIt[0] as Point]
  const times = await travel.times({ ...request, places })
  assert.deepEqual([times.source, times.isEstimate], ['roads', false])
  assert.deepEqual(times.warnings, ['The imported map has no road for 6 of 12 trips; these are estimates'])
  assert.equal(times.seconds[3], estimateTravelTable(places, 'none', 'car').seconds[3])
})

test('where most trips are estimated, all are called an estimate', async (t) => {
  const travel = open(t, { roads: makeRoads().roads })
  const times = await travel.times({ ...request, places: [...inside.slice(0, 2), ...outsideOfIt] })
  assert.deepEqual([times.source, times.isEstimate], ['estimate', true])
  assert.match(times.warnings.join(), /no road for 10 of 12 trips/)
})

test('a configured engine is asked only for what the imported map does not have', async (t) => {
  const { asked, ...osrm } = await startOsrm(t)
  const travel = open(t, { ...osrm, roads: makeRoads().roads })
  assert.deepEqual([(await travel.times(request)).source, asked], ['roads', []])
  const times = await travel.times({ ...request, places: [...inside, outsideOfIt[0] as Point] })
  assert.deepEqual([times.source, times.isEstimate, times.seconds[1], times.seconds[3]], ['roads', false, 200, 777])
  assert.deepEqual(times.warnings, ['The imported map has no road for 6 of 12 trips; these are from OSRM'])
  assert.deepEqual(asked, [
    [1, 4],
    [3, 1],
  ])
})

test('if the engine fails, only what the map does not have is an estimate', async (t) => {
  const { asked, ...osrm } = await startOsrm(t, 500)
  const travel = open(t, { ...osrm, roads: makeRoads().roads })
  const times = await travel.times({ ...request, places: [...inside, outsideOfIt[0] as Point] })
  assert.deepEqual([times.source, times.isEstimate, asked.length > 0], ['roads', false, true])
  assert.match(times.warnings.join(), /usable answer; 6 of 12 trips are estimates/)
})

test('without an imported map, or while its roads fail, times are estimates until it is back', async (t) => {
  let isHere = false
  const travel = open(t, { roads: makeRoads(() => isHere).roads })
  const estimated = estimateTravelTable(inside, 'none', 'car')
  const times = await travel.times(request)
  assert.deepEqual([times.source, times.isEstimate, times.warnings], ['estimate', true, []])
  assert.deepEqual(times.seconds, estimated.seconds)
  assert.equal((await travel.steps(request)).source, 'estimate')
  assert.deepEqual(await travel.legs(request), [undefined, undefined])
  isHere = true
  assert.equal((await travel.times(request)).source, 'roads')
  assert.equal((await travel.steps(request)).source, 'roads')
})

test('who wants only estimates gets no roads and no lines', async (t) => {
  const { roads, asked } = makeRoads()
  const travel = open(t, { engine: 'estimate', roads })
  assert.deepEqual([(await travel.times(request)).isEstimate, (await travel.steps(request)).isEstimate], [true, true])
  assert.deepEqual(await travel.legs(request), [undefined, undefined])
  assert.deepEqual(asked, [])
})

test('the steps of a route take what its trips take, whoever knows them', async (t) => {
  const { asked: _, ...osrm } = await startOsrm(t)
  for (const options of [{}, osrm, { roads: makeRoads().roads }, { ...osrm, roads: makeRoads().roads }]) {
    const travel = open(t, options)
    const places = [...inside, ...outsideOfIt, inside[0] as Point]
    const [times, steps] = [await travel.times({ ...request, places }), await travel.steps({ ...request, places })]
    for (const [step, seconds] of steps.seconds.entries()) {
      assert.equal(seconds, times.seconds[step * places.length + step + 1])
      assert.equal(steps.metres[step], times.metres[step * places.length + step + 1])
    }
  }
})

test('following a driver along known stops asks the roads for the first step alone', async (t) => {
  const { roads, asked } = makeRoads()
  let map = 1
  const travel = open(t, { roads, mapId: async () => map })
  const follow = (lng: number) => travel.steps({ ...request, places: [{ lat: 44.43, lng }, ...inside] })
  await follow(26.01)
  await follow(26.02)
  assert.deepEqual(asked, [4, 2])
  map = 2
  await follow(26.02)
  assert.deepEqual(asked, [4, 2, 4], 'another import has other roads')
})

test('ways are drawn where both ends are on the map', async (t) => {
  const travel = open(t, { roads: makeRoads().roads })
  const legs = await travel.legs({ ...request, places: [...inside.slice(0, 2), ...outsideOfIt] })
  assert.deepEqual(
    legs.map((leg) => leg?.line),
    ['26.05 26.06', undefined, undefined],
  )
  assert.deepEqual(await travel.legs({ ...request, places: [] }), [])
})
