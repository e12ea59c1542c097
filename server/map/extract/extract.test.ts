import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { drawTown, type ExtractOptions, openExtractFile, type Things, writeExtract } from '../../test/extract.ts'
import { photo } from '../../test/pictures.ts'
import type { Maker, OsmArea, OsmNode, OsmRelation, OsmWay } from './elements.ts'
import { openExtract } from './extract.ts'
import { UnreadableExtract } from './unreadable.ts'

async function makeFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-extract-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Remembers everything, and in which order it came. */
function createListener() {
  const heard = { nodes: [] as OsmNode[], ways: [] as OsmWay[], areas: [] as OsmArea[], relations: [] as OsmRelation[] }
  const order: string[] = []
  const keep = <Thing extends { id: number }>(letter: string, list: Thing[]) =>
    function hear(thing: Thing) {
      order.push(`${letter}${thing.id}`)
      list.push(thing)
    }
  const maker: Maker<void> = {
    node: keep('n', heard.nodes),
    way: keep('w', heard.ways),
    area: keep('a', heard.areas),
    relation: keep('r', heard.relations),
    finish: async () => {},
    dispose: async () => {},
  }
  return { ...heard, order, maker }
}

async function read(path: string, folder: string) {
  const extract = await openExtract(path)
  try {
    const heard = createListener()
    const result = await extract.read([heard.maker], { folder })
    return { ...heard, ...result, date: extract.date }
  } finally {
    await extract.close()
  }
}

async function readTown(t: TestContext, draw: (town: ReturnType<typeof drawTown>) => void, options?: ExtractOptions) {
  const folder = await makeFolder(t)
  const town = drawTown()
  draw(town)
  return read(await town.write(join(folder, 'town.osm.pbf'), options), folder)
}

async function readThings(t: TestContext, things: Things, options?: ExtractOptions) {
  const folder = await makeFolder(t)
  return read(await writeExtract(join(folder, 'things.osm.pbf'), things, options), folder)
}

for (const options of [
  {},
  { nodes: 'plain' },
  { compression: 'zstd' },
  { compression: 'none' },
  { perBlock: 1 },
] satisfies ExtractOptions[])
  test(`streets, houses and parks come out as they were drawn, with ${JSON.stringify(options)}`, async (t) => {
    const date = new Date('2026-11-01T20:21:22Z')
    const bounds = [21.1, 45.6, 21.3, 45.8] as [number, number, number, number]
    const town = await readTown(
      t,
      (town) => {
        town.street('Strada Șoimilor', [
          [45.75, 21.2],
          [45.751, 21.201],
          [45.752, 21.2],
        ])
        town.house('Strada Șoimilor', '7A', [45.7505, 21.2007])
        const shore = town.ring([
          [45.7, 21.2],
          [45.7, 21.21],
          [45.71, 21.21],
        ])
        town.relation({ type: 'multipolygon', natural: 'water' }, [{ type: 'way', id: shore, role: 'outer' }])
        town.relation({ type: 'route', ref: '33' }, [{ type: 'way', id: 1 }])
      },
      { ...options, bounds, date },
    )
    assert.deepEqual(town.order, ['n4', 'w1', 'w2', 'a1', 'r1', 'r2'])
    assert.deepEqual(town.nodes, [
      { id: 4, tags: { 'addr:street': 'Strada Șoimilor', 'addr:housenumber': '7A' }, lat: 45.7505, lng: 21.2007 },
    ])
    assert.deepEqual(town.ways[0], {
      id: 1,
      tags: { highway: 'residential', name: 'Strada Șoimilor' },
      nodeIds: [1, 2, 3],
      points: Float64Array.of(21.2, 45.75, 21.201, 45.751, 21.2, 45.752),
    })
    assert.deepEqual(town.areas[0]?.polygons, [
      { outer: Float64Array.of(21.2, 45.7, 21.21, 45.7, 21.21, 45.71, 21.2, 45.7), inner: [] },
    ])
    assert.deepEqual(town.relations[1]?.members, [{ type: 'way', id: 1, role: '' }])
    assert.deepEqual([town.nodes.length, town.date, town.incompleteAreas], [1, date, 0])
    for (const [index, side] of bounds.entries()) assert.ok(Math.abs((town.bounds[index] as number) - side) < 1e-7)
  })

const square = (lat: number, lng: number, side: number) =>
  [
    [lat, lng],
    [lat, lng + side],
    [lat + side, lng + side],
    [lat + side, lng],
  ] as [number, number][]

