import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readTiles, type SeenFeature, tileAt } from '../../test/tiles.ts'
import type { OsmArea, OsmNode, OsmWay, Tags } from '../extract/elements.ts'
import { createTileMaker, type Options } from './maker.ts'

type Place = readonly [lng: number, lat: number]

/** The middle of the small town of these tests, away from the edges of tiles. */
const middle: Place = [21.2271, 45.7537]
/** So many degrees are about a metre, to the east and to the north. */
const metre = { lng: 1.29e-5, lat: 0.9e-5 }
const away = (east: number, north: number, [lng, lat] = middle): Place => [
  lng + east * metre.lng,
  lat + north * metre.lat,
]

let lastId = 0
const node = (tags: Tags, [lng, lat]: Place = middle): OsmNode => ({ id: ++lastId, tags, lng, lat })
const way = (tags: Tags, ...places: Place[]): OsmWay => ({
  id: ++lastId,
  tags,
  nodeIds: places.map(([lng, lat]) => Math.round(lng * 1e7) * 2e6 + Math.round(lat * 1e4)),
  points: Float64Array.from(places.flat()),
})
const square = (metres: number, centre: Place = middle): Place[] => {
  const half = metres / 2
  const corners = [
    away(-half, half, centre),
    away(half, half, centre),
    away(half, -half, centre),
    away(-half, -half, centre),
  ]
  return [...corners, corners[0] as Place]
}
const area = (tags: Tags, outer: Place[], ...inner: Place[][]): OsmArea => ({
  id: ++lastId,
  tags,
  polygons: [{ outer: Float64Array.from(outer.flat()), inner: inner.map((ring) => Float64Array.from(ring.flat())) }],
})
const street = (name: string, tags: Tags = {}) =>
  way({ highway: 'residential', name, ...tags }, away(-200, 0), away(0, 0), away(200, 0))

interface Things {
  nodes?: OsmNode[]
  ways?: OsmWay[]
  areas?: OsmArea[]
}

async function makeFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-tiles-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function draw(t: TestContext, { nodes = [], ways = [], areas = [] }: Things, options?: Options) {
  const folder = await makeFolder(t)
  const maker = createTileMaker(folder, options)
  try {
    for (const node of nodes) await maker.node?.(node)
    for (const way of ways) await maker.way?.(way)
    for (const area of areas) await maker.area?.(area)
    const made = await maker.finish()
    return { made, folder, map: readTiles(made.path) }
  } finally {
    await maker.dispose()
  }
}

type Map = ReturnType<typeof readTiles>

/** The zooms at which a layer has it around a place. */
async function zoomsOf(map: Map, layer: string, is: (feature: SeenFeature) => boolean, place: Place = middle) {
  const zooms: number[] = []
  for (let zoom = 0; zoom <= 14; zoom++) if ((await map.at(zoom, ...place, layer)).some(is)) zooms.push(zoom)
  return zooms
}
const kindIs =
  (kind: string, detail?: string) =>
  ({ properties }: SeenFeature) =>
    properties['kind'] === kind && (detail === undefined || properties['kind_detail'] === detail)

test('a street has its name with all its letters', async (t) => {
  const { map } = await draw(t, { ways: [street('Strada Șoimilor și Țarinei „Ăâî”')] })

  const [road] = await map.at(14, ...middle, 'roads')
  assert.equal(road?.properties['name'], 'Strada Șoimilor și Țarinei „Ăâî”')
  assert.equal(road?.properties['kind'], 'minor_road')
})

test('roads appear zoom by zoom, the important ones first', async (t) => {
  const classes = {
    motorway: 4,
    trunk: 6,
    primary: 7,
    secondary: 9,
    tertiary: 10,
    residential: 12,
    service: 13,
    footway: 13,
  }
  const ways = Object.keys(classes).map((highway) => way({ highway }, away(-200, 0), away(200, 0)))
  const { map } = await draw(t, { ways })

  for (const [highway, first] of Object.entries(classes)) {
    const zooms = await zoomsOf(map, 'roads', ({ properties }) => properties['kind_detail'] === highway)
    assert.equal(zooms[0], first, highway)
    assert.equal(zooms.length, 15 - first, `${highway} stays`)
  }
})

