/*
 * What an extract of OpenStreetMap holds, as everything made from it sees it: in the order of the file (nodes, ways, then
 * what relations say), with coordinates. Ids are whole numbers below 2^53.
 */

export type Tags = Readonly<Record<string, string>>

/** Only nodes that say something are handed on; the others are points of ways. */
export interface OsmNode {
  id: number
  tags: Tags
  lat: number
  lng: number
}

/** A line, or the edge of something where it ends at its beginning. Nodes that the extract lacks are left out; two or more are left. */
export interface OsmWay {
  id: number
  tags: Tags
  nodeIds: readonly number[]
  /** Longitude and latitude of each node, one after the other. */
  points: Float64Array
}

/**
 * A multipolygon or boundary, put together from its ways: rings as pairs of longitude and latitude, closed, those around an area
 * anticlockwise and holes clockwise. Rings of which the extract lacks a way are left out, and areas without any ring.
 */
export interface OsmArea {
  /** Of the relation. */
  id: number
  tags: Tags
  polygons: readonly { outer: Float64Array; inner: readonly Float64Array[] }[]
}

export interface OsmRelation {
  id: number
  tags: Tags
  members: readonly { type: 'node' | 'way' | 'relation'; id: number; role: string }[]
}

/**
 * Makes one part of an import, in one pass. Elements come one after the other, new objects each time, which the maker may keep; a
 * maker that returns a promise holds the reader back until it is resolved.
 */
export interface Maker<Made> {
  node?(node: OsmNode): void | Promise<void>
  way?(way: OsmWay): void | Promise<void>
  area?(area: OsmArea): void | Promise<void>
  relation?(relation: OsmRelation): void | Promise<void>
  /** After the last element. What was made is complete when the promise resolves. */
  finish(): Promise<Made>
  /** Lets go of whatever it holds; called once, whether it has finished or not. */
  dispose(): Promise<void>
}