test('a lake of several shores, with an island that has a pond, is one area', async (t) => {
  const { areas, incompleteAreas } = await readTown(t, (town) => {
    const [a, b, c, d] = square(45, 21, 0.4) as [Corner, Corner, Corner, Corner]
    // Drawn in all directions, as people do.
    const shores = [town.way([a, b]), town.way([d, c, b]), town.way([a, d])]
    const island = town.ring(square(45.1, 21.1, 0.2))
    const pond = town.ring(square(45.15, 21.15, 0.1))
    town.relation(
      { type: 'multipolygon', natural: 'water', name: 'Lacul' },
      [...shores, island, pond].map((id) => ({ type: 'way', id, role: 'outer' })),
    )
  })
  assert.equal(incompleteAreas, 0)
  const [lake, pond, ...others] = areas[0]?.polygons ?? []
  assert.equal(others.length, 0)
  assert.deepEqual(cornersOf(lake?.outer), ['21 45', '21.4 45', '21.4 45.4', '21 45.4', '21 45'])
  assert.deepEqual(
    lake?.inner.map((ring) => ring.length / 2),
    [5],
  )
  assert.deepEqual(cornersOf(pond?.outer), ['21.15 45.15', '21.25 45.15', '21.25 45.25', '21.15 45.25', '21.15 45.15'])
})

type Corner = [lat: number, lng: number]
const cornersOf = (ring: Float64Array | undefined) =>
  Array.from({ length: (ring?.length ?? 0) / 2 }, (_, index) => `${ring?.[index * 2]} ${ring?.[index * 2 + 1]}`)

test('parks that touch at a corner stay two, and a dead end on the way spoils nothing', async (t) => {
  const { areas } = await readTown(t, (town) => {
    const [one, other] = [square(45, 21, 0.1), square(45.1, 21.1, 0.1)] as [Corner[], Corner[]]
    const ways = [
      town.way([one[0], one[1], one[2]] as Corner[]),
      town.way([one[1], [45, 21.2]] as Corner[]),
      town.way([one[2], one[3], one[0]] as Corner[]),
      town.way([other[2], other[3], other[0]] as Corner[]),
      town.way([other[0], other[1], other[2]] as Corner[]),
    ]
    town.relation(
      { type: 'multipolygon', leisure: 'park' },
      ways.map((id) => ({ type: 'way', id })),
    )
  })
  assert.deepEqual(
    areas[0]?.polygons.map(({ outer, inner }) => [outer.length / 2, inner.length]),
    [
      [5, 0],
      [5, 0],
    ],
  )
})

test('where the extract ends, lines end too, and an area that is not complete is left out', async (t) => {
  const near = { id: 1, lat: 45, lng: 21 }
  const [east, north] = [
    { id: 2, lat: 45, lng: 22 },
    { id: 3, lat: 46, lng: 22 },
  ]
  const { ways, areas, relations, incompleteAreas } = await readThings(t, {
    nodes: [near, east, north],
    ways: [
      { id: 1, nodeIds: [1, 2, 77, 3], tags: { highway: 'residential' } },
      { id: 2, nodeIds: [77, 78, 1], tags: { highway: 'residential' } },
      { id: 3, nodeIds: [1, 2, 3, 1] },
    ],
    relations: [
      { id: 1, tags: { type: 'boundary' }, members: [1, 4].map((id) => ({ type: 'way', id })) },
      { id: 2, tags: { type: 'multipolygon' }, members: [3, 5].map((id) => ({ type: 'way', id })) },
    ],
  })
  assert.deepEqual(
    ways.map(({ id, nodeIds }) => [id, nodeIds]),
    [
      [1, [1, 2, 3]],
      [3, [1, 2, 3, 1]],
    ],
  )
  assert.deepEqual([areas.map(({ id }) => id), relations.map(({ id }) => id), incompleteAreas], [[2], [1, 2], 2])
})

test('what merged extracts have twice is taken once', async (t) => {
  const node = { id: 1, lat: 45, lng: 21, tags: { place: 'town' } }
  const way = { id: 1, nodeIds: [1, 2] }
  const { nodes, ways, nodeCount } = await readThings(t, {
    nodes: [node, node, { id: 2, lat: 45, lng: 22 }],
    ways: [way, way],
  })
  assert.deepEqual([nodes.length, ways.length, nodeCount], [1, 1, 2])
})

test('ids far apart and more nodes than fit on a page are found again', async (t) => {
  const ids = [1, 2, 5_000_000_000, 5_000_000_001, 12_000_000_000]
  const many = Array.from({ length: 150_000 }, (_, index) => 20_000_000_000 + index * 3)
  const nodes = [...ids, ...many].map((id) => ({ id, lat: (id % 1000) / 100, lng: (id % 777) / 100 }))
  const nodeIds = [...ids, ...many.filter((_, index) => index % 1000 === 0)].reverse()
  const { ways } = await readThings(t, { nodes, ways: [{ id: 1, nodeIds }] })
  assert.deepEqual(ways[0]?.nodeIds, nodeIds)
  assert.deepEqual(
    [...(ways[0]?.points ?? [])],
    nodeIds.flatMap((id) => [(id % 777) / 100, (id % 1000) / 100]),
  )
})

