import type { Seed } from '../search/graph.ts'

/**
 * A place put on the roads, for one profile. The walk between it and the road is in all times and distances: in those of its seeds, and in
 * those of `directWay`.
 */
export interface Spot {
  leaving: Seed[]
  arriving: Seed[]
  /** The point of the road. */
  lat: number
  lng: number
  /** From the place to it. */
  walkMetres: number
  edge: number
  /** The point of the course after which it is. */
  point: number
  /** How much of the edge lies before it. */
  share: number
  /** How long the whole edge takes along its course and against it; 0 where it is closed, or the wrong side of a wide road. */
  edgeMs: readonly [number, number]
  edgeDm: number
  walkMs: number
  walkDm: number
}

/** What a spot is before it is known which vertices are next. */
export type OnEdge = Pick<Spot, 'edge' | 'share' | 'edgeMs' | 'edgeDm' | 'walkMs' | 'walkDm'>
