import type pg from 'pg'
import type { OsmArea, OsmNode, OsmRelation, OsmWay, Tags } from '../../extract/elements.ts'
import { micro } from './geometry.ts'
import { otherNamesOf, type Places } from './places.ts'
import { openWriter } from './stage.ts'

/* What an extract says about addresses, as it comes: into temporary tables, so that memory does not grow with the country. */

/** What has a name and a class, but no houses. */
const noStreets = new Set([
  'bus_stop',
  'platform',
  'proposed',
  'construction',
  'raceway',
  'corridor',
  'elevator',
  'razed',
  'abandoned',
])

export async function createStages(client: pg.Client) {
  await client.query(`
    create temp table found_ways (name text, other_names text[], postal_code text, lat int, lng int, line text);
    create temp table found_houses (osm text, street text, place text, city text, number text, postal_code text, lat int, lng int);
    create temp table found_rows (id bigint, position int, node_id bigint, parity text, street text, lat int, lng int);
    create temp table found_members (osm text, street text)`)
}

/** A street as points, at least so far from each other, as text: whole numbers in millionths of a degree. */
const lineStepMetres = 15
const mostLinePoints = 200

export function thinLine(points: Float64Array): number[] {
  const kept: number[] = []
  const step = lineStepMetres / 0.1113
  for (let at = 0; at < points.length; at += 2) {
    const [lng, lat] = [micro(points[at]!), micro(points[at + 1]!)]
    const [lastLat, lastLng] = kept.slice(-2)
    const isNear = lastLat !== undefined && Math.abs(lat - lastLat) < step && Math.abs(lng - lastLng!) < step
    if (!isNear || at === points.length - 2) kept.push(lat, lng)
  }
  if (kept.length <= 2 * mostLinePoints) return kept
  const every = Math.ceil(kept.length / 2 / mostLinePoints)
  return kept.filter((_, index) => Math.floor(index / 2) % every === 0)
}

export type Collecting = ReturnType<typeof collect>

export function collect(client: pg.Client, places: Places) {
  const ways = openWriter(client, 'found_ways', 'name, other_names, postal_code, lat, lng, line')
  const houses = openWriter(client, 'found_houses', 'osm, street, place, city, number, postal_code, lat, lng')
  const rows = openWriter(client, 'found_rows', 'id, position, node_id, parity, street, lat, lng')
  const members = openWriter(client, 'found_members', 'osm, street')
  const stages = [ways, houses, rows, members]

  function addHouse(osm: string, tags: Tags, lat: number, lng: number) {
    const number = tags['addr:housenumber'] ?? tags['addr:conscriptionnumber'] ?? tags['addr:streetnumber']
    if (!number) return
    const street = tags['addr:street'] ?? tags['addr:street:name'] ?? null
    const place = tags['addr:place'] ?? tags['addr:hamlet'] ?? null
    const city = tags['addr:city'] ?? null
    return houses.add(osm, street, place, city, number, tags['addr:postcode'] ?? null, micro(lat), micro(lng))
  }

  function addStreet(tags: Tags, points: Float64Array) {
    const line = thinLine(points)
    const middle = Math.floor(line.length / 4) * 2
    const [lat, lng] = [line[middle], line[middle + 1]]
    if (lat === undefined || lng === undefined) return
    return ways.add(tags['name']!, otherNamesOf(tags), tags['postal_code'] ?? null, lat, lng, line.join(' '))
  }

  const isStreet = (tags: Tags) =>
    tags['name'] && ((tags['highway'] && !noStreets.has(tags['highway'])) || tags['place'] === 'square')

  return {
    node(node: OsmNode) {
      places.node(node)
      const { tags, lat, lng } = node
      if (tags['place'] === 'square' && tags['name']) return addStreet(tags, Float64Array.of(lng, lat))
      return addHouse(`n${node.id}`, tags, lat, lng)
    },
    async way(way: OsmWay) {
      places.way(way)
      const { id, tags, points, nodeIds } = way
      if (points.length === 0) return
      if (isStreet(tags)) await addStreet(tags, points)
      const parity = tags['addr:interpolation']
      if (parity) {
        for (let at = 0; at < points.length / 2; at += 1)
          await rows.add(
            id,
            at,
            nodeIds[at] ?? 0,
            parity,
            tags['addr:street'] ?? null,
            micro(points[2 * at + 1]!),
            micro(points[2 * at]!),
          )
      } else await addHouse(`w${id}`, tags, ...centreOf(points))
    },
    async area(area: OsmArea) {
      places.area(area)
      const { id, tags, polygons } = area
      const [largest] = polygons.map(({ outer }) => outer).sort((a, b) => b.length - a.length)
      if (!largest) return
      if (isStreet(tags)) await addStreet(tags, largest)
      await addHouse(`r${id}`, tags, ...centreOf(largest))
    },
    async relation({ tags, members: all }: OsmRelation) {
      if (tags['type'] !== 'associatedStreet' && tags['type'] !== 'street') return
      const street = tags['name'] ?? tags['addr:street']
      if (!street) return
      for (const { type, id, role } of all)
        if (role === 'house' || role === 'address') await members.add(`${type[0]}${id}`, street)
    },
    async flush() {
      for (const stage of stages) await stage.flush()
    },
    counts: () => ({ ways: ways.count(), houses: houses.count(), rows: rows.count(), members: members.count() }),
  }
}

/** The middle of what surrounds it: near enough for a building. */
function centreOf(points: Float64Array): [lat: number, lng: number] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < points.length; at += 2) {
    west = Math.min(west, points[at]!)
    east = Math.max(east, points[at]!)
    south = Math.min(south, points[at + 1]!)
    north = Math.max(north, points[at + 1]!)
  }
  return [(south + north) / 2, (west + east) / 2]
}
