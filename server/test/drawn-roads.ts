import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Point } from '../../core/geo.ts'
import type { Transport } from '../../core/travel.ts'
import type { OsmNode, OsmRelation, OsmWay, Tags } from '../map/extract/elements.ts'
import { openRoadFile, roadsFile } from '../map/roads/file.ts'
import { createRoadMaker, type Options } from '../map/roads/maker.ts'
import { findWay } from '../map/roads/search/way.ts'
import { createWorkspace } from '../map/roads/search/workspace.ts'
import { courseOf } from '../map/roads/snap/course.ts'
import { directWay, snap } from '../map/roads/snap/snap.ts'
import { cleanUpOf } from './clean-up.ts'

/*
 * Roads on paper for tests, in metres east and north of a corner: what is drawn at the same place meets there.
 */

export type Place = readonly [east: number, north: number]

const corner = { lat: 45, lng: 21 }
const metresPerDegree = (6_371_000 * Math.PI) / 180
/** East is a little shorter in the north: for a town it makes no difference. */
const eastPerDegree = metresPerDegree * Math.cos((corner.lat * Math.PI) / 180)

export const pointAt = ([east, north]: Place): Point => ({
  lat: corner.lat + north / metresPerDegree,
  lng: corner.lng + east / eastPerDegree,
})
export const placeAt = ({ lat, lng }: Point): Place => [
  Math.round((lng - corner.lng) * eastPerDegree),
  Math.round((lat - corner.lat) * metresPerDegree),
]

export function drawRoads() {
  const nodes = new Map<string, OsmNode>()
  const ways: OsmWay[] = []
  const relations: OsmRelation[] = []

  function node(place: Place, tags: Tags = {}): number {
    const known = nodes.get(place.join())
    const id = known?.id ?? nodes.size + 1
    nodes.set(place.join(), { ...pointAt(place), id, tags: { ...known?.tags, ...tags } })
    return id
  }
  function way(places: readonly Place[], tags: Tags): number {
    const nodeIds = places.map((place) => node(place))
    const points = Float64Array.from(places.map(pointAt).flatMap(({ lat, lng }) => [lng, lat]))
    return ways.push({ id: ways.length + 1, tags, nodeIds, points })
  }
  return {
    node,
    way,
    road: (places: readonly Place[], tags: Tags = {}) => way(places, { highway: 'residential', ...tags }),
    /** From a way over a node, or over ways, to a way. */
    restriction: (tags: Tags, from: number, via: { node: Place } | { ways: readonly number[] }, to: number) =>
      relations.push({
        id: relations.length + 1,
        tags: { type: 'restriction', ...tags },
        members: [
          { type: 'way', id: from, role: 'from' },
          ...('node' in via
            ? [{ type: 'node' as const, id: node(via.node), role: 'via' }]
            : via.ways.map((id) => ({ type: 'way' as const, id, role: 'via' }))),
          { type: 'way', id: to, role: 'to' },
        ],
      }),
    async make(t: TestContext, options: Options = {}) {
      const folder = await mkdtemp(join(tmpdir(), 'waybill-roads-'))
      cleanUpOf(t).defer(() => rm(folder, { recursive: true, force: true }))
      const maker = createRoadMaker(folder, options)
      for (const node of nodes.values()) await maker.node?.(node)
      for (const way of ways) await maker.way?.(way)
      for (const relation of relations) await maker.relation?.(relation)
      const made = await maker.finish()
      await maker.dispose()
      return { made, path: join(folder, roadsFile) }
    },
    async open(t: TestContext, options: Options = {}) {
      const { made, path } = await this.make(t, options)
      const roads = openRoadFile(path)
      cleanUpOf(t).defer(roads.close)
      return { ...travelOn(roads), made }
    },
  }
}

function travelOn(roads: ReturnType<typeof openRoadFile>) {
  const spot = (profile: Transport, place: Place) => snap(roads, profile, pointAt(place))

  function go(profile: Transport, from: Place, to: Place) {
    const [start, end] = [spot(profile, from), spot(profile, to)]
    if (!start || !end) return undefined
    const hierarchy = roads.hierarchyOf(profile)
    const found = findWay(hierarchy, createWorkspace(hierarchy.rank.length), start.leaving, end.arriving)
    const direct = directWay(start, end)
    const best = direct && (!found || direct.ms <= found.ms) ? { ...direct, vertices: [] } : found
    if (!best) return undefined
    return {
      seconds: best.ms / 1000,
      metres: Math.round(best.dm / 10),
      line: courseOf(roads, profile, start, end, best.vertices).map(placeAt),
    }
  }
  return {
    spot,
    go,
    metres: (profile: Transport, from: Place, to: Place) => go(profile, from, to)?.metres,
    seconds: (profile: Transport, from: Place, to: Place) => go(profile, from, to)?.seconds,
  }
}

/**
 * A block of streets, 400 metres wide, with a street across its middle that has these tags. From one side to the other it is 440 metres
 * across, and 760 around.
 */
export function drawBlock(across: Tags = {}) {
  const paper = drawRoads()
  const ways = {
    south: paper.road([
      [0, 200],
      [0, 0],
      [400, 0],
      [400, 200],
    ]),
    north: paper.road([
      [0, 200],
      [0, 400],
      [400, 400],
      [400, 200],
    ]),
    across: paper.road(
      [
        [0, 200],
        [200, 200],
        [400, 200],
      ],
      across,
    ),
  }
  return { ...paper, ways }
}
export const [west, east, middle]: [Place, Place, Place] = [
  [0, 180],
  [400, 180],
  [200, 200],
]
