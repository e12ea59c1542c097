import type { OsmArea, OsmNode, OsmWay, Tags } from '../extract/elements.ts'
import { describeBorder } from './borders.ts'
import { describeAddress, describeBuilding } from './buildings.ts'
import { describeLand } from './land.ts'
import { type Described, lastZoom } from './layers.ts'
import { describeLandmark, describePlace } from './places.ts'
import { describeRoad } from './roads.ts'
import { boxOf, geometries, type Shape } from './shapes.ts'
import { describeWater, describeWaterway } from './water.ts'
import { isClosed, type Path, pointInside, signedArea, stride, toPath, unitAt } from './world.ts'

export function shapesOfNode({ tags, lng, lat }: OsmNode): Shape[] {
  const said = [describePlace(tags), describeLandmark(tags), describeAddress(tags)].filter(
    (found) => found !== undefined,
  )
  if (said.length === 0) return []
  const path = toPath([lng, lat])
  return path ? said.map((described) => shape(described, geometries.point, [path])) : []
}

export function shapesOfWay({ tags, points }: OsmWay): Shape[] {
  const road = describeRoad(tags)
  const lines = [road, describeWaterway(tags), describeBorder(tags)].filter((found) => found !== undefined)
  const first = points.length - 2
  const mayBeArea =
    first >= 6 && points[0] === points[first] && points[1] === points[first + 1] && tags['area'] !== 'no'
  const isWanted = lines.length > 0 || (mayBeArea && isAreaWanted(tags))
  const path = isWanted ? toPath(points) : undefined
  if (!path || path.length < 2 * stride) return []
  const shapes = lines.map((described) => shape(described, geometries.line, [path]))
  if (road?.isReversed && shapes[0]) shapes[0].paths = [backwards(path)]
  return mayBeArea && isClosed(path) ? [...shapes, ...shapesOfPolygon(tags, [path])] : shapes
}

export function shapesOfArea({ tags, polygons }: OsmArea): Shape[] {
  if (!isAreaWanted(tags)) return []
  const shapes: Shape[] = []
  const largest = { area: 0, rings: [] as Path[] }
  for (const { outer, inner } of polygons) {
    const rings = [outer, ...inner].map((ring) => toPath(ring))
    const hull = rings[0]
    if (!hull || !isClosed(hull) || hull.length < 4 * stride) continue
    const holes = rings.slice(1).filter((ring): ring is Path => ring !== undefined && ring.length >= 4 * stride)
    shapes.push(...polygonsOf(tags, [hull, ...holes]))
    const area = Math.abs(signedArea(hull))
    if (area > largest.area) Object.assign(largest, { area, rings: [hull, ...holes] })
  }
  return largest.area > 0 ? [...shapes, ...namesOf(tags, largest.rings)] : shapes
}

const areas = [describeWater, describeLand, describeBuilding]
const namesOfAreas = [describePlaceOfArea, describeLandmark, describeAddress]

const isAreaWanted = (tags: Tags) => [...areas, ...namesOfAreas].some((describe) => describe(tags) !== undefined)

/** Towns are areas too, and have a point besides; quarters often have only one of the two. */
function describePlaceOfArea(tags: Tags): Described | undefined {
  const described = describePlace(tags)
  return described && described.minZoom >= 11 && tags['boundary'] !== 'administrative' ? described : undefined
}

const shapesOfPolygon = (tags: Tags, rings: Path[]): Shape[] => [...polygonsOf(tags, rings), ...namesOf(tags, rings)]

function polygonsOf(tags: Tags, rings: Path[]): Shape[] {
  const found = areas.map((describe) => describe(tags)).filter((described) => described !== undefined)
  if (found.length === 0) return []
  const size = Math.abs(signedArea(rings[0] as Path))
  return found.map((described) => {
    const minZoom = Math.max(described.minZoom, zoomForArea(size))
    return shape({ ...described, minZoom }, geometries.polygon, rings)
  })
}

function namesOf(tags: Tags, rings: Path[]): Shape[] {
  const found = namesOfAreas.map((describe) => describe(tags)).filter((described) => described !== undefined)
  const hull = rings[0] as Path
  const water = tags['name'] ? describeWater(tags) : undefined
  if (water) {
    // A name needs more room than what it names.
    const minZoom = Math.min(lastZoom, Math.max(8, zoomForArea(Math.abs(signedArea(hull)) / 200)))
    const { kind } = water.properties
    found.push({
      layer: 'water',
      minZoom,
      properties: { kind: kind as string, name: tags['name'] as string, min_zoom: minZoom },
    })
  }
  if (found.length === 0) return []
  const point = [...pointInside(rings), 0]
  return found.map((described) => shape(described, geometries.point, [point]))
}

/** Smaller areas are not drawn, in pixels of a screen where a tile is 512 wide. At the last zoom there is everything. */
const smallestPixels = 4

function zoomForArea(area: number): number {
  for (let zoom = 0; zoom < lastZoom; zoom++) {
    // A tile of 512 pixels has 4096 units.
    const pixel = unitAt(zoom) * 8
    if (area >= smallestPixels * pixel * pixel) return zoom
  }
  return lastZoom
}

function shape({ layer, minZoom, properties }: Described, geometry: Shape['geometry'], paths: Path[]): Shape {
  return { layer, geometry, minZoom, says: JSON.stringify(properties), paths, ...boxOf(paths) }
}

function backwards(path: Path): Path {
  const turned: Path = []
  for (let at = path.length - stride; at >= 0; at -= stride)
    turned.push(path[at] as number, path[at + 1] as number, path[at + 2] as number)
  return turned
}
