import type { Instance } from './instance.ts'

/*
 * The routes during the search: doubly linked lists of nodes, and for every node the numbers that make an insertion
 * before it cheap to evaluate. After Savelsbergh (1992), for soft windows:
 *
 *   leave    when the vehicle leaves here
 *   limit    arriving here no later than this makes no stop late to the end of the route
 *   limitBy  the weight of the stop that would be late first
 *   pressure if the rest of the route is late already: the weight of all late stops, up to the next wait
 *
 * `limit` does not depend on what comes before, `leave` not on what comes after: an insertion changes the first only
 * backwards and the second only forwards, and both only until a wait absorbs the difference.
 */

export interface Routes {
  instance: Instance
  next: Int32Array
  previous: Int32Array
  /** The vehicle of a node, -1 if it is not served. */
  vehicleOf: Int32Array
  /** The place of a node; a lunch has the place of the node before it. */
  at: Int32Array
  /** Position in the route. Kept only if there are precedences. */
  position: Int32Array
  /** Travel from the node before. */
  leg: Float64Array
  start: Float64Array
  leave: Float64Array
  /** At a lunch, the wait before it, in which the vehicle drives on; otherwise 0. */
  ahead: Float64Array
  lateCost: Float64Array
  limit: Float64Array
  limitBy: Float64Array
  /** The least cost of every further second of delay, where a stop is already late. */
  pressure: Float64Array
  /** What the vehicle carries after a node, and the most it carries from there on. Kept only if something is unloaded. */
  load: Float64Array
  mostLoad: Float64Array

  /** By vehicle. */
  stopsOf: Int32Array
  /** Two routes of a vehicle with the same version are equal. The last element is the newest version of all. */
  version: Int32Array
  /** The sum of all loads. */
  loadOf: Float64Array
  travelOf: Float64Array
  latenessOf: Float64Array

  /** Unserved stops. */
  bank: Int32Array
  bankSize: Int32Array
  undo: Undo
}

/** The touched routes as they were, one after the other: vehicle, length, nodes. */
interface Undo {
  log: Int32Array
  /** How much of the log is in use, and how many stops were in the bank. */
  used: Int32Array
  isTouched: Uint8Array
  version: Int32Array
  bank: Int32Array
}
