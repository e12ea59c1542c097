import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FileStore } from '../outside/files/store.ts'
import type { KeptFile } from './queries.ts'

/*
 * The files of imports. Every process reads them from a folder of its own, `map/<import>` in the data folder. Where processes have
 * no data folder in common they have a common store, which has the files in parts: it takes and gives each thing as a whole, and a
 * file of tiles may have gigabytes.
 */

const partBytes = 8 * 1024 * 1024

export const folderOf = (dataFolder: string, importId: number | string) => join(dataFolder, 'map', String(importId))

const keyOf = (importId: number, { name }: Pick<KeptFile, 'name'>, part: number) => `map/${importId}/${name}/${part}`

/** What is known of files that have been made; they are not in the store yet. */
export async function describeFiles(folder: string, names: readonly string[], isStored: boolean): Promise<KeptFile[]> {
  const files: KeptFile[] = []
  for (const name of names) {
    const path = join(folder, name)
    const { size: bytes } = await stat(path)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    files.push({ name, bytes, sha256: hash.digest('hex'), parts: isStored ? Math.ceil(bytes / partBytes) : 0 })
  }
  return files
}

/** Copies the files into the store. `scratch` is an existing folder on the same disk. */
export async function storeFiles(
  store: FileStore,
  importId: number,
  folder: string,
  files: readonly KeptFile[],
  { scratch, signal, onProgress }: { scratch: string; signal: AbortSignal; onProgress: (share: number) => void },
) {
  const all = files.reduce((sum, { parts }) => sum + parts, 0)
  let stored = 0
  for (const file of files)
    for (let part = 0; part < file.parts; part += 1) {
      signal.throwIfAborted()
      const place = join(scratch, 'part')
      const [start, end] = [part * partBytes, (part + 1) * partBytes - 1]
      await pipeline(
        createReadStream(join(folder, file.name), { start, end }),
        createWriteStream(place, { mode: 0o600 }),
      )
      await store.put(keyOf(importId, file, part), place, 'application/octet-stream')
      stored += 1
      onProgress(stored / all)
    }
}

export async function removeStored(store: FileStore, importId: number, files: readonly KeptFile[]) {
  for (const file of files)
    for (let part = 0; part < file.parts; part += 1) await store.delete(keyOf(importId, file, part))
}

/** Whether this process has all of them. */
export async function hasFiles(dataFolder: string, importId: number, files: readonly KeptFile[]): Promise<boolean> {
  for (const { name, bytes } of files) {
    const found = await stat(join(folderOf(dataFolder, importId), name)).catch(() => undefined)
    if (found?.size !== bytes) return false
  }
  return true
}

/** Takes the files from the store. All of them appear at once, or none. */
export async function fetchFiles(
  store: FileStore,
  dataFolder: string,
  importId: number,
  files: readonly KeptFile[],
  signal: AbortSignal,
) {
  const target = folderOf(dataFolder, importId)
  // Several processes may share the folder, and fetch at the same time.
  const coming = `${target}.coming-${process.pid}`
  await rm(coming, { recursive: true, force: true })
  await mkdir(coming, { recursive: true, mode: 0o700 })
  try {
    for (const file of files) await fetchFile(store, coming, importId, file, signal)
    // One that is there lacks something.
    if (!(await hasFiles(dataFolder, importId, files))) await rm(target, { recursive: true, force: true })
    await rename(coming, target).catch(async (error) => {
      if (!(await hasFiles(dataFolder, importId, files))) throw error
    })
  } finally {
    await rm(coming, { recursive: true, force: true })
  }
}

async function fetchFile(store: FileStore, folder: string, importId: number, file: KeptFile, signal: AbortSignal) {
  const hash = createHash('sha256')
  const target = await open(join(folder, file.name), 'wx', 0o600)
  try {
    for (let part = 0; part < file.parts; part += 1) {
      signal.throwIfAborted()
      const bytes = await store.get(keyOf(importId, file, part))
      if (!bytes) throw new Error(`The file store lacks part ${part + 1} of ${file.parts} of ${file.name}`)
      hash.update(bytes)
      await target.appendFile(bytes)
    }
  } finally {
    await target.close()
  }
  if (hash.digest('hex') !== file.sha256) throw new Error(`${file.name} in the file store is not what was put there`)
}

/** Folders of imports that are not there any more: of old ones, and of some that were interrupted. */
export async function removeFolders(dataFolder: string, listIds: () => Promise<number[]>) {
  const folder = join(dataFolder, 'map')
  const names = await readdir(folder).catch(() => [])
  // After that: one that begins meanwhile has its folder only when it can be found.
  const except = names.length > 0 ? await listIds() : []
  // `7`, `7.making` and `7.coming-123` belong to the import 7.
  for (const name of names)
    if (/^\d+(\.|$)/.test(name) && !except.includes(Number.parseInt(name, 10)))
      await rm(join(folder, name), { recursive: true, force: true })
}

/** Waits until a folder and the files in it survive a power cut. */
export async function syncFolder(folder: string) {
  for (const name of ['', ...(await readdir(folder))]) {
    const entry = await open(join(folder, name))
    await entry.sync().finally(() => entry.close())
  }
}
