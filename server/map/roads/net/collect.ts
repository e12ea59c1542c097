import { unitsPerDegree } from '../../extract/block.ts'
import { lastUpTo } from '../../extract/coordinates.ts'
import type { OsmNode, OsmRelation, OsmWay } from '../../extract/elements.ts'
import { Growing } from '../growing.ts'
import type { Speeds } from '../speeds.ts'
import { readNode, type Stop } from './barriers.ts'
import { createKinds } from './kinds.ts'
import { metresBetween } from './metres.ts'
import { type Restriction, readRestriction } from './restrictions.ts'

/* What is kept of an extract until all of it has come: some twenty bytes for each point of a road. */

export type Collected = ReturnType<typeof createCollection>

export function createCollection(speeds: Speeds) {
  const kinds = createKinds(speeds)
  /** Nodes that stop somebody or make them wait. They come in the order of their ids, and so do ways. */
  const stops = { ids: new Growing(Float64Array), stops: new Growing(Uint8Array), waits: new Growing(Uint8Array) }
  const ways = { ids: new Growing(Float64Array), first: new Growing(Uint32Array), kinds: new Growing(Uint32Array) }
  const points = { nodeIds: new Growing(Float64Array), lat: new Growing(Int32Array), lng: new Growing(Int32Array) }
  const restrictions: Restriction[] = []

  return {
    kinds,
    stops,
    ways,
    points,
    restrictions,
    node({ id, tags }: OsmNode) {
      const stop = readNode(tags, speeds)
      if (!stop) return
      stops.ids.push(id)
      stops.stops.push(stop.stops)
      stops.waits.push(stop.wait)
    },
    way({ id, tags, nodeIds, points: places }: OsmWay) {
      const kind = kinds.of(tags, tags['route'] === 'ferry' ? lengthOf(places) : 0)
      if (kind === undefined) return
      ways.ids.push(id)
      ways.first.push(points.nodeIds.length)
      ways.kinds.push(kind)
      let last = Number.NaN
      for (const [index, nodeId] of nodeIds.entries()) {
        if (nodeId === last) continue
        last = nodeId
        points.nodeIds.push(nodeId)
        points.lng.push(Math.round((places[index * 2] as number) * unitsPerDegree))
        points.lat.push(Math.round((places[index * 2 + 1] as number) * unitsPerDegree))
      }
    },
    relation(relation: OsmRelation) {
      const restriction = readRestriction(relation)
      if (restriction) restrictions.push(restriction)
    },
    stopAt(nodeId: number): Stop | undefined {
      const ids = stops.ids.list()
      const place = lastUpTo(ids, nodeId)
      if (place < 0 || ids[place] !== nodeId) return undefined
      return { stops: stops.stops.at(place), wait: stops.waits.at(place) }
    },
  }
}

/** -1 if there is none. */
export function junctionOf(junctionIds: Float64Array, nodeId: number): number {
  const place = lastUpTo(junctionIds, nodeId)
  return place >= 0 && junctionIds[place] === nodeId ? place : -1
}

/** Of pairs of longitude and latitude. */
function lengthOf(points: Float64Array): number {
  let metres = 0
  for (let at = 2; at < points.length; at += 2) {
    const [lng, lat, nextLng, nextLat] = points.subarray(at - 2, at + 2).map((degrees) => degrees * unitsPerDegree)
    metres += metresBetween(lat as number, lng as number, nextLat as number, nextLng as number)
  }
  return Math.round(metres)
}
