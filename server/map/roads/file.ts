import type { Transport } from '../../../core/travel.ts'
import type { ProfileGraph } from './graph/profile-graph.ts'
import type { Net } from './net/net.ts'
import type { Hierarchy } from './search/hierarchy.ts'
import { openSections } from './sections.ts'
import type { Grid } from './snap/grid.ts'
import type { Speeds } from './speeds.ts'

export const roadsFile = 'roads.bin'

/** What is said of the file in it. */
export interface AboutRoads {
  bounds: readonly [west: number, south: number, east: number, north: number]
  side: Speeds['side']
}

/** The roads of an import. What belongs to one profile is read when it is first asked for: a country has many of them. */
export interface RoadFile extends AboutRoads {
  net: Net
  grid: Grid
  graphOf(profile: Transport): ProfileGraph
  hierarchyOf(profile: Transport): Hierarchy
  close(): void
}

/** Throws what is wrong with the file (`WrongFile`). */
export function openRoadFile(path: string): RoadFile {
  const file = openSections<AboutRoads>(path)
  try {
    const graphs = new Map<Transport, ProfileGraph>()
    const hierarchies = new Map<Transport, Hierarchy>()
    return {
      ...file.about,
      net: file.read<Net>('net'),
      grid: file.read<Grid>('grid'),
      graphOf: (profile) => graphs.getOrInsertComputed(profile, () => file.read<ProfileGraph>(`${profile}/graph`)),
      hierarchyOf: (profile) =>
        hierarchies.getOrInsertComputed(profile, () => file.read<Hierarchy>(`${profile}/hierarchy`)),
      close: file.close,
    }
  } catch (error) {
    file.close()
    throw error
  }
}
