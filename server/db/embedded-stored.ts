import type { Dirent } from 'node:fs'
import { lstat, readdir, readlink, realpath, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { codeOf } from './embedded-files.ts'
import { readOwner } from './embedded-marker.ts'
import { findRunning } from './embedded-server.ts'

/* Databases in the folder of all accounts: whose they are, and what is left of installations that are gone. */

export interface Stored {
  /** Where the database is. */
  place: string
  /** The data folder it belongs to, if it says so. */
  folder: string | undefined
  /** `orphan`: its data folder is gone, or has another database now. `unknown`: it does not say whose it is. */
  state: 'used' | 'orphan' | 'unknown'
}

/**
 * The databases in the folder of all accounts. One of before they said whose they are is still known if it runs, or if it is that
 * of the given data folder.
 */
export async function listStored(shared: string, ownFolder?: string): Promise<Stored[]> {
  const found: Dirent[] = await readdir(shared, { withFileTypes: true }).catch((error) => {
    if (['ENOENT', 'EACCES'].includes(codeOf(error))) return []
    throw error
  })
  const places = found.filter((one) => one.isDirectory() && one.name.startsWith('database-'))
  return Promise.all(places.map(({ name }) => inspect(join(shared, name), ownFolder)))
}

async function inspect(place: string, ownFolder: string | undefined): Promise<Stored> {
  const said = await readOwner(place)
  const folder = said ?? (ownFolder && (await isLinked(ownFolder, place)) ? ownFolder : undefined)
  const isUsed = folder ? await isLinked(folder, place) : await findRunning(place)
  return { place, folder, state: isUsed ? 'used' : folder ? 'orphan' : 'unknown' }
}

/** Whether the link in a data folder leads to this database. */
const isLinked = async (folder: string, place: string) =>
  (await realpath(join(folder, 'postgres')).catch(() => undefined)) === (await realpath(place))

/** Where the database of a data folder is, if not in it; also if it is gone from there. */
export async function findLinked(folder: string): Promise<string | undefined> {
  const target = await readlink(join(folder, 'postgres')).catch(() => undefined)
  return target && resolve(folder, target)
}

/** What a file or folder takes on the disk; links are not followed. */
export async function bytesOf(path: string): Promise<number> {
  const own = await lstat(path).catch(() => undefined)
  if (!own) return 0
  if (!own.isDirectory()) return own.size
  const names = await readdir(path, { recursive: true })
  let bytes = 0
  for (const name of names) {
    const { size = 0 } = (await lstat(join(path, name)).catch(() => undefined)) ?? {}
    bytes += size
  }
  return bytes
}

/** Deletes a database that nobody uses. */
export async function removeStored(place: string): Promise<void> {
  const pid = await findRunning(place)
  if (pid) throw new Error(`The database in ${place} is running (process ${pid}): stop it first`)
  await rm(place, { recursive: true, force: true })
}

/** When a database was last written to. */
export const lastUsed = (place: string): Promise<Date | undefined> =>
  stat(join(place, 'global/pg_control')).then(
    ({ mtime }) => mtime,
    () => undefined,
  )

/** What a start says about databases that were left behind. Only root can see them. */
export async function describeOrphans(shared: string, ownFolder: string): Promise<string[]> {
  if (process.getuid?.() !== 0) return []
  const orphans = (await listStored(shared, ownFolder)).filter(({ state }) => state === 'orphan')
  return orphans.map(
    ({ place, folder }) =>
      `The database in ${place} belongs to the data folder ${folder}, which is gone or has another one: ` +
      'if it is not on a disk that is missing now, delete it with "waybill remove --orphans"',
  )
}