test('what is more important is drawn over the rest, and bridges over everything', async (t) => {
  const ways = ['motorway', 'footway', 'residential', 'primary'].map((highway) =>
    way({ highway }, away(-200, 0), away(200, 0)),
  )
  ways.push(way({ highway: 'footway', bridge: 'yes' }, away(0, -50), away(0, 50)))
  ways.push(way({ highway: 'trunk', tunnel: 'yes' }, away(50, -50), away(50, 50)))
  const { map } = await draw(t, { ways })

  const roads = await map.at(14, ...middle, 'roads')
  assert.deepEqual(
    roads.map(({ properties }) => properties['kind_detail']),
    ['trunk', 'footway', 'residential', 'primary', 'motorway', 'footway'],
  )
})

test('a one-way street runs in its direction, also if it was drawn the other way', async (t) => {
  const there = way({ highway: 'residential', name: 'A', oneway: 'yes' }, away(-200, 0), away(200, 0))
  const back = way({ highway: 'residential', name: 'B', oneway: '-1' }, away(-200, 30), away(200, 30))
  const both = way({ highway: 'residential', name: 'C', oneway: 'no' }, away(-200, 60), away(200, 60))
  const { map } = await draw(t, { ways: [there, back, both] })

  const seen = (await map.at(14, ...middle, 'roads')).map(({ properties: { name, oneway }, points: [line] }) => ({
    name,
    oneway,
    isEastward: (line?.[0]?.x ?? 0) < (line?.at(-1)?.x ?? 0),
  }))
  assert.deepEqual(
    seen.toSorted((one, other) => String(one.name).localeCompare(String(other.name))),
    [
      { name: 'A', oneway: 'yes', isEastward: true },
      { name: 'B', oneway: 'yes', isEastward: false },
      { name: 'C', oneway: undefined, isEastward: true },
    ],
  )
})

test('the pieces of a street are one line with one name', async (t) => {
  const piece = (from: number, to: number) =>
    way({ highway: 'residential', name: 'Strada Lungă' }, away(from, 0), away(to, 0))
  const { map } = await draw(t, { ways: [piece(-100, 0), piece(100, 0), piece(100, 200)] })

  const roads = await map.at(14, ...middle, 'roads')
  assert.equal(roads.length, 1)
  assert.equal(roads[0]?.points.length, 1)
})

test('house numbers stand at their doors and in their buildings, close up only', async (t) => {
  const nodes = [node({ 'addr:housenumber': '7A', 'addr:street': 'Strada Șoimilor' }, away(10, 20))]
  const ways = [
    street('Strada Șoimilor'),
    way({ building: 'house', 'addr:housenumber': '12' }, ...square(15, away(60, 20))),
  ]
  const { map } = await draw(t, { nodes, ways })

  const numbers = (await map.at(14, ...middle, 'buildings')).filter(kindIs('address'))
  assert.deepEqual(numbers.map(({ properties }) => properties['addr_housenumber']).toSorted(), ['12', '7A'])
  const twelve = numbers.find(({ properties }) => properties['addr_housenumber'] === '12') as SeenFeature
  const [lng, lat] = twelve.geometry.coordinates as Place
  const [toLng, toLat] = away(60, 20)
  assert.ok(Math.abs(lng - toLng) < metre.lng && Math.abs(lat - toLat) < metre.lat)
  assert.deepEqual(await zoomsOf(map, 'buildings', kindIs('address')), [14])
})

test('a door and its building with the same number show it once', async (t) => {
  const nodes = [node({ 'addr:housenumber': '12' }, away(5, 20)), node({ 'addr:housenumber': '12' }, away(300, 20))]
  const ways = [street('A'), way({ building: 'house', 'addr:housenumber': '12' }, ...square(15, away(0, 20)))]
  const { map } = await draw(t, { nodes, ways })

  assert.equal((await map.at(14, ...middle, 'buildings')).filter(kindIs('address')).length, 2)
})

