import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Maker } from '../map/extract/elements.ts'
import { makers, type Part } from '../map/makers.ts'
import { tilesFile } from '../map/tiles/maker.ts'

/*
 * A stand-in for what takes long in an import: it writes a file of tiles with this text, and does what it is told meanwhile, so that
 * something can go wrong at a known moment.
 */

type Meanwhile = (making: { folder: string; signal: AbortSignal }) => Promise<unknown>

const aPart = (text: string, meanwhile: Meanwhile): Part<object> => ({
  does: 'writing',
  files: [tilesFile],
  open: (making): Maker<object> => ({
    async finish() {
      await writeFile(join(making.folder, tilesFile), text)
      await meanwhile(making)
      return { tiles: 7 }
    },
    dispose: async () => {},
  }),
})

export const withTiles = (text: string, meanwhile: Meanwhile = async () => {}) => ({
  found: makers.found,
  tiles: aPart(text, meanwhile),
})
