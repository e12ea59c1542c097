import type { Tags } from '../../extract/elements.ts'
import { bitOf, everybody, motorised, profiles, setOf } from '../profiles.ts'
import type { Speeds } from '../speeds.ts'
import { signFor } from './access.ts'
import { readMetres } from './limits.ts'

/* What stands at a point of a way: a barrier, a light, a crossing. */

const nobody = 0
const onFootOnly = everybody & ~bitOf('foot')
const onFootAndBicycle = motorised

/** Whom a barrier stops. One that is not here stops motor vehicles. */
const stops: Readonly<Record<string, number>> = {
  bollard: onFootAndBicycle,
  block: onFootAndBicycle,
  bus_trap: setOf('car', 'van'),
  sump_buster: setOf('car'),
  cycle_barrier: onFootAndBicycle,
  motorcycle_barrier: onFootAndBicycle,
  kerb: onFootAndBicycle,
  chain: onFootAndBicycle,
  stile: onFootOnly,
  turnstile: onFootOnly,
  'full-height_turnstile': onFootOnly,
  kissing_gate: onFootOnly,
  wicket_gate: onFootOnly,
  fence: everybody,
  wall: everybody,
  hedge: everybody,
  ditch: everybody,
  gate: nobody,
  lift_gate: nobody,
  swing_gate: nobody,
  sliding_gate: nobody,
  hampshire_gate: nobody,
  cattle_grid: nobody,
  toll_booth: nobody,
  border_control: nobody,
  entrance: nobody,
  sally_port: nobody,
  height_restrictor: nobody,
  bump_gate: nobody,
  no: nobody,
}
const gates = new Set(['gate', 'lift_gate', 'swing_gate', 'sliding_gate', 'hampshire_gate', 'toll_booth'])

/** What is waited for at a node. */
export const waits = { nothing: 0, light: 1, crossing: 2, gate: 3 } as const
export const waitOf = 3
/** A light for one direction of its way only. */
export const forwardOnly = 4
export const backwardOnly = 8

export interface Stop {
  /** The profiles it stops. */
  stops: number
  /** What is waited for, and in which direction. */
  wait: number
}

/** Undefined if a node is like any other. */
export function readNode(tags: Tags, speeds: Speeds): Stop | undefined {
  const stops = whomItStops(tags, speeds)
  const wait = whatToWaitFor(tags)
  return stops === 0 && wait === 0 ? undefined : { stops, wait }
}

function whomItStops(tags: Tags, speeds: Speeds): number {
  const { barrier } = tags
  if (!barrier) return nobody
  const usual = stops[barrier] ?? onFootAndBicycle
  const isGate = gates.has(barrier)
  let bits = 0
  for (const profile of profiles) {
    const sign = signFor(tags, profile)
    const bit = bitOf(profile)
    const height = readMetres(tags['maxheight'])
    const isTooLow = height !== undefined && height < speeds[profile].heightMetres
    // A private gate is shut to a courier, who leaves the vehicle before it. What nobody fits through is not opened by a general yes.
    const isShut = sign && (sign.access === 'closed' || sign.value === 'private')
    const isOpen = sign && !isShut && (isGate || sign.isOwn)
    const isLocked = tags['locked'] === 'yes' && !isOpen
    if (isTooLow || isShut || isLocked || (!isOpen && (usual & bit) !== 0)) bits |= bit
  }
  return bits
}

function whatToWaitFor(tags: Tags): number {
  const { highway, barrier } = tags
  if (highway === 'traffic_signals') {
    const direction = tags['traffic_signals:direction'] ?? tags['direction']
    return waits.light | (direction === 'forward' ? forwardOnly : direction === 'backward' ? backwardOnly : 0)
  }
  if (highway === 'crossing' && tags['crossing'] !== 'no') return waits.crossing
  return barrier && gates.has(barrier) ? waits.gate : waits.nothing
}