test('a lake keeps its island, and stands there with its name', async (t) => {
  const lake = area({ natural: 'water', water: 'lake', name: 'Lacul Roșu' }, square(800), square(200))
  const { map } = await draw(t, { ways: [street('A')], areas: [lake] })

  const water = await map.at(14, ...middle, 'water')
  const polygon = water.find(({ geometry }) => geometry.type === 'Polygon') as SeenFeature
  assert.equal((polygon.geometry.coordinates as unknown[]).length, 2, 'an outer ring and a hole')
  assert.equal(polygon.properties['kind'], 'lake')
  assert.equal(polygon.properties['name'], undefined)
  const name = (await map.at(12, ...middle, 'water')).find(({ geometry }) => geometry.type === 'Point')
  assert.equal(name?.properties['name'], 'Lacul Roșu')
  assert.ok(covers(polygon.geometry, name?.geometry.coordinates as Place), 'not on the island')
})

test('an area with two parts has both, each with its own hole', async (t) => {
  const [one, other] = [away(-150, 0), away(150, 0)]
  const parts = [
    area({ landuse: 'forest' }, square(200, one), square(50, one)),
    area({}, square(200, other), square(50, other)),
  ]
  const forest = { ...(parts[0] as OsmArea), polygons: parts.flatMap(({ polygons }) => polygons) }
  const { map } = await draw(t, { ways: [street('A')], areas: [forest] })

  const [seen] = (await map.at(14, ...middle, 'landuse')).filter(kindIs('forest'))
  assert.equal(seen?.geometry.type, 'MultiPolygon')
  assert.deepEqual(
    (seen?.geometry.coordinates as unknown[][] | undefined)?.map((polygon) => polygon.length),
    [2, 2],
  )
})

test('small things wait until there is room for them', async (t) => {
  const ways = [
    street('A'),
    way({ building: 'yes' }, ...square(8)),
    way({ building: 'yes' }, ...square(60, away(100, 100))),
    way({ leisure: 'park' }, ...square(150, away(0, -200))),
    way({ landuse: 'forest' }, ...square(9000)),
  ]
  const { map } = await draw(t, { ways })

  const buildings = async (zoom: number) =>
    (await map.at(zoom, ...middle, 'buildings')).flatMap(({ points }) => points).length
  assert.deepEqual([await buildings(12), await buildings(13), await buildings(14)], [0, 1, 2])
  assert.equal((await zoomsOf(map, 'landuse', kindIs('park')))[0], 10)
  assert.equal((await zoomsOf(map, 'landuse', kindIs('forest')))[0], 6)
})

test('towns, quarters and landmarks have names, the large ones from afar', async (t) => {
  const places: [Tags & { name: string }, string, number][] = [
    [{ place: 'city', name: 'Timișoara', population: '250 849' }, 'places', 6],
    [{ place: 'town', name: 'Lugoj' }, 'places', 8],
    [{ place: 'village', name: 'Giroc' }, 'places', 10],
    [{ place: 'suburb', name: 'Cetate' }, 'places', 11],
    [{ place: 'neighbourhood', name: 'Ronaț' }, 'places', 13],
    [{ railway: 'station', name: 'Gara de Nord' }, 'pois', 12],
  ]
  const { map } = await draw(t, { nodes: places.map(([tags]) => node(tags)), ways: [street('A')] })

  for (const [tags, layer, first] of places) {
    const zooms = await zoomsOf(map, layer, ({ properties }) => properties['name'] === tags.name)
    assert.equal(zooms[0], first, tags.name)
  }
  const [city] = await map.at(6, ...middle, 'places')
  assert.deepEqual([city?.properties['population'], city?.properties['population_rank']], [250_849, 10])
})

