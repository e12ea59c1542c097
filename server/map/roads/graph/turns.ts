import type { Transport } from '../../../../core/travel.ts'
import { waits } from '../net/barriers.ts'
import { headOf, type NetInMaking, reversed } from '../net/net.ts'
import type { Speeds } from '../speeds.ts'

/** How many roads meet at each junction that this profile may use in some direction. */
export function countRoads(net: NetInMaking, edgeMs: Uint32Array): Uint8Array {
  const roads = new Uint8Array(net.junctions)
  for (let edge = 0; edge < net.from.length; edge += 1) {
    if (edgeMs[edge * 2] === 0 && edgeMs[edge * 2 + 1] === 0) continue
    for (const junction of [net.from[edge] as number, net.to[edge] as number])
      roads[junction] = Math.min(255, (roads[junction] as number) + 1)
  }
  return roads
}

const halfTurn = 128

/** What a turn from one directed edge into another costs, in milliseconds. */
export function createTurns(net: NetInMaking, profile: Transport, all: Speeds, roads: Uint8Array) {
  const speeds = all[profile]
  const waiting = {
    [waits.light]: speeds.lightSeconds,
    [waits.crossing]: speeds.crossingSeconds,
    [waits.gate]: speeds.gateSeconds,
  }
  const [right, left] =
    all.side === 'right' ? [speeds.rightSeconds, speeds.leftSeconds] : [speeds.leftSeconds, speeds.rightSeconds]
  const headingAtEnd = (directed: number) =>
    directed & 1 ? (net.begins[directed >>> 1] as number) + halfTurn : (net.ends[directed >>> 1] as number)

  return (from: number, to: number): number => {
    const junction = headOf(net, from)
    let seconds = waiting[net.waits[junction] as 1 | 2 | 3] ?? 0
    if (to === reversed(from)) seconds += speeds.turnRoundSeconds
    else if ((roads[junction] as number) > 2) {
      // Against its course an edge begins where it ends, looking back.
      const turn = ((headingAtEnd(reversed(to)) + halfTurn - headingAtEnd(from) + 3 * halfTurn) & 255) - halfTurn
      seconds += atAngle(turn > 0 ? right : left, (Math.abs(turn) / halfTurn) * 180)
    }
    return Math.round(seconds * 1000)
  }
}

/** Straight on costs nothing, a right angle what it costs, and sharper turns up to twice that; in between it grows smoothly. */
const atAngle = (seconds: number, degrees: number) => (2 * seconds) / (1 + Math.exp(6.5 - (13 * degrees) / 180))
