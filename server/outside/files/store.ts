/*
 * Where the bytes of files are. What is written under a key never changes, so a reader gets all of it or nothing.
 * One file each, one line in `files.ts`; all run the same test.
 */

export interface FileStore {
  /** Stores the file at `path`, on this machine, which may be moved away. It lasts once this resolves. */
  put(key: string, path: string, type: string): Promise<void>
  /** Undefined: there is nothing under this key. */
  get(key: string): Promise<Buffer | undefined>
  /** What is not there is no problem. */
  delete(key: string): Promise<void>
}

export const keyOfThumb = (key: string) => `${key}.thumb`