test('borders are lines, whichever area they belong to', async (t) => {
  const border = way({ boundary: 'administrative', admin_level: '2' }, away(-5e5, -5e5), away(0, 0), away(5e5, 5e5))
  const { map } = await draw(t, { ways: [street('A'), border] })

  assert.deepEqual(
    await zoomsOf(map, 'boundaries', kindIs('country')),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
  )
})

test('what crosses edges of tiles goes on without a gap', async (t) => {
  // Over edges of tiles of every zoom, and of the cells in which things are kept.
  const road = way({ highway: 'motorway' }, [17, 45.3], [27, 46.3])
  const forest = way({ landuse: 'forest' }, ...square(120_000, [22, 45.8]))
  const { map } = await draw(t, { ways: [road, forest] })

  for (const zoom of [8, 11, 14]) {
    const [first, row] = tileAt(zoom, 22, 45.8)
    for (let column = first - 2; column <= first + 2; column++) {
      const found = []
      for (const at of [row - 1, row, row + 1]) found.push(...(await map.features(zoom, column, at, 'roads')))
      const lines = found.flatMap(({ points }) => points)
      const extent = zoom === 14 ? 8192 : 4096
      assert.ok(Math.min(...lines.flat().map(({ x }) => x)) < 0, `${zoom}/${column} begins before its left edge`)
      assert.ok(Math.max(...lines.flat().map(({ x }) => x)) > extent, `${zoom}/${column} ends after its right edge`)
    }
    const [inside] = (await map.at(zoom, 22, 45.8, 'landuse')).filter(kindIs('forest'))
    const xs = inside?.points.flat().map(({ x }) => x) ?? []
    if (zoom > 8) assert.ok(Math.min(...xs) < 0 && Math.max(...xs) > 4096, 'the forest fills the whole tile')
  }
})

test('a curve is as fine as a screen shows it, and not finer', async (t) => {
  const points = Array.from({ length: 721 }, (_, at) => {
    const angle = (at * Math.PI) / 360
    return away(400 * Math.cos(angle), 400 * Math.sin(angle))
  })
  const { map } = await draw(t, { ways: [way({ highway: 'primary' }, ...points)] })

  const count = async (zoom: number) =>
    (await map.at(zoom, ...middle, 'roads')).flatMap(({ points }) => points).flat().length
  const [far, near, nearest] = [await count(9), await count(13), await count(14)]
  assert.ok(far < 20 && far < near && near < nearest && nearest < 300, `${far} ${near} ${nearest}`)
})

test('the sea is on the right of the coast, around its islands, and does not flood the land', async (t) => {
  // The coast runs north and ends in the extract at both ends; the sea is in the east.
  const coast = [
    way({ natural: 'coastline' }, away(500, -900), away(450, 0)),
    way({ natural: 'coastline' }, away(450, 0), away(500, 900)),
    // An island: land on the left.
    way({ natural: 'coastline' }, ...square(100, away(800, 0)).toReversed()),
  ]
  const { map } = await draw(t, { ways: [way({ highway: 'primary' }, away(0, -1000), away(0, 1000)), ...coast] })

  const seaAt = async (place: Place) => {
    const found = (await map.at(14, ...place, 'water')).filter(kindIs('ocean'))
    return found.some(({ geometry }) => covers(geometry, place))
  }
  assert.equal(await seaAt(away(600, 0)), true, 'beside the shore')
  assert.equal(await seaAt(away(1200, 500)), true, 'further out than any road')
  assert.equal(await seaAt(away(800, 0)), false, 'the island')
  assert.equal(await seaAt(away(300, 0)), false, 'the town')
  assert.equal(await seaAt(away(-500, 0)), false, 'inland')
  assert.equal((await map.at(14, ...away(600, 0), 'earth')).length, 1)
})

test('an extract without a coast has no sea, and land all over', async (t) => {
  const { map } = await draw(t, { ways: [way({ highway: 'primary' }, away(-3000, -3000), away(3000, 3000))] })

  assert.deepEqual(await zoomsOf(map, 'water', () => true), [])
  assert.deepEqual((await zoomsOf(map, 'earth', kindIs('earth'))).length, 15)
})

