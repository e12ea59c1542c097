import { writeSync } from 'node:fs'
import { makers } from '../map/makers.ts'
import { importMap } from '../map/run.ts'
import type { FileStore } from '../outside/files/store.ts'
import { withTiles } from './map-part.ts'

/*
 * An import that says where it is and stays there, to be killed: `node map-child.ts DATABASE_URL DATA_FOLDER EXTRACT MOMENT`.
 */

const [databaseUrl = '', dataFolder = '', path = '', moment = ''] = process.argv.slice(2)

function reach(reached: string) {
  if (reached !== moment) return
  writeSync(1, `${reached}\n`)
  // Nothing of this process goes on, not even in the background.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const store: FileStore = {
  put: async () => reach('storing'),
  get: async () => undefined,
  delete: async () => {},
}
const tiles = withTiles('new', async () => reach('finishing'))

await importMap({
  databaseUrl,
  dataFolder,
  store,
  path,
  name: 'New',
  signal: new AbortController().signal,
  onProgress: ({ does }) => reach(does),
  makers: {
    ...tiles,
    found: {
      ...makers.found,
      open: () => ({ ...makers.found.open(), way: () => reach('halfway') }),
      // Called for what is left behind before the import, of which there is nothing, and for the old one after it.
      remove: async () => reach('removing'),
    },
  },
})
