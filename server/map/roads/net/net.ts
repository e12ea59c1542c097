/*
 * Roads as edges between junctions, each with its course: the same for everybody. What leads to what, and how long it takes, is the
 * matter of graphs. A directed edge is 2 × its edge, and one more against its course.
 */

export interface Net {
  /** The junctions at both ends of each edge. */
  from: Uint32Array
  to: Uint32Array
  /** Its points are those from `first` to `last`, both included. */
  first: Uint32Array
  last: Uint32Array
  dm: Uint32Array
  /** See `marks` in kinds.ts. */
  marks: Uint8Array
  /** Points, in ten-millionths of a degree. */
  lat: Int32Array
  lng: Int32Array
}

export const edgeOf = (directed: number) => directed >>> 1
export const directionOf = (directed: number) => (directed & 1) as 0 | 1
export const reversed = (directed: number) => directed ^ 1

export const tailOf = ({ from, to }: Pick<Net, 'from' | 'to'>, directed: number) =>
  ((directed & 1) === 0 ? from : to)[directed >>> 1] as number
export const headOf = ({ from, to }: Pick<Net, 'from' | 'to'>, directed: number) => tailOf({ from, to }, directed ^ 1)

/** What else is known while graphs are made. */
export interface NetInMaking extends Net {
  junctions: number
  /** The directed edges that begin at junction j: leaving[leavingFirst[j]] … leaving[leavingFirst[j + 1] - 1]. */
  leavingFirst: Uint32Array
  leaving: Uint32Array
  kind: Uint32Array
  /** In which direction an edge begins and ends along its course, as 256ths of a turn from north. */
  begins: Uint8Array
  ends: Uint8Array
  /** By junction: whom it stops, and what is waited for there. */
  stops: Uint8Array
  waits: Uint8Array
  /** By directed edge: how many lights, crossings and gates lie on it between its ends. */
  lights: Uint8Array
  crossings: Uint8Array
  gates: Uint8Array
  kinds: { speeds: Float64Array; ends: Uint16Array; marks: Uint8Array }
  restrictions: readonly ForbiddenPath[]
}

/** Directed edges that follow each other; who has passed all but the last one may not go on to it, or may only go on to it. */
export interface ForbiddenPath {
  path: readonly number[]
  isOnly: boolean
  holdsFor: number
}