test('broken things do no harm: one point, no point, a line back on itself, no width', async (t) => {
  const ways = [
    street('A'),
    way({ highway: 'residential' }, middle),
    way({ highway: 'residential' }),
    way({ highway: 'residential' }, middle, middle),
    way({ building: 'yes' }, middle, middle, middle, middle),
    way({ building: 'yes' }, away(0, 0), away(50, 0), away(0, 0), away(0, 0)),
    way({ natural: 'coastline' }, middle),
  ]
  const nodes = [
    node({ place: 'village' }),
    node({ 'addr:housenumber': ' ' }),
    node({ place: 'city', name: 'X' }, [21, 91]),
  ]
  const areas = [area({ landuse: 'forest' }, []), area({ landuse: 'forest' }, square(100), [])]
  const { map } = await draw(t, { nodes, ways, areas })

  const [road, ...others] = await map.at(14, ...middle, 'roads')
  assert.equal(road?.properties['name'], 'A')
  assert.deepEqual(others, [])
  assert.equal((await map.at(14, ...middle, 'buildings')).length, 0)
})

test('a road over the date line is drawn on both sides, and not around the world', async (t) => {
  const { map, made } = await draw(t, { ways: [way({ highway: 'motorway' }, [179.9, 0.1], [-179.9, 0.1])] })

  assert.equal((await map.at(14, 179.95, 0.1, 'roads')).length, 1)
  assert.equal((await map.at(14, -179.95, 0.1, 'roads')).length, 1)
  assert.equal((await map.at(8, 0, 0.1, 'roads')).length, 0)
  assert.ok(made.tiles < 1_000)
})

test('the same extract makes the same bytes, also where it is too dense for the memory', async (t) => {
  const town = {
    nodes: Array.from({ length: 200 }, (_, at) => node({ 'addr:housenumber': `${at}` }, away(at * 10, at * 7))),
    ways: Array.from({ length: 200 }, (_, at) =>
      way({ building: 'yes' }, ...square(20, away(at * 23, -at * 31))),
    ).concat(street('A')),
  }
  const hash = async (options?: Options) =>
    createHash('sha256')
      .update(await readFile((await draw(t, town, options)).made.path))
      .digest('hex')

  const first = await hash()
  assert.equal(await hash(), first)
  assert.equal(await hash({ mostInMemory: 1_000 }), first)
})

test('nothing of the work is left behind, and progress goes up to 1', async (t) => {
  const shares: number[] = []
  const { folder, made } = await draw(t, { ways: [street('A')] }, { progress: (share) => shares.push(share) })

  assert.deepEqual(await readdir(folder), ['map.pmtiles'])
  assert.equal((await readFile(made.path)).length, made.bytes)
  assert.equal(shares.at(-1), 1)
  assert.deepEqual(
    shares,
    shares.toSorted((one, other) => one - other),
  )
})

test('an extract with nothing to draw is refused in a sentence', async (t) => {
  await assert.rejects(draw(t, { nodes: [node({ amenity: 'cafe', name: 'Ștrand' })] }), /neither roads nor buildings/)
})

test('who stops an import need not wait for the tiles', async (t) => {
  const stop = new AbortController()
  const progress = () => stop.abort(new Error('Stopped'))

  await assert.rejects(draw(t, { ways: [street('A')] }, { signal: stop.signal, progress }), /Stopped/)
})

/** Whether a polygon has a place in it. */
function covers({ type, coordinates }: SeenFeature['geometry'], [x, y]: Place): boolean {
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as Place[][][]
  const isInside = (ring: Place[]) =>
    ring.reduce((inside, [fromX, fromY], at) => {
      const [toX, toY] = ring[(at + 1) % ring.length] as Place
      return fromY > y !== toY > y && x < fromX + ((toX - fromX) * (y - fromY)) / (toY - fromY) ? !inside : inside
    }, false)
  return polygons.some((rings) => rings.filter(isInside).length === 1)
}
