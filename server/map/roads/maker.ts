import { join } from 'node:path'
import { unitsPerDegree } from '../extract/block.ts'
import type { Maker } from '../extract/elements.ts'
import { type Circle, reaches } from './circle.ts'
import { type AboutRoads, roadsFile } from './file.ts'
import { makeTurnGraph } from './graph/turn-graph.ts'
import { makeWalkGraph } from './graph/walk-graph.ts'
import { buildNet } from './net/build.ts'
import { createCollection } from './net/collect.ts'
import type { Net, NetInMaking } from './net/net.ts'
import { profiles } from './profiles.ts'
import { contract } from './search/contract.ts'
import { openSectionWriter } from './sections.ts'
import { type Grid, makeGrid } from './snap/grid.ts'
import { ourSpeeds } from './speeds.ts'
import type { GivenSpeeds } from './speeds-file.ts'

export interface MadeRoads {
  /** Between two junctions. */
  segments: number
  junctions: number
  forbiddenTurns: number
  secondsToPrepare: number
  bytes: number
  /** The operator's file of speeds, if there is one. */
  speedsFrom?: string
  /** There were more than there may be, and none were prepared. */
  tooMany?: true
}

export interface Options {
  speeds?: GivenSpeeds | undefined
  /** Only these roads. */
  around?: Circle | undefined
  mostPoints?: number
  /** Hears how much is prepared, from 0 to 1, while it finishes. */
  progress?: (share: number) => void
  signal?: AbortSignal
}

/**
 * Some 28 cities of the size of Timișoara. A country would take gigabytes, here and in every process that plans (docs/travel-times.md),
 * and no courier drives all of it in a day.
 */
const usualMostPoints = 2_500_000

/**
 * Makes the file of roads in the folder: what everybody has in common, and for each means of transport its graph and what the search
 * needs of it. One after the other, so that only one is in memory.
 */
export function createRoadMaker(
  folder: string,
  {
    speeds: given,
    around,
    mostPoints = usualMostPoints,
    progress,
    signal = new AbortController().signal,
  }: Options = {},
): Maker<MadeRoads> {
  const path = join(folder, roadsFile)
  const speeds = given?.speeds ?? ourSpeeds
  let collected: ReturnType<typeof createCollection> | undefined = createCollection(speeds)
  let tooMany = false

  async function prepare(net: NetInMaking, writer: Awaited<ReturnType<typeof openSectionWriter>>) {
    for (const [index, profile] of profiles.entries()) {
      signal.throwIfAborted()
      const graph = profile === 'foot' ? makeWalkGraph(net, speeds) : makeTurnGraph(net, profile, speeds)
      await writer.add(`${profile}/graph`, graph)
      const hierarchy = await contract(graph, {
        signal,
        progress: (share) => progress?.((index + share) / profiles.length),
      })
      await writer.add(`${profile}/hierarchy`, hierarchy)
    }
  }

  return {
    node: (node) => collected?.node(node),
    way(way) {
      if (!collected || (around && !reaches(around, way.points))) return
      collected.way(way)
      if (collected.points.nodeIds.length <= mostPoints) return
      tooMany = true
      collected = undefined
    },
    relation: (relation) => collected?.relation(relation),

    async finish() {
      const began = performance.now()
      const net = collected && buildNet(collected)
      // Everything that is needed of it is in the net.
      collected = undefined
      const writer = await openSectionWriter(path)
      try {
        const kept = keptOf(net)
        const grid = makeGrid(kept)
        await writer.add('net', kept)
        await writer.add('grid', grid)
        if (net) await prepare(net, writer)
        const bytes = await writer.finish({ bounds: boundsOf(grid), side: speeds.side } satisfies AboutRoads)
        return {
          segments: kept.from.length,
          junctions: net?.junctions ?? 0,
          forbiddenTurns: net?.restrictions.length ?? 0,
          secondsToPrepare: Math.round((performance.now() - began) / 1000),
          bytes,
          ...(given && { speedsFrom: given.from }),
          ...(tooMany && { tooMany }),
        }
      } finally {
        await writer.close()
      }
    },

    async dispose() {
      collected = undefined
    },
  }
}

/** What is still needed when the graphs are made. An extract may have no roads. */
const keptOf = (net: NetInMaking | undefined): Net => ({
  from: net?.from ?? new Uint32Array(),
  to: net?.to ?? new Uint32Array(),
  first: net?.first ?? new Uint32Array(),
  last: net?.last ?? new Uint32Array(),
  dm: net?.dm ?? new Uint32Array(),
  marks: net?.marks ?? new Uint8Array(),
  lat: net?.lat ?? new Int32Array(),
  lng: net?.lng ?? new Int32Array(),
})

/** Where there are roads, to a square. */
function boundsOf({ frame }: Grid): AboutRoads['bounds'] {
  const [south, west, rows, columns, cellUnits] = frame as unknown as [number, number, number, number, number]
  return [west, south, west + columns * cellUnits, south + rows * cellUnits].map(
    (units) => units / unitsPerDegree,
  ) as unknown as AboutRoads['bounds']
}
