import type { Service } from '../context.ts'
import { keyOfThumb } from '../outside/files/store.ts'
import { deleteLeftovers, deleteUnusedFiles, listDueLeftovers } from './queries.ts'

/* Files that nothing refers to are deleted after a month; what belongs to no file is deleted from the store after a day. */

const atOnce = 200

/** One round. Answers how many were deleted from the store. */
export async function collectFiles(
  { database, files }: Pick<Service, 'database' | 'files'>,
  stopping?: AbortSignal,
): Promise<number> {
  const db = database.everyone
  while (!stopping?.aborted && (await deleteUnusedFiles(db, atOnce)) === atOnce);
  let deleted = 0
  while (!stopping?.aborted) {
    const due = await listDueLeftovers(db, atOnce)
    for (const { store_key, is_used } of due)
      if (!is_used) for (const key of [keyOfThumb(store_key), store_key]) await files.delete(key)
    await deleteLeftovers(db, due)
    deleted += due.filter(({ is_used }) => !is_used).length
    if (due.length < atOnce) break
  }
  return deleted
}
