import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import type { Point } from '../../../core/geo.ts'
import { estimateTravelTable } from '../../../core/travel.ts'
import { answer, type Behaviour, drip, hang, huge, type Received, reset, startReceiver } from '../../test/receiver.ts'
import { until } from '../../test/until.ts'
import { enginePolicy } from '../addresses.ts'
import { createOutside } from '../fetch.ts'
import { missingParts } from './asking.ts'
import { createWayCache, metresIn, pack, secondsIn } from './cache.ts'
import { createTravel, type TravelRequest } from './travel.ts'

const places = [
  { lat: 44.4323, lng: 26.1004 },
  { lat: 44.4522, lng: 26.0873 },
  { lat: 44.5711, lng: 26.085 },
]
const request = { places, traffic: 'none', transport: 'car' } as const satisfies TravelRequest
const estimated = estimateTravelTable(places, 'none', 'car')

const json = (body: unknown, status = 200) => answer(status, { body: JSON.stringify(body) })
const recording = async (name: string) =>
  JSON.parse(await readFile(new URL(`recorded/${name}.json`, import.meta.url), 'utf8'))

type EngineName = 'osrm' | 'valhalla'

/**
 * A fake engine behind a real connection, which does what the test says. It is waited for as long as a busy machine needs, except
 * where it is to be silent.
 */
async function startEngine(t: TestContext, engine: EngineName, behaviour: Behaviour, path = '', requestMs = 10_000) {
  const receiver = await startReceiver(t)
  receiver.always(behaviour)
  const outside = createOutside(enginePolicy)
  t.after(outside.close)
  const troubles: unknown[] = []
  const travel = createTravel(outside, {
    engine,
    url: `http://127.0.0.1:${receiver.port}${path}`,
    requestMs,
    tableMs: 4 * requestMs,
    restMs: 60,
    onTrouble: (error) => troubles.push(error),
  })
  return { travel, receiver, troubles }
}

/** The places a request asks for, for either engine. */
function questionOf({ method, url, body }: Received): { from: Point[]; to: Point[] } {
  if (method === 'POST') {
    const { sources, targets } = body as Record<string, { lat: number; lon: number }[]>
    const point = ({ lat, lon }: { lat: number; lon: number }) => ({ lat, lng: lon })
    return { from: (sources ?? []).map(point), to: (targets ?? []).map(point) }
  }
  const { pathname, searchParams } = new URL(url, 'http://engine.test')
  const points = decodeURIComponent(pathname.split('/').at(-1) as string)
    .split(';')
    .map((text) => text.split(',').map(Number))
    .map(([lng = 0, lat = 0]) => ({ lat, lng }))
  const at = (name: string) =>
    (searchParams.get(name) as string).split(';').map((index) => points[Number(index)] as Point)
  return { from: at('sources'), to: at('destinations') }
}

/** One second for each metre; the distance depends on the direction, so that a mix-up is noticed. */
const metresOf = (from: Point, to: Point) =>
  Math.round(Math.abs(from.lat - to.lat) * 100_000 + (from.lng > to.lng ? 7 : 3))
const roads =
  (change: (cell: number, from: Point, to: Point) => unknown = (cell) => cell): Behaviour =>
  (received, response) => {
    const { from, to } = questionOf(received)
    const table = from.map((start) => to.map((end) => change(metresOf(start, end), start, end)))
    const waypoints = (points: Point[]) =>
      points.map(({ lat, lng }) => ({ distance: 4.2, name: '', location: [lng, lat] }))
    const inKilometres = (cell: unknown) => (typeof cell === 'number' ? cell / 1_000 : cell)
    const body =
      received.method === 'GET'
        ? { code: 'Ok', durations: table, distances: table, sources: waypoints(from), destinations: waypoints(to) }
        : {
            units: 'kilometers',
            sources_to_targets: table.map((row) => row.map((cell) => ({ time: cell, distance: inKilometres(cell) }))),
          }
    response.end(JSON.stringify(body))
  }

const engineNames: EngineName[] = ['osrm', 'valhalla']
const recordings = { osrm: 'osrm-table', valhalla: 'valhalla-matrix' }

