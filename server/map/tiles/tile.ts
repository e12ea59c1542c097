import { fromVectorTileJs } from '@maplibre/vt-pbf'
import { boxOfCell, type Cell } from './clip.ts'
import { joinLines } from './join.ts'
import { type LayerName, lastZoom, layers, type Properties } from './layers.ts'
import { roadAt } from './roads.ts'
import { geometries, type Shape } from './shapes.ts'
import { type Line, simplify } from './simplify.ts'
import { waterAt } from './water.ts'
import { extentAt, type Path, stride, unitAt } from './world.ts'

/** What a feature of a vector tile is written from. */
interface Feature {
  type: number
  properties: Properties
  /** Lines, rings, or a point. */
  parts: Line[]
}

/** The vector tile of a cell, undefined if it would be empty. */
export function makeTile(cell: Cell, shapes: readonly Shape[]): Uint8Array | undefined {
  const found: Record<string, object> = {}
  for (const name of layers) {
    const features = featuresOf(cell, name, shapes)
    if (features.length > 0) found[name] = asLayer(name, extentAt(cell.z), features)
  }
  if (Object.keys(found).length === 0) return undefined
  return fromVectorTileJs({ layers: found } as unknown as Parameters<typeof fromVectorTileJs>[0])
}

/** As the encoder wants to read it: like a tile that was decoded. */
const asLayer = (name: LayerName, extent: number, features: readonly Feature[]) => ({
  version: 2,
  name,
  extent,
  length: features.length,
  feature: (index: number) => {
    const { type, properties, parts } = features[index] as Feature
    return { id: undefined, extent, type, properties, loadGeometry: () => parts.map(asPoints) }
  },
})

function asPoints(part: Line): { x: number; y: number }[] {
  const points = []
  for (let at = 0; at < part.length; at += 2) points.push({ x: part[at] as number, y: part[at + 1] as number })
  return points
}

function featuresOf(cell: Cell, layer: LayerName, shapes: readonly Shape[]): Feature[] {
  const { left, top } = boxOfCell(cell)
  const unit = unitAt(cell.z)
  const alike = new Map<string, Feature>()
  const features: Feature[] = []
  const places = new Set<string>()
  for (const shape of shapes) {
    if (shape.layer !== layer || shape.minZoom > cell.z) continue
    const { says, properties } = read(shape, cell.z)
    if (shape.geometry === geometries.point) {
      const x = Math.floor((shape.left - left) / unit)
      const y = Math.floor((shape.top - top) / unit)
      if (isRepeated(places, layer, properties, x, y)) continue
      features.push({ type: shape.geometry, properties, parts: [[x, y]] })
      continue
    }
    const parts =
      shape.geometry === geometries.line ? toLines(shape, cell, left, top, unit) : toRings(shape, cell, left, top, unit)
    if (parts.length === 0) continue
    const key = `${shape.geometry}${says}`
    const same = alike.get(key)
    if (same) for (const part of parts) same.parts.push(part)
    else {
      const feature = { type: shape.geometry, properties, parts }
      alike.set(key, feature)
      features.push(feature)
    }
  }
  for (const feature of features) if (feature.type === geometries.line) feature.parts = tidied(feature, cell.z)
  const order = orders[layer]
  return order ? features.sort((one, other) => order(one.properties) - order(other.properties)) : features
}

/** Joined lines have lost the ends that had to stay, so they can do with fewer points; those of the last zoom keep all. */
function tidied({ parts, properties }: Feature, zoom: number): Line[] {
  const joined = joinLines(parts, properties['oneway'] !== undefined)
  return zoom === lastZoom ? joined : joined.map((line) => simplify(line, 2))
}

/** The same number twice at one door (a building and its entrance), or a place drawn both as a point and as an area. */
function isRepeated(seen: Set<string>, layer: LayerName, properties: Properties, x: number, y: number): boolean {
  const near = layer === 'buildings' ? 64 : layer === 'places' ? 4096 : undefined
  if (near === undefined) return false
  const name = properties['addr_housenumber'] ?? `${properties['kind']} ${properties['name']}`
  const across = Math.floor(x / near)
  const down = Math.floor(y / near)
  for (const right of [-1, 0, 1])
    for (const below of [-1, 0, 1]) if (seen.has(`${across + right} ${down + below} ${name}`)) return true
  seen.add(`${across} ${down} ${name}`)
  return false
}

/** Roads that matter more are drawn over others, bridges over all, tunnels under; names that matter more come first. */
const orders: Partial<Record<LayerName, (properties: Properties) => number>> = {
  roads: ({ sort_rank, is_bridge, is_tunnel }) => Number(sort_rank) + (is_bridge ? 1000 : 0) - (is_tunnel ? 1000 : 0),
  places: ({ sort_key }) => Number(sort_key),
}

/** Properties are read again and again, in every tile: most are the same. */
const known = Array.from({ length: lastZoom + 1 }, () => new Map<string, { says: string; properties: Properties }>())
const mostKnown = 5_000

function read({ layer, says }: Shape, zoom: number): { says: string; properties: Properties } {
  const cache = known[zoom] as Map<string, { says: string; properties: Properties }>
  let found = cache.get(says)
  if (!found) {
    const all: Properties = JSON.parse(says)
    const properties = layer === 'roads' ? roadAt(zoom, all) : layer === 'water' ? waterAt(zoom, all) : all
    found = { says: properties === all ? says : JSON.stringify(properties), properties }
    if (cache.size >= mostKnown) cache.clear()
    cache.set(says, found)
  }
  return found
}

function toLines(shape: Shape, { z }: Cell, left: number, top: number, unit: number): Line[] {
  return shape.paths.map((path) => toTile(path, z, left, top, unit)).filter((line) => line.length > 2)
}

/** Outer rings run clockwise on the screen, holes the other way round. What has shrunk to a line or less is left out. */
function toRings(shape: Shape, { z }: Cell, left: number, top: number, unit: number): Line[] {
  const rings: Line[] = []
  for (const [index, path] of shape.paths.entries()) {
    const ring = toTile(path, z, left, top, unit)
    const area = ring.length < 8 ? 0 : areaOf(ring)
    if (area === 0) {
      if (index === 0) return []
      continue
    }
    rings.push(area > 0 === (index === 0) ? ring : turned(ring))
  }
  return rings
}

function toTile(path: Path, zoom: number, left: number, top: number, unit: number): Line {
  const line: Line = []
  let lastX = Number.NaN
  let lastY = Number.NaN
  for (let at = 0; at < path.length; at += stride) {
    if ((path[at + 2] as number) > zoom) continue
    const x = Math.round(((path[at] as number) - left) / unit)
    const y = Math.round(((path[at + 1] as number) - top) / unit)
    if (x === lastX && y === lastY) continue
    line.push(x, y)
    lastX = x
    lastY = y
  }
  return line
}

function areaOf(ring: Line): number {
  let area = 0
  for (let at = 0; at + 2 < ring.length; at += 2)
    area += (ring[at] as number) * (ring[at + 3] as number) - (ring[at + 2] as number) * (ring[at + 1] as number)
  return area
}

function turned(ring: Line): Line {
  const other: Line = []
  for (let at = ring.length - 2; at >= 0; at -= 2) other.push(ring[at] as number, ring[at + 1] as number)
  return other
}
