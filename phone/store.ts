import type { Day, Draft, KeptFile, KeptPosition, KeptTask, KeptWay, Refused, Session, WaitingOp } from './kept.ts'

/* Where a phone keeps everything: IndexedDB in the app, memory in the demo and in tests. */

/** Values by their key: their own, or the one they are put under. */
export interface Shelf<Key, Value> {
  get(key: Key): Promise<Value | undefined>
  /** In the order of their keys. */
  getAll(): Promise<Value[]>
  put(value: Value, key?: Key): Promise<unknown>
  delete(key: Key): Promise<unknown>
  clear(): Promise<unknown>
}

/** One that numbers what is added to it. A number is never given twice. */
export interface Numbering<Value, Name extends keyof Value> extends Shelf<number, Value> {
  add(value: Omit<Value, Name>): Promise<unknown>
}

export interface Shelves {
  facts: Shelf<string, Session | Day | KeptWay | string>
  tasks: Shelf<number, KeptTask>
  ops: Numbering<WaitingOp, 'place'>
  files: Shelf<string, KeptFile>
  /** The bytes of files, apart from them, so that listing files is cheap. */
  pictures: Shelf<string, ArrayBuffer>
  refused: Numbering<Refused, 'id'>
  drafts: Shelf<number, Draft>
  /** There may be thousands, so never all at once. */
  positions: Pick<Numbering<KeptPosition, 'place'>, 'add' | 'clear'> & {
    count(): Promise<number>
    first(count: number): Promise<KeptPosition[]>
    deleteUntil(place: number): Promise<unknown>
  }
}

/** The same, only to be read. */
export type Readable = {
  [Name in keyof Shelves]: Pick<Shelves[Name], Extract<keyof Shelves[Name], 'get' | 'getAll' | 'count' | 'first'>>
}

/** While it runs, it waits for nothing but the shelves: a transaction of a browser ends with the last of them. */
type Run<Given, Result> = (shelves: Given) => Promise<Result>
export type Change<Result> = Run<Shelves, Result>

export interface Store {
  /** Everything read is of one moment. */
  read<Result>(run: Run<Readable, Result>): Promise<Result>
  /**
   * Does all or nothing, and says so only when it is on the disk: otherwise a phone that dies a second later would have
   * forgotten it. `soon` is for what may be forgotten.
   */
  change<Result>(run: Change<Result>, durable?: 'now' | 'soon'): Promise<Result>
  /** Whether it failed because there is no room left. */
  isFull(error: unknown): boolean
}

export const readSession = async ({ facts }: Pick<Readable, 'facts'>) =>
  (await facts.get('session')) as Session | undefined
export const readDay = async ({ facts }: Pick<Readable, 'facts'>) => (await facts.get('day')) as Day | undefined

/** Makes room: pictures the server already has are only for looking at. */
export const forgetSentPictures = (store: Store) =>
  store.change(async ({ files, pictures }) => {
    for (const { fileId, sentAt } of await files.getAll()) if (sentAt) await pictures.delete(fileId)
  })