for (const engine of engineNames) {
  test(`${engine}: times and distances are read from a recorded answer`, async (t) => {
    const { travel, receiver } = await startEngine(t, engine, json(await recording(recordings[engine])))
    const times = await travel.times(request)
    assert.deepEqual([times.source, times.isEstimate, times.warnings], [engine, false, []])
    assert.deepEqual([...times.seconds], [0, 403, 1216, 431, 0, 1003, 1189, 971, 0])
    assert.deepEqual(
      [...times.metres].map((metres) => Math.round(metres / 10)),
      [0, 271, 1287, 294, 0, 1099, 1269, 1087, 0],
    )
    assert.deepEqual(questionOf(receiver.requests[0] as Received), { from: places, to: places })
  })

  test(`${engine}: traffic makes a trip longer, without asking the engine again`, async (t) => {
    const { travel, receiver } = await startEngine(t, engine, roads())
    const empty = await travel.times(request)
    const full = await travel.times({ ...request, traffic: 'pessimistic' })
    assert.equal(full.seconds[1], Math.round((empty.seconds[1] as number) * 1.7))
    assert.equal(full.metres[1], empty.metres[1])
    assert.equal(receiver.requests.length, 1)
  })

  test(`${engine}: a trip it does not know is estimated, and marked as an estimate`, async (t) => {
    const isLost = (from: Point, to: Point) => from.lat === places[0]?.lat && to.lat === places[2]?.lat
    const { travel } = await startEngine(
      t,
      engine,
      roads((cell, from, to) => (isLost(from, to) ? null : cell)),
    )
    const times = await travel.times(request)
    assert.deepEqual([times.seconds[2], times.metres[2]], [estimated.seconds[2], estimated.metres[2]])
    assert.equal(times.seconds[1], metresOf(places[0] as Point, places[1] as Point))
    assert.deepEqual([times.source, times.isEstimate], [engine, false])
    assert.match(times.warnings.join(), /no road for 1 of 6 trips/)
  })

  test(`${engine}: if it finds no road at all, everything is an estimate`, async (t) => {
    const { travel } = await startEngine(
      t,
      engine,
      roads(() => null),
    )
    const times = await travel.times(request)
    assert.deepEqual([times.source, times.isEstimate, times.warnings.length], ['estimate', true, 1])
    assert.deepEqual(times.seconds, estimated.seconds)
  })

  test(`${engine}: a large table is requested in parts the engine accepts, and put together in order`, async (t) => {
    const many = Array.from({ length: 120 }, (_, index) => ({
      lat: 44 + index / 1_000,
      lng: 26 + ((index * 7) % 13) / 1_000,
    }))
    const { travel, receiver } = await startEngine(t, engine, roads())
    const { seconds, source } = await travel.times({ ...request, places: many })
    assert.equal(source, engine)
    assert.equal(receiver.requests.length, 9)
    for (const received of receiver.requests) {
      const { from, to } = questionOf(received)
      assert.ok(from.length <= 50 && to.length <= 50)
    }
    for (const [from, start] of many.entries())
      for (const [to, end] of many.entries())
        assert.equal(seconds[from * 120 + to], from === to ? 0 : metresOf(start, end), `${from} to ${to}`)
  })

  test(`${engine}: for one more place, only the trips from and to it are requested`, async (t) => {
    const { travel, receiver } = await startEngine(t, engine, roads())
    await travel.times(request)
    const further = { lat: 44.6, lng: 26.2 }
    // Places next door to each other share their trips.
    const neighbour = { lat: 44.432_31, lng: 26.100_41 }
    const { seconds } = await travel.times({ ...request, places: [...places, further, neighbour] })
    const asked = receiver.requests.slice(1).map(questionOf)
    assert.deepEqual(
      asked.map(({ from, to }) => [from.length, to.length]),
      [
        [1, 5],
        [4, 1],
      ],
    )
    assert.equal(seconds[3], metresOf(places[0] as Point, further))
  })

  const nonsense: [what: string, Behaviour][] = [
    ['an error', json({ code: 'InvalidQuery', error_code: 154, message: 'Exceeded the max' }, 400)],
    ['a server error', answer(500, { body: 'oops' })],
    ['a page', answer(200, { body: '<html><body>Welcome to nginx</body></html>' })],
    ['nothing', answer(200)],
    ['JSON that is no object', json([])],
    ['null', json(null)],
    ['an empty object', json({})],
    ['negative times', roads(() => -1)],
    ['times in words', roads(() => 'soon')],
    ['times without end', roads(() => 1e300)],
    ['lists instead of numbers', roads((cell) => [cell])],
    [
      'a table without its last row',
      json({ code: 'Ok', durations: [[0]], distances: [[0]], sources_to_targets: [[]] }),
    ],
    [
      'rows that are no lists',
      json({ code: 'Ok', durations: [1, 2, 3], distances: [1, 2, 3], sources_to_targets: [1, 2, 3] }),
    ],
    [
      'cells that are nothing',
      json({
        code: 'Ok',
        durations: [[]],
        sources_to_targets: [
          [null, null, null],
          [null, null, null],
          [null, null, null],
        ],
      }),
    ],
    ['five megabytes', huge(5_000_000)],
    ['a redirect', answer(302, { headers: { location: 'http://127.0.0.1:1/' } })],
    ['a closed connection', reset],
    ['silence', hang],
    ['a drop now and then', drip(20)],
  ]
  for (const [what, behaviour] of nonsense)
    test(`${engine}: with ${what} instead of an answer the estimate is used, with a warning`, async (t) => {
      const { travel, troubles } = await startEngine(t, engine, behaviour, '', 500)
      const times = await travel.times(request)
      assert.deepEqual([times.source, times.isEstimate], ['estimate', true])
      assert.deepEqual([times.seconds, times.metres], [estimated.seconds, estimated.metres])
      assert.match(times.warnings.join(), /estimates/)
      assert.doesNotMatch(times.warnings.join(), /127\.0\.0\.1/, 'a warning reveals nothing about our network')
      assert.equal(troubles.length, 1)
    })

  test(`${engine}: an engine that failed is left alone for a while, then asked again`, async (t) => {
    const { travel, receiver } = await startEngine(t, engine, answer(500))
    await travel.times(request)
    receiver.always(roads())
    assert.match((await travel.times(request)).warnings.join(), /a moment ago/)
    assert.equal(receiver.requests.length, 1)
    await until('the engine to be asked again', async () => (await travel.times(request)).source === engine)
  })
}

