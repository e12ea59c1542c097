/*
 * What a search runs on. Vertices are numbers from 0; everything about them lies in typed arrays, so that a file of them is read
 * without parsing, and a search leaves nothing to collect.
 */

/** A directed graph in compressed rows: the arcs of vertex v are first[v] … first[v + 1] - 1. */
export interface Graph {
  /** One more than there are vertices. */
  first: Uint32Array
  /** Where an arc leads. */
  head: Uint32Array
  /** How long it takes. */
  ms: Uint32Array
  /** How long it is, in decimetres. */
  dm: Uint32Array
}

/** Where a search begins or ends: at this vertex, with so much before (or after) it. */
export interface Seed {
  vertex: number
  ms: number
  dm: number
}

/*
 * Time and length are one number, added and compared as one: the time decides, and of equally fast ways the length. So the best
 * way has one time and one length, whatever the search. There is room for 37 hours, and at up to 180 km/h for all
 * metres of them; what takes longer is no way.
 */
const lengths = 2 ** 26
const mostWeight = 2 ** 53

export const noWay = Number.POSITIVE_INFINITY

export const weightOf = (ms: number, dm: number) => ms * lengths + dm
export const msIn = (weight: number) => Math.floor(weight / lengths)
export const dmIn = (weight: number) => weight % lengths

/** What parts of ways add up to may be too much. */
export const orNoWay = (weight: number) => (weight < mostWeight ? weight : noWay)
