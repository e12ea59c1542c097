/*
 * Where the bytes of files are stored. What is stored under a key never changes, so a reader gets all of it or nothing.
 * Each kind of store is one file and one line in `files.ts`; all run the same tests.
 */

export interface FileStore {
  /** Stores the local file at `path`, which may be moved away. Once this resolves, it survives a crash. */
  put(key: string, path: string, type: string): Promise<void>
  /** Undefined if nothing is stored under this key. */
  get(key: string): Promise<Buffer | undefined>
  /** Does nothing if nothing is stored under this key. */
  delete(key: string): Promise<void>
}

export const keyOfThumb = (key: string) => `${key}.thumb`