test('osrm: places far from every known road are not moved to the edge of its map', async (t) => {
  const { travel } = await startEngine(t, 'osrm', (_, response) => {
    const zeros = places.map(() => places.map(() => 0))
    const faraway = places.map(() => ({ distance: 1_300_000, name: 'Berlin', location: [13.4, 52.5] }))
    response.end(
      JSON.stringify({ code: 'Ok', durations: zeros, distances: zeros, sources: faraway, destinations: faraway }),
    )
  })
  const times = await travel.times(request)
  assert.deepEqual([times.isEstimate, times.seconds], [true, estimated.seconds])
})

test('osrm: a server has one profile, so walking times are requested only if there is a server for them', async (t) => {
  const one = await startEngine(t, 'osrm', roads())
  assert.match((await one.travel.times({ ...request, transport: 'foot' })).warnings.join(), /by foot/)
  assert.equal(one.receiver.requests.length, 0)
  const several = await startEngine(t, 'osrm', roads(), '/{profile}')
  assert.equal((await several.travel.times({ ...request, transport: 'foot' })).source, 'osrm')
  assert.match(several.receiver.requests[0]?.url ?? '', /^\/walking\/table\/v1\/walking\//)
})

test('valhalla: each means of transport has its costing', async (t) => {
  const { travel, receiver } = await startEngine(t, 'valhalla', roads())
  for (const transport of ['foot', 'bicycle', 'motorcycle', 'car', 'truck'] as const)
    await travel.times({ ...request, transport })
  assert.deepEqual(
    receiver.requests.map(({ body }) => (body as { costing: string }).costing),
    ['pedestrian', 'bicycle', 'motorcycle', 'auto', 'truck'],
  )
})

test('without an engine every time is an estimate and says so', async () => {
  const outside = createOutside(enginePolicy)
  const travel = createTravel(outside, { engine: 'estimate', url: '' })
  const times = await travel.times(request)
  assert.deepEqual([times.source, times.isEstimate, times.warnings], ['estimate', true, []])
  assert.equal((await travel.times({ ...request, places: [] })).seconds.length, 0)
  await assert.rejects(travel.times({ ...request, places: [{ lat: 44, lng: Number.NaN }] }), RangeError)
  await assert.rejects(travel.times({ ...request, places: [{ lat: 261, lng: 44 }] }), RangeError)
  await outside.close()
})

test('more places than an engine can be asked for are estimated', async (t) => {
  const { travel, receiver } = await startEngine(t, 'osrm', roads())
  const many = Array.from({ length: 501 }, (_, index) => ({ lat: 40 + index / 100, lng: 26 }))
  assert.match((await travel.times({ ...request, places: many })).warnings.join(), /at most 500 places/)
  assert.equal(receiver.requests.length, 0)
})

test('trips are cached for a day, and only a limited number of them', () => {
  let now = 0
  const cache = createWayCache(10, undefined, () => now)
  cache.set('A', 'B', pack(63, 40_000_000))
  const found = cache.get('A', 'B') as number
  assert.deepEqual([secondsIn(found), metresIn(found)], [63, 40_000_000])
  for (let index = 0; index < 4; index += 1) cache.set('A', `C${index}`, index)
  for (let index = 0; index < 4; index += 1) cache.set('A', `D${index}`, index)
  assert.equal(cache.get('A', 'B'), found, 'what is used stays')
  for (let index = 0; index < 12; index += 1) cache.set('A', `E${index}`, index)
  assert.equal(cache.get('A', 'C0'), undefined)
  now = 25 * 3_600_000
  assert.equal(cache.get('A', 'E11'), undefined)
})

test('at first everything is requested, for a new place only its row and column, and nothing if all is known', () => {
  assert.deepEqual(
    missingParts(2, () => false),
    [{ from: [0, 1], to: [0, 1] }],
  )
  assert.deepEqual(
    missingParts(3, () => true),
    [],
  )
  assert.deepEqual(
    missingParts(3, (from, to) => from < 2 && to < 2),
    [
      { from: [2], to: [0, 1, 2] },
      { from: [0, 1], to: [2] },
    ],
  )
  assert.deepEqual(
    missingParts(3, (from, to) => !(from === 0 && to === 2)),
    [{ from: [0], to: [2] }],
  )
})