const corners = [
  { id: 1, lat: 45, lng: 21 },
  { id: 2, lat: 45, lng: 22 },
]
const someStreet = { id: 1, nodeIds: [1, 2], tags: { highway: 'residential' } }
const small: Things = { nodes: corners, ways: [someStreet], relations: [{ id: 1, members: [] }] }

/** Files that are not what is needed, and what is said about them. */
const refused: Record<string, [write: (path: string) => Promise<unknown>, says: RegExp]> = {
  'an empty file': [(path) => writeFile(path, ''), /is empty: download it again$/],
  'a picture': [
    (path) => writeFile(path, photo),
    /is a picture \(JPEG\): an extract of OpenStreetMap in the format PBF/,
  ],
  'an extract in XML': [
    (path) => writeFile(path, '\ufeff<?xml version="1.0"?>\n<osm version="0.6"/>'),
    /is an OpenStreetMap file in XML \(\.osm\): .* a file that ends in \.osm\.pbf$/,
  ],
  'an extract in bzip2': [(path) => writeFile(path, 'BZh91AY&SY'), /is packed with bzip2/],
  'the page of a download that failed': [(path) => writeFile(path, '\n<!DOCTYPE html>'), /the download did not work/],
  'any other file': [(path) => writeFile(path, Buffer.alloc(10_000, 'none of these. ')), /is something else/],
  'a folder': [(path) => mkdir(path), /is a folder: name the \.osm\.pbf file in it$/],
  'an extract with nothing in it': [(path) => writeExtract(path, {}), /^The file has no nodes/],
  'an extract without nodes': [(path) => writeExtract(path, { ways: [someStreet] }), /^The file has no nodes/],
  'the history of an area': [
    (path) => writeExtract(path, small, { requiredFeatures: ['OsmSchema-V0.6', 'HistoricalInformation'] }),
    /^The file has the history of OpenStreetMap/,
  ],
  'a format of the future': [
    (path) => writeExtract(path, small, { requiredFeatures: ['OsmSchema-V0.7'] }),
    /cannot read \(OsmSchema-V0\.7\)/,
  ],
  'ways before nodes': [
    async (path) => {
      const file = await openExtractFile(path)
      await file.nodes(corners.slice(0, 1))
      await file.ways([someStreet])
      await file.nodes(corners.slice(1))
      await file.close()
    },
    /^The file is not sorted \(nodes come after ways\): sort it with "osmium sort/,
  ],
  'nodes in any order': [
    (path) => writeExtract(path, { ...small, nodes: corners.toReversed() }),
    /^The file is not sorted \(nodes come after nodes with larger ids\)/,
  ],
  'nodes beyond the pole': [
    (path) => writeExtract(path, { ...small, nodes: [{ id: 1, lat: 91, lng: 21 }] }),
    /^The file is damaged \(the part at byte \d+\): .*download it again$/,
  ],
}

for (const [what, [write, says]] of Object.entries(refused))
  test(`${what} is refused with a sentence of its own`, async (t) => {
    const folder = await makeFolder(t)
    const path = join(folder, 'given.osm.pbf')
    await write(path)
    await assert.rejects(read(path, folder), (error) => error instanceof UnreadableExtract && says.test(error.message))
  })

test('wherever a download was cut off, that is said', async (t) => {
  const folder = await makeFolder(t)
  const path = await writeExtract(join(folder, 'whole.osm.pbf'), small, { perBlock: 1 })
  const whole = await readFile(path)
  // Where it ends between two blocks, a part of the extract is missing, but nothing says so.
  let complete = 0
  for (let length = 1; length < whole.length; length += 1) {
    await writeFile(path, whole.subarray(0, length))
    const said = await read(path, folder).then(
      () => 'nothing',
      (error) => (error instanceof UnreadableExtract ? error.message : assert.fail(error)),
    )
    if (said === 'nothing') complete += 1
    else assert.match(said, /cut off; download it again$|no nodes|is something else/, `${length} bytes`)
  }
  assert.ok(complete <= 4)
})

test('whichever byte is broken, it is noticed, or harmless', async (t) => {
  const folder = await makeFolder(t)
  const path = await writeExtract(join(folder, 'whole.osm.pbf'), small, { perBlock: 1 })
  for (const compression of ['zlib', 'none'] as const) {
    await writeExtract(path, small, { perBlock: 1, compression })
    const whole = await readFile(path)
    let noticed = 0
    for (let at = 0; at < whole.length; at += 1) {
      const broken = Buffer.from(whole)
      broken[at] = (broken[at] as number) ^ (1 << (at % 8))
      await writeFile(path, broken)
      await read(path, folder).catch((error) => {
        assert.ok(error instanceof UnreadableExtract, `byte ${at}: ${error.stack}`)
        noticed += 1
      })
    }
    // Without compression nothing says which digits are right.
    assert.ok(
      noticed > whole.length * (compression === 'zlib' ? 0.7 : 0.3),
      `${noticed} of ${whole.length} (${compression})`,
    )
  }
})
