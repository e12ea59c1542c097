import { createCounter } from './counter.ts'
import type { Maker } from './extract/elements.ts'
import { createRegisterMaker, removeRegister } from './register/make/maker.ts'
import type { Circle } from './roads/circle.ts'
import { roadsFile } from './roads/file.ts'
import { createRoadMaker } from './roads/maker.ts'
import type { GivenSpeeds } from './roads/speeds-file.ts'
import { createTileMaker, tilesFile } from './tiles/maker.ts'

/** What a maker may use. */
export interface Making {
  importId: number
  /** For a connection as the owner of the tables. */
  databaseUrl: string
  /** Where its files go, which are kept from there if they are named below. Whatever else is in it goes with the import's work. */
  folder: string
  /** The operator's, if there are some. */
  speeds: GivenSpeeds | undefined
  /** Where roads are wanted; undefined for everywhere. */
  roadsAround: Circle | undefined
  signal: AbortSignal
  /** How much of its `finish` is done, from 0 to 1. */
  progress: (share: number) => void
}

export interface Part<Made> {
  /** What the progress says while it finishes. */
  does: string
  open(making: Making): Maker<Made>
  /** The files it leaves in the folder. */
  files?: readonly string[]
  /** Removes what it made of an import outside the folder, finished or not; nothing may be there. */
  remove?(databaseUrl: string, importId: number): Promise<void>
}

/** Everything an import makes. What they return is kept with the import, by these names. */
export const makers = {
  found: { does: 'counting', open: () => createCounter() },
  register: {
    does: 'sorting addresses',
    open: ({ databaseUrl, importId, signal, progress }) =>
      createRegisterMaker(databaseUrl, importId, { signal, progress }),
    remove: removeRegister,
  },
  tiles: { does: 'drawing', open: ({ folder, ...options }) => createTileMaker(folder, options), files: [tilesFile] },
  roads: {
    does: 'preparing roads',
    open: ({ folder, roadsAround: around, ...options }) => createRoadMaker(folder, { around, ...options }),
    files: [roadsFile],
  },
} satisfies Record<string, Part<object>>
