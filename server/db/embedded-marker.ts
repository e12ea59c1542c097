import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * A database that cannot be in its data folder, because the account of PostgreSQL cannot enter it, is in a folder of all
 * accounts, and the data folder has a link to it. Who deletes the data folder leaves it behind. So it says itself to which
 * data folder it belongs.
 */

const markerOf = (cluster: string) => join(cluster, 'waybill-data-folder')

/** Notes in a database that is kept elsewhere whose it is. Again at each start, because a data folder can be moved. */
export async function markOwner(cluster: string, folder: string): Promise<void> {
  if ((await readOwner(cluster)) !== folder) await writeFile(markerOf(cluster), `${folder}\n`, { mode: 0o600 })
}

/** The data folder a database belongs to; undefined if it does not say. */
export const readOwner = (cluster: string): Promise<string | undefined> =>
  readFile(markerOf(cluster), 'utf8').then(
    (text) => text.trimEnd() || undefined,
    () => undefined,
  )
