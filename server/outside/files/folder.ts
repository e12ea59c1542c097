import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileStore } from './store.ts'

/** Files in a folder of this machine. `put` moves, so what is stored must be on the same file system. */
export function openFolder(folder: string): FileStore {
  const place = (key: string) => join(folder, key)
  return {
    async put(key, path) {
      const target = place(key)
      await sync(path)
      const parent = dirname(target)
      const firstMade = await mkdir(parent, { recursive: true, mode: 0o700 })
      await rename(path, target)
      // A new file survives a power cut only if its folder is synced too, and so on up to a folder that existed before.
      await sync(parent)
      if (firstMade) for (let at = parent; at !== dirname(firstMade); at = dirname(at)) await sync(dirname(at))
    },
    get: (key) => readFile(place(key)).catch(missing),
    delete: (key) => rm(place(key), { force: true }),
  }
}

async function sync(path: string) {
  const file = await open(path)
  await file.sync().finally(() => file.close())
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
